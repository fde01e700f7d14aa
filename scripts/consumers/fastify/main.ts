import assert from 'node:assert/strict'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { createV2Client } from '@tonplug/core/toncenter'
import tonplugFastify, { tonplugFastify as named } from '@tonplug/fastify'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { fastify } from 'fastify'

void main()

async function main(): Promise<void> {
  const reference = 'order-1'
  const paid: string[] = []
  const payments = createPayments({
    orders: memoryOrderRepository([
      { reference, rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
    ]),
    onPaid: ({ order }) => {
      paid.push(order.reference)
    },
  })
  const receiver = createWebhookReceiver({ payments, secrets: 'whsec_test' })
  assert.equal(tonplugFastify, named)

  const app = fastify()
  await app.register(tonplugFastify, {
    path: '/webhooks/ton',
    receiver,
    payments,
    orderStatusStream: '/orders/:reference/events',
    health: '/ready',
    clients: {
      v2: createV2Client({ fetch: async () => new Response('{"ok":true,"result":"5"}') }),
    },
  })
  app.addHook('onRequest', async ({ routeOptions }) => {
    const isWebhook: boolean = routeOptions.config.tonplug ?? false
    assert.equal(isWebhook, routeOptions.url === '/webhooks/ton')
  })
  app.get('/balance', async () => {
    const balance: bigint = await app.tonplug.v2.getAddressBalance({
      address: `0:${'0'.repeat(64)}`,
    })
    return String(balance)
  })
  const url = await app.listen({ port: 0 })

  const { body, headers } = signPayload(transferCompleted({ reference }), 'whsec_test')
  const forged = await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body: `${body} ` })
  assert.equal(forged.status, 401)
  const genuine = await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body })
  assert.equal(genuine.status, 200)
  assert.equal(await (await fetch(`${url}/balance`)).text(), '5')
  assert.equal((await fetch(`${url}/ready`)).status, 200)
  const events = await fetch(`${url}/orders/${reference}/events`)
  assert.match(await events.text(), /"status":"paid"/)

  await app.close()
  await receiver.close()
  await payments.close()
  assert.deepEqual(paid, [reference])
}
