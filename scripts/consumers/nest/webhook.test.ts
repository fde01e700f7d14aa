import { Test } from '@nestjs/testing'
import { TonplugHealthIndicator } from '@tonplug/nestjs/health'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { AppModule, Shipping } from './shop.js'

const { body, headers } = signPayload(transferCompleted(), 'whsec_test')

test('a testing module takes a signed webhook and runs its handler', async () => {
  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile()
  const app = testing.createNestApplication()
  await app.listen(0, '127.0.0.1')
  const url = `${await app.getUrl()}/webhooks/ton`
  const forged = await fetch(url, { method: 'POST', headers, body: `${body} ` })
  const genuine = await fetch(url, { method: 'POST', headers, body })
  // Before any assertion: the test framework waits for open servers.
  await app.close()
  expect([forged.status, genuine.status]).toEqual([401, 200])
  expect(app.get(Shipping).shipped).toEqual(['order-1'])
})

test('the client and the health indicator are injected by their classes', async () => {
  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile()
  const client = testing.get(Shipping).v2
  await expect(client.getMasterchainInfo()).rejects.toMatchObject({ code: 'ERR_TONPLUG_NETWORK' })
  const asked = testing.get(TonplugHealthIndicator).isHealthy('ton')
  // Terminus 10 wants what is down to be thrown.
  const { ton } = await asked.catch(({ causes }: { causes: Awaited<typeof asked> }) => causes)
  expect(ton).toMatchObject({ status: 'down', code: 'ERR_TONPLUG_NETWORK' })
})

test('contracts need @ton/core, and the error names the missing import', async () => {
  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile()
  // The type has no such method.
  const { open } = testing.get(Shipping).v2 as unknown as { open: () => unknown }
  expect(open).toThrow(/install @ton\/core and add import '@tonplug\/nestjs\/contract'/)
})
