import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Address, type Contract, type ContractProvider } from '@ton/core'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { createContracts } from '@tonplug/core/contract'
import { createV2Client } from '@tonplug/core/toncenter'
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
  const five = createV2Client({ fetch: async () => new Response('{"ok":true,"result":"5"}') })
  app.use(tonplugClients({ v2: five }))
  app.get('/balance', async (req, res) => {
    const balance = await req.tonplug.v2.getAddressBalance({ address: `0:${'0'.repeat(64)}` })
    res.json({ isExpected: balance === 5n })
  })
  const run = '{"ok":true,"result":{"gas_used":1,"exit_code":0,"stack":[["num","0x7"]]}}'
  const { open } = createContracts({ v2: createV2Client({ fetch: async () => new Response(run) }) })
  app.get('/count', async (_req, res) => {
    const count: bigint = await open(new Counter()).getCount()
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
