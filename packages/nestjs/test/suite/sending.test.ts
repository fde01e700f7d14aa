import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Module } from '@nestjs/common'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { V2Service } from '../../src/v2.service.js'
import { V3Service } from '../../src/v3.service.js'
import { platforms, startApp } from '../support/start-app.js'

/** A message from outside to the account 0:0707…, with an empty body. */
const BOC = 'te6cckEBAQEAJQAARYgADg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4EIJtQFQ=='
const HASH = Buffer.alloc(32, 9).toString('base64')

const trace = {
  trace_id: HASH,
  start_lt: '1',
  start_utime: 1_780_000_000,
  trace_info: { trace_state: 'complete', messages: 1, transactions: 1, pending_messages: 0 },
  transactions_order: [HASH],
  transactions: {
    [HASH]: {
      account: `0:${'07'.repeat(32)}`,
      hash: HASH,
      lt: '1',
      now: 1_780_000_000,
      total_fees: '1',
      description: { type: 'ord', aborted: false, compute_ph: { success: true, exit_code: 0 } },
      out_msgs: [],
      finality: 'finalized',
    },
  },
}

/** A node that takes a message, and an index that has it from the second look on. */
async function startNetwork(): Promise<{ baseUrl: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    asked.push(path)
    const looks = asked.filter((one) => one === '/api/v3/traces').length
    const isThere = path === '/api/v3/traces' && looks > 1
    const body = path.startsWith('/api/v2')
      ? { ok: true, result: { '@type': 'ok' } }
      : { traces: isThere ? [trace] : [], address_book: {}, metadata: {} }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // It listens on TCP.
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe.each(platforms)('sending, %s', (platform) => {
  it('V2Service.sendAndWait sends with API v2 and sees with API v3', async () => {
    const { baseUrl, asked } = await startNetwork()
    @Module({ imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity })] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const landed = await app.get(V2Service, { strict: false }).sendAndWait(BOC, { pollMs: 1 })
    expect(landed).toMatchObject({ status: 'finalized', outcome: 'success' })
    expect(asked[0]).toBe('/api/v2/sendBoc')
    expect(asked.at(-1)).toBe('/api/v3/traces')
  })

  it('V3Service.waitForMessage sees it by its hash', async () => {
    const { baseUrl } = await startNetwork()
    @Module({ imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity })] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const landed = await app.get(V3Service, { strict: false }).waitForMessage(HASH, { pollMs: 1 })
    expect(landed.transactions).toHaveLength(1)
  })
})

it('a V2Service that was made by hand sees over the transport that it sends with', async () => {
  const { baseUrl, asked } = await startNetwork()
  const v2 = new V2Service({ baseUrl, rps: Infinity })
  expect((await v2.sendAndWait(BOC, { pollMs: 1 })).outcome).toBe('success')
  expect(asked).toContain('/api/v3/traces')
})
