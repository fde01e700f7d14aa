import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createTransferClient, createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { describe, expect, it, onTestFinished } from 'vitest'

const LEVELS = 8_000_000
const ARRAYS = '['.repeat(LEVELS) + ']'.repeat(LEVELS)
const OBJECTS = `${'{"":'.repeat(LEVELS)}0${'}'.repeat(LEVELS)}`
const API_KEY = 'key-of-a-test'

const DEEP: [title: string, body: string][] = [
  ['arrays', ARRAYS],
  ['objects', OBJECTS],
  ['arrays in a field', `{"ok":true,"transactions":${ARRAYS},"result":0}`],
  ['arrays after a long integer', `[12345678901234567890,${ARRAYS}]`],
  ['arrays without an end', '['.repeat(LEVELS)],
  [
    'arrays after strings of brackets',
    `["]]]]\\"",${'"]",['.repeat(40_000)}${']'.repeat(40_000)}]`,
  ],
  ['an error that quotes the key', `{"ok":false,"error":"${API_KEY}","more":${ARRAYS}}`],
]

/** Starts a server that sends a compressed body to every request. */
async function startServer(
  body: string,
  { status = 200, zip = gzipSync(body), coding = 'gzip' } = {},
): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding })
    response.end(zip)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function callsOf(baseUrl: string) {
  const options = { baseUrl, apiKey: API_KEY, rps: Infinity }
  return {
    v2: () => createV2Client(options).getMasterchainInfo(),
    v3: () => createV3Client(options).transactions({ limit: 1 }),
    gateway: () => createTransferClient(options).byReference('order-1'),
  }
}

describe('a nested response', () => {
  it.each<[title: string, body: string, client: 'v2' | 'v3' | 'gateway']>([
    ...DEEP.map(([title, body]): [string, string, 'v3'] => [title, body, 'v3']),
    ['arrays', ARRAYS, 'v2'],
    ['arrays', ARRAYS, 'gateway'],
  ])('S109 is a typed error without memory for its levels: %s', async (_, body, client) => {
    const call = callsOf(await startServer(body))[client]
    const before = process.memoryUsage().heapUsed
    await expect(call()).rejects.toMatchObject({
      code: 'ERR_TONPLUG_HTTP_STATUS',
      message: expect.stringContaining('JSON with more than 32768 levels'),
      details: { status: 200, attempts: 1 },
    })
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000)
  })

  it.each(['v2', 'v3', 'gateway'] as const)(
    'S109 keeps the status of an error page of %s',
    async (client) => {
      const call = callsOf(await startServer(ARRAYS, { status: 404 }))[client]
      await expect(call()).rejects.toMatchObject({
        code: 'ERR_TONPLUG_HTTP_STATUS',
        details: { status: 404 },
      })
    },
  )

  it('S109 does not overflow the call stack where it quotes the key', async () => {
    const levels = 30_000
    const nested = `${'{"a":['.repeat(levels / 2)}"${API_KEY}"${']}'.repeat(levels / 2)}`
    const baseUrl = await startServer(
      `{"ok":false,"code":404,"error":"no ${API_KEY}","x":${nested}}`,
    )
    for (const call of Object.values(callsOf(baseUrl))) {
      await expect(call()).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_TONPLUG_/) })
      await expect(call()).rejects.not.toMatchObject({ message: expect.stringContaining(API_KEY) })
    }
  })

  it('reads a trace of 4000 transactions in a row', async () => {
    const levels = 4000
    const trace = '{"children":['.repeat(levels) + ']}'.repeat(levels)
    const info = { trace_state: 'complete', messages: 0, transactions: 0, pending_messages: 0 }
    const row = {
      start_lt: '1',
      start_utime: 1,
      trace_info: { ...info, classification_state: 'ok' },
    }
    const text = JSON.stringify({ traces: [row] }).replace(
      '"trace_info"',
      `"trace":${trace},"trace_info"`,
    )
    const v3 = createV3Client({ baseUrl: await startServer(text), rps: Infinity })
    const { traces } = await v3.traces({ limit: 1 })
    let depth = 0
    for (let node = traces[0]?.trace; node !== undefined; node = node.children[0]) depth++
    expect(depth).toBe(levels)
  })

  it('S109 is cut at maxBodyBytes after decompression, however often it was compressed', async () => {
    const once = gzipSync('['.repeat(50_000_000))
    for (const served of [
      { zip: once, coding: 'gzip' },
      { zip: gzipSync(once), coding: 'gzip, gzip' },
    ]) {
      const baseUrl = await startServer('', served)
      const v3 = createV3Client({ baseUrl, rps: Infinity, maxBodyBytes: 100_000 })
      await expect(v3.transactions({ limit: 1 })).rejects.toMatchObject({
        code: 'ERR_TONPLUG_RESPONSE_TOO_LARGE',
      })
    }
  })
})
