import { describe, expect, it } from 'vitest'
import type { TransportHooks } from '../../src/transport/hooks.js'
import { createV2Client } from '../../src/v2/client.js'
import { createLine, readCall } from './calls.js'
import { refuse, startFaultServer, succeed } from './fault-server.js'
import { ok } from './fault-table.js'

/** Hooks that note what they are told, the clock's part of it included. */
function record(): { told: [name: string, event: object][]; hooks: TransportHooks } {
  const told: [string, object][] = []
  const note = (name: string) => (event: object) => void told.push([name, event])
  const names = ['request', 'response', 'retry', 'wait', 'error', 'drift'] as const
  return { told, hooks: Object.fromEntries(names.map((name) => [name, note(name)])) }
}

describe('hooks', () => {
  it('are told every step of a call, in order', async () => {
    const server = await startFaultServer(refuse(503, 'later'), succeed(1), refuse(404, 'nothing'))
    const { told, hooks } = record()
    const { transport, clock } = createLine({ baseUrl: server.url, hooks, rps: 2 })
    await transport.request(readCall())
    const failing = transport.request(readCall({ path: '/x', query: [['seqno', '7']] }))
    failing.catch(() => undefined)
    // The two requests of the first call began 250 ms apart: the first one leaves the window.
    await clock.advance(760)
    await expect(failing).rejects.toThrow('404')
    const endpoint = 'getMasterchainInfo'
    const url = `${server.url}/api/v2/getMasterchainInfo`
    const request = { endpoint, method: 'GET', url }
    const other = { ...request, attempts: 1, url: `${server.url}/api/v2/x?seqno=7` }
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

  it('are told a drift once for each endpoint and path', async () => {
    const { told, hooks } = record()
    const { transport } = createLine({ hooks })
    const drift = { endpoint: 'getShards', path: 'shards[].seqno', problem: 'is a string' }
    for (let time = 0; time < 3; time++) {
      transport.reportDrift(drift)
      transport.sticky().reportDrift({ ...drift, path: 'shards' })
    }
    expect(told).toEqual([
      ['drift', drift],
      ['drift', { ...drift, path: 'shards' }],
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
    const server = await startFaultServer(refuse(503, 'later'), ok, refuse(404, 'nothing'))
    // A hook without types may answer anything.
    const broken = hook as () => void
    const hooks = { request: broken, response: broken, error: broken }
    const { transport } = createLine({ baseUrl: server.url, hooks })
    const v2 = createV2Client({ transport })
    await v2.getMasterchainInfo({}, { onResponse: broken })
    await expect(v2.getMasterchainInfo()).rejects.toMatchObject({ code: 'ERR_TONPLUG_NOT_FOUND' })
    expect(server.arrivals).toHaveLength(3)
  })
})

describe('the answer’s meta', () => {
  it('says how it came about', async () => {
    const server = await startFaultServer(refuse(503, 'later'), (_, response) => {
      response.writeHead(200, { 'x-api-version': '2.1.11' }).end('{"ok":true}')
    })
    const { transport } = createLine({ baseUrl: `${server.url}/api/v2` })
    const { meta } = await transport.request(readCall())
    expect(meta).toEqual({
      status: 200,
      attempts: 2,
      baseUrl: server.url,
      apiVersion: '2.1.11',
      durationMs: 250,
      isShared: false,
    })
  })
})
