import '@tonplug/express/contract'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Address, type Contract, type ContractProvider } from '@ton/core'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { tonplugClients, tonplugWebhook } from '@tonplug/express'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'

class Counter implements Contract {
  readonly address = Address.parse(`0:${'0'.repeat(64)}`)

  async getCount(provider: ContractProvider): Promise<bigint> {
    return (await provider.get('count', [])).stack.readBigNumber()
  }
}
void main()

async function main(): Promise<void> {
  const reference = 'order-1'
  let pay: (reference: string) => void = () => undefined
  const paid = new Promise<string>((resolve) => {
    pay = resolve
  })
  const payments = createPayments({
    orders: memoryOrderRepository([
      { reference, rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
    ]),
    onPaid: ({ order }) => pay(order.reference),
  })
  const receiver = createWebhookReceiver({ payments, secrets: 'whsec_test' })
  const app = express()
  app.post('/webhooks/ton', tonplugWebhook(receiver))
  app.use(tonplugClients({ fetch: async () => new Response('{"ok":true,"result":"5"}') }))
  app.get('/balance', async (req, res) => {
    const balance = await req.tonplug.v2.getAddressBalance({ address: `0:${'0'.repeat(64)}` })
    res.json({ isExpected: balance === 5n })
  })
  const run = '{"ok":true,"result":{"gas_used":1,"exit_code":0,"stack":[["num","0x7"]]}}'
  app.use('/count', tonplugClients({ fetch: async () => new Response(run) }))
  app.get('/count', async (req, res) => {
    const count: bigint = await req.tonplug.open(new Counter()).getCount()
    res.json({ isExpected: count === 7n })
  })
  const server = app.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/webhooks/ton`
  const { body, headers } = signPayload(transferCompleted({ reference }), 'whsec_test')
  const forged = await fetch(url, { method: 'POST', headers, body: `${body} ` })
  assert.equal(forged.status, 401)
  const genuine = await fetch(url, { method: 'POST', headers, body })
  assert.equal(genuine.status, 200)

  const balance = await fetch(`http://127.0.0.1:${port}/balance`)
  assert.deepEqual(await balance.json(), { isExpected: true })
  const count = await fetch(`http://127.0.0.1:${port}/count`)
  assert.deepEqual(await count.json(), { isExpected: true })

  assert.equal(await paid, reference)
  await receiver.close()
  await payments.close()
  server.close()
}
