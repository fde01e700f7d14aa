import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { API_KEY, type Line } from './calls.js'
import * as server from './fault-server.js'
import { BACKOFF, ok, rejection, TABLE } from './fault-table.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

// Every error and every event of every test below.
afterEach(() => expectNoKey(API_KEY))

/** Lets the time of each attempt run out, once its answer has stalled. */
async function passTimeouts(line: Line, faults: server.FaultServer, isBody: boolean) {
  for (let attempt = 1; attempt <= 4; attempt++) {
    await (isBody ? line.waitForHeaders(attempt) : faults.waitForArrivals(attempt))
    await line.clock.advance(10_000)
  }
}

describe('the client of API v2 against a failing server', () => {
  it.each(TABLE)('$name: $outcome after $requests requests', async (row) => {
    const faults = await server.startFaultServer(...row.script)
    const { line, v2 } = createCaller(faults.url)
    const call = outcomeOf(v2.getMasterchainInfo())
    const [first] = row.script
    const stalls = first === server.stallHeaders || first === server.stallBody
    if (stalls) await passTimeouts(line, faults, first === server.stallBody)
    const { outcome, error } = await call
    expect([outcome, faults.arrivals.length, line.delays]).toEqual([
      row.outcome,
      row.requests,
      row.delays,
    ])
    const facts = { endpoint: 'getMasterchainInfo', attempts: row.requests, ...row.error }
    expect(error ?? facts).toMatchObject(facts)
    expect(faults.arrivals.every(({ apiKey }) => apiKey === API_KEY)).toBe(true)
  })

  it('fails at once on a refused connection, four times', async () => {
    const faults = await server.startFaultServer(server.reset)
    const unused = faults.url.replace('127.0.0.1', '127.0.0.9')
    const { line, v2 } = createCaller(unused)
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect({ outcome, delays: line.delays }).toEqual({ outcome: 'NETWORK', delays: BACKOFF })
    expect(error).toMatchObject({ details: { reason: 'ECONNREFUSED' }, attempts: 4 })
  })

  it('stops reading 100 MB at the limit, and does not try again', async () => {
    const sent = { bytes: 0 }
    const faults = await server.startFaultServer(server.flood(104_857_600, sent))
    const { line, v2 } = createCaller(faults.url)
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect([outcome, faults.arrivals.length, line.delays]).toEqual(['RESPONSE_TOO_LARGE', 1, []])
    expect(error).toMatchObject({ details: { maxBodyBytes: 67_108_864 }, retryable: false })
    expect(sent.bytes).toBeLessThan(104_857_600)
    await faults.arrivals[0]?.closed
  })

  it('does not begin to read 100 MB that are announced', async () => {
    const sent = { bytes: 0 }
    const length = { 'content-length': '104857600' }
    const faults = await server.startFaultServer(server.flood(104_857_600, sent, length))
    const { v2 } = createCaller(faults.url)
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('RESPONSE_TOO_LARGE')
    // What fits into the buffers of both sockets.
    expect(sent.bytes).toBeLessThan(20_000_000)
  })

  it('does not unpack a small body to 100 MB', async () => {
    const packed = gzipSync(Buffer.alloc(104_857_600, ' '), { level: 1 })
    const headers = { 'content-encoding': 'gzip', 'content-length': String(packed.length) }
    const faults = await server.startFaultServer((_, response) => {
      response.writeHead(200, headers).end(packed)
    })
    const { v2 } = createCaller(faults.url)
    expect(packed.length).toBeLessThan(1_000_000)
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('RESPONSE_TOO_LARGE')
  })

  it.each([301, 302, 307, 308])(
    'follows no redirect (%i), and takes the key nowhere',
    async (status) => {
      const other = await server.startFaultServer(ok)
      const location = `${other.url}/api/v2/getMasterchainInfo`
      const faults = await server.startFaultServer(
        server.sayJson(status, { ok: true, result: 1 }, { location }),
      )
      const { line, v2 } = createCaller(faults.url)
      const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
      expect([outcome, faults.arrivals.length, line.delays]).toEqual(['HTTP_STATUS', 1, []])
      expect(error).toMatchObject({ message: expect.stringContaining(other.url) })
      expect(other.arrivals).toEqual([])
    },
  )

  it('sends a message again after a network fault, never after a rejection', async () => {
    const sent = server.succeed({ '@type': 'ok' })
    const faults = await server.startFaultServer(server.reset, sent, server.say(500, rejection))
    const { v2 } = createCaller(faults.url)
    const boc = 'te6cckEBAQEAAgAAAEysuc0='
    expect(await outcomeOf(v2.sendBoc({ boc }))).toEqual({ outcome: 'ok' })
    expect((await outcomeOf(v2.sendBoc({ boc }))).outcome).toBe('MESSAGE_REJECTED')
    expect(faults.arrivals.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => JSON.stringify({ boc })),
    )
  })
})
