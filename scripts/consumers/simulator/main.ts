import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createPaymentVerifier,
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  readNodeBody,
  type WebhookReceiver,
} from '@tonplug/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { startSimulator } from '@tonplug/simulator'

const secret = 'whsec_test'
const rawAmount = 10500000000n
void main()

async function main(): Promise<void> {
  let url = ''
  const simulator = await startSimulator({ secret, url: () => url })
  const baseUrl = simulator.urls.chain
  const merchant = simulator.merchant.address.toString()
  const orders = memoryOrderRepository()
  let ship: (reference: string) => void = () => undefined
  const shipped = new Promise<string>((resolve) => {
    ship = resolve
  })
  const payments = createPayments({
    orders,
    wallets: [merchant],
    verifyOnChain: createPaymentVerifier({ v3: createV3Client({ baseUrl }) }),
    onPaid: ({ order }) => ship(order.reference),
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  const server = serve(receiver)
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ton`

  const v2 = createV2Client({ baseUrl })
  const before = await v2.getAddressBalance({ address: merchant })
  const { reference } = simulator.gateway.createTransfer({ rawAmount })
  orders.add({ reference, rawAmount, asset: 'TON', status: 'pending' })
  const { report } = await simulator.pay(reference)
  assert.equal(report.isDelivered, true)
  assert.equal(await shipped, reference)
  assert.ok((await v2.getAddressBalance({ address: merchant })) > before)

  await receiver.close()
  await payments.close()
  server.close()
  await simulator.close()
}

function serve(receiver: WebhookReceiver) {
  return createServer((request, response) => {
    const { method, url, headers } = request
    void receiver
      .receive({ method, url, headers, rawBody: readNodeBody(request) })
      .then((answer) => response.writeHead(answer.status, answer.headers).end(answer.body))
  }).listen(0, '127.0.0.1')
}
