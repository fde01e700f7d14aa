import { describe, expect, it } from 'vitest'
import type { TransportHooks } from '../../../src/toncenter/transport/hooks.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createLine, readCall } from './calls.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { refuse, succeed } from '@tonplug/test-support/responses'
import { ok } from './fault-table.js'

/** Hooks that record their events, including times. */
function record(): { told: [name: string, event: object][]; hooks: TransportHooks } {
  const told: [string, object][] = []
  const note = (name: string) => (event: object) => void told.push([name, event])
  const names = ['request', 'response', 'retry', 'wait', 'error'] as const
  return { told, hooks: Object.fromEntries(names.map((name) => [name, note(name)])) }
}

describe('hooks', () => {
  it('receive every step of a call, in order', async () => {
    const server = await startScriptedApi(refuse(503, 'later'), succeed(1), refuse(404, 'nothing'))
    const { told, hooks } = record()
    const { transport, clock } = createLine({ baseUrl: server.baseUrl, hooks, rps: 2 })
    await transport.request(readCall())
    const failing = transport.request(readCall({ path: '/x', query: [['seqno', '7']] }))
    failing.catch(() => undefined)
    // The two requests of the first call began 250 ms apart: the first one leaves the window.
    await clock.advance(760)
    await expect(failing).rejects.toThrow('404')
    const endpoint = 'getMasterchainInfo'
    const url = `${server.baseUrl}/api/v2/getMasterchainInfo`
    const request = { endpoint, method: 'GET', url }
    const other = { ...request, attempts: 1, url: `${server.baseUrl}/api/v2/x?seqno=7` }
    expect(told).toEqual([
      ['request', { ...request, attempts: 1 }],
      ['response', { ...request, attempts: 1, status: 503, durationMs: 0 }],
      ['retry', { endpoint, attempts: 1, delayMs: 250, error: expect.any(Error) as Error }],
      ['request', { ...request, attempts: 2 }],
      ['response', { ...request, attempts: 2, status: 200, durationMs: 0 }],
      ['wait', { endpoint, attempts: 0, waitedMs: 760 }],
      ['request', other],
      ['response', { ...other, status: 404, durationMs: 0 }],
      ['error', { endpoint, attempts: 1, error: expect.any(Error) as Error }],
    ])
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('a broken hook')
      },
    ],
    ['rejects', () => Promise.reject(new Error('a broken promise'))],
    ['never ends', () => new Promise(() => undefined)],
  ])('cannot break or hold a call when it %s', async (_, hook) => {
    const server = await startScriptedApi(refuse(503, 'later'), ok, refuse(404, 'nothing'))
    // A hook without types may answer anything.
    const broken = hook as () => void
    const hooks = { request: broken, response: broken, error: broken }
    const { transport } = createLine({ baseUrl: server.baseUrl, hooks })
    const v2 = createV2Client({ transport })
    await v2.getMasterchainInfo({}, { onResponse: broken })
    await expect(v2.getMasterchainInfo()).rejects.toMatchObject({ code: 'ERR_TONPLUG_NOT_FOUND' })
    expect(server.requests).toHaveLength(3)
  })
})

describe('the answer’s meta', () => {
  it('says how it came about', async () => {
    const server = await startScriptedApi(refuse(503, 'later'), (_, response) => {
      response.writeHead(200, { 'x-api-version': '2.1.11' }).end('{"ok":true}')
    })
    const { transport } = createLine({ baseUrl: `${server.baseUrl}/api/v2` })
    const { meta } = await transport.request(readCall())
    expect(meta).toEqual({
      status: 200,
      attempts: 2,
      baseUrl: server.baseUrl,
      apiVersion: '2.1.11',
      durationMs: 250,
      isShared: false,
    })
  })
})
