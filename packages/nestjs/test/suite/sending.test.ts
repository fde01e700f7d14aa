import { Module } from '@nestjs/common'
import { startMockApi, type MockApi } from '@tonplug/test-support/mock-api'
import { succeed } from '@tonplug/test-support/responses'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { V2Service } from '../../src/v2.service.js'
import { V3Service } from '../../src/v3.service.js'
import { platforms, startApp } from '../support/start-app.js'

/** An external message to the account 0:0707…, with an empty body. */
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

/** A node that accepts a message, and an index that has it from the second request on. */
async function startNetwork(): Promise<MockApi> {
  const network = await startMockApi(({ url, path }) => {
    if (url.startsWith('/api/v2')) return succeed({ '@type': 'ok' })
    const isThere =
      path === '/traces' && network.requests.filter((one) => one.path === path).length > 1
    return { body: { traces: isThere ? [trace] : [], address_book: {}, metadata: {} } }
  })
  return network
}

describe.each(platforms)('sending, %s', (platform) => {
  it('V2Service.sendAndWait sends with API v2 and finds the message with API v3', async () => {
    const { baseUrl, requests } = await startNetwork()
    @Module({ imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity })] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const landed = await app.get(V2Service, { strict: false }).sendAndWait(BOC, { pollMs: 1 })
    expect(landed).toMatchObject({ status: 'finalized', outcome: 'success' })
    expect(requests[0]?.url).toBe('/api/v2/sendBoc')
    expect(requests.at(-1)?.url).toMatch('/api/v3/traces?')
  })

  it('V3Service.waitForMessage finds a message by its hash', async () => {
    const { baseUrl } = await startNetwork()
    @Module({ imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity })] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const landed = await app.get(V3Service, { strict: false }).waitForMessage(HASH, { pollMs: 1 })
    expect(landed.transactions).toHaveLength(1)
  })
})

it('a V2Service created without Nest uses one transport to send and to find the message', async () => {
  const { baseUrl, requests } = await startNetwork()
  const v2 = new V2Service({ baseUrl, rps: Infinity })
  expect((await v2.sendAndWait(BOC, { pollMs: 1 })).outcome).toBe('success')
  expect(requests.map(({ path }) => path)).toContain('/traces')
})
