import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { tonplugClients, tonplugWebhook } from '@tonplug/express'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'

const reference = 'order-1'
const paid: string[] = []
const receiver = createWebhookReceiver({
  secrets: 'whsec_test',
  orders: memoryOrderRepository([
    { reference, rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
  ]),
  onPaid: async ({ order }) => {
    paid.push(order.reference)
  },
})
const app = express()
app.post('/webhooks/ton', tonplugWebhook(receiver))
app.use(tonplugClients({ fetch: async () => new Response('{"ok":true,"result":"5"}') }))
app.get('/balance', async (req, res) => {
  const balance = await req.tonplug.v2.getAddressBalance({ address: `0:${'0'.repeat(64)}` })
  res.json({ isExpected: balance === 5n })
})
const server = app.listen(0, () => void check())

async function check(): Promise<void> {
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/webhooks/ton`
  const { body, headers } = signPayload(transferCompleted({ reference }), 'whsec_test')
  const forged = await fetch(url, { method: 'POST', headers, body: `${body} ` })
  assert.equal(forged.status, 401)
  const genuine = await fetch(url, { method: 'POST', headers, body })
  assert.equal(genuine.status, 200)

  const balance = await fetch(`http://127.0.0.1:${port}/balance`)
  assert.deepEqual(await balance.json(), { isExpected: true })

  await receiver.close()
  assert.deepEqual(paid, [reference])
  server.close()
}
