import { Test } from '@nestjs/testing'
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

test('the client is injected by its class', async () => {
  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile()
  const client = testing.get(Shipping).v2
  await expect(client.getMasterchainInfo()).rejects.toMatchObject({ code: 'ERR_TONPLUG_NETWORK' })
})
