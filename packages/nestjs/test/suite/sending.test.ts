import { Module } from '@nestjs/common'
import { BOC, HASH, TRACE } from '@tonplug/test-support/message'
import { startMockApi, type MockApi } from '@tonplug/test-support/mock-api'
import { succeed } from '@tonplug/test-support/responses'
import { sendAndWait, waitForMessage } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { V2Service, V3Service } from '../../src/services.js'
import { platforms, startApp } from '../support/start-app.js'

/** A node that accepts a message, and an index that has it from the second request on. */
async function startNetwork(): Promise<MockApi> {
  const network = await startMockApi(({ url, path }) => {
    if (url.startsWith('/api/v2')) return succeed({ '@type': 'ok' })
    const isThere =
      path === '/traces' && network.requests.filter((one) => one.path === path).length > 1
    return { body: { traces: isThere ? [TRACE] : [], address_book: {}, metadata: {} } }
  })
  return network
}

describe.each(platforms)('sending, %s', (platform) => {
  it('sendAndWait sends with V2Service and finds the message with V3Service', async () => {
    const { baseUrl, requests } = await startNetwork()
    @Module({ imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity })] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const v2 = app.get(V2Service, { strict: false })
    const v3 = app.get(V3Service, { strict: false })
    const landed = await sendAndWait({ v2, v3 }, BOC, { pollMs: 1 })
    expect(landed).toMatchObject({ status: 'finalized', outcome: 'success' })
    expect(requests[0]?.url).toBe('/api/v2/sendBoc')
    expect(requests.at(-1)?.url).toMatch('/api/v3/traces?')
  })

  it('waitForMessage with V3Service finds a message by its hash', async () => {
    const { baseUrl } = await startNetwork()
    @Module({ imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity })] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const v3 = app.get(V3Service, { strict: false })
    const landed = await waitForMessage(v3, HASH, { pollMs: 1 })
    expect(landed.transactions).toHaveLength(1)
  })
})
