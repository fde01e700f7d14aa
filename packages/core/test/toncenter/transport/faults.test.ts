import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { API_KEY, type Line } from './calls.js'
import { type MockApi, startScriptedApi } from '@tonplug/test-support/mock-api'
import * as responses from '@tonplug/test-support/responses'
import { BACKOFF, ok, rejection, TABLE } from './fault-table.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

// Every error and every event of every test below.
afterEach(() => expectNoKey(API_KEY))

/** Lets the time of each attempt run out, once its answer has stalled. */
async function passTimeouts(line: Line, faults: MockApi, isBody: boolean) {
  for (let attempt = 1; attempt <= 4; attempt++) {
    await (isBody ? line.waitForHeaders(attempt) : faults.waitForRequests(attempt))
    await line.clock.advance(10_000)
  }
}

describe('the client of API v2 against a failing server', () => {
  it.each(TABLE)('meets $name: $outcome after $requests requests', async (row) => {
    const faults = await startScriptedApi(...row.script)
    const { line, v2 } = createCaller(faults.baseUrl)
    const call = outcomeOf(v2.getMasterchainInfo())
    const [first] = row.script
    const stalls = first === responses.hang || first === responses.stallBody
    if (stalls) await passTimeouts(line, faults, first === responses.stallBody)
    const { outcome, error } = await call
    expect([outcome, faults.requests.length, line.delays]).toEqual([
      row.outcome,
      row.requests,
      row.delays,
    ])
    const facts = { endpoint: 'getMasterchainInfo', attempts: row.requests, ...row.error }
    expect(error ?? facts).toMatchObject(facts)
    expect(faults.requests.every(({ apiKey }) => apiKey === API_KEY)).toBe(true)
  })

  it('fails on a refused connection after four immediate attempts', async () => {
    const faults = await startScriptedApi(responses.reset)
    const unused = faults.baseUrl.replace('127.0.0.1', '127.0.0.9')
    const { line, v2 } = createCaller(unused)
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect({ outcome, delays: line.delays }).toEqual({ outcome: 'NETWORK', delays: BACKOFF })
    expect(error).toMatchObject({ details: { reason: 'ECONNREFUSED' }, attempts: 4 })
  })

  it('stops reading 100 MB at the limit, and does not retry', async () => {
    const sent = { bytes: 0 }
    const faults = await startScriptedApi(responses.flood(104_857_600, sent))
    const { line, v2 } = createCaller(faults.baseUrl)
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect([outcome, faults.requests.length, line.delays]).toEqual(['RESPONSE_TOO_LARGE', 1, []])
    expect(error).toMatchObject({ details: { maxBodyBytes: 67_108_864 }, retryable: false })
    expect(sent.bytes).toBeLessThan(104_857_600)
    await faults.requests[0]?.closed
  })

  it('does not read a body with a content length of 100 MB', async () => {
    const sent = { bytes: 0 }
    const length = { 'content-length': '104857600' }
    const faults = await startScriptedApi(responses.flood(104_857_600, sent, length))
    const { v2 } = createCaller(faults.baseUrl)
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('RESPONSE_TOO_LARGE')
    // What fits into the buffers of both sockets.
    expect(sent.bytes).toBeLessThan(20_000_000)
  })

  it('does not decompress a small body to 100 MB', async () => {
    const packed = gzipSync(Buffer.alloc(104_857_600, ' '), { level: 1 })
    const headers = { 'content-encoding': 'gzip', 'content-length': String(packed.length) }
    const faults = await startScriptedApi((_, response) => {
      response.writeHead(200, headers).end(packed)
    })
    const { v2 } = createCaller(faults.baseUrl)
    expect(packed.length).toBeLessThan(1_000_000)
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('RESPONSE_TOO_LARGE')
  })

  it.each([301, 302, 307, 308])(
    'follows no redirect (%i), and does not send the key elsewhere',
    async (status) => {
      const other = await startScriptedApi(ok)
      const location = `${other.baseUrl}/api/v2/getMasterchainInfo`
      const faults = await startScriptedApi(
        responses.respond(status, { ok: true, result: 1 }, { location }),
      )
      const { line, v2 } = createCaller(faults.baseUrl)
      const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
      expect([outcome, faults.requests.length, line.delays]).toEqual(['HTTP_STATUS', 1, []])
      expect(error).toMatchObject({ message: expect.stringContaining(other.baseUrl) })
      expect(other.requests).toEqual([])
    },
  )

  it('sends a message again after a network fault, never after a rejection', async () => {
    const sent = responses.succeed({ '@type': 'ok' })
    const faults = await startScriptedApi(responses.reset, sent, responses.respond(500, rejection))
    const { v2 } = createCaller(faults.baseUrl)
    const boc = 'te6cckEBAQEAAgAAAEysuc0='
    expect(await outcomeOf(v2.sendBoc({ boc }))).toEqual({ outcome: 'ok' })
    expect((await outcomeOf(v2.sendBoc({ boc }))).outcome).toBe('MESSAGE_REJECTED')
    expect(faults.requests.map(({ text }) => text)).toEqual(
      Array.from({ length: 3 }, () => JSON.stringify({ boc })),
    )
  })
})
