const events = require('node:events')
const { createPayments, createWebhookReceiver, memoryOrderRepository } = require('@tonplug/core')
const { tonplugWebhook } = require('@tonplug/express')
const { signPayload, transferCompleted } = require('@tonplug/testing')
const express = require('express')

const reference = 'order-1'
const { body, headers } = signPayload(transferCompleted({ reference }), 'whsec_test')
const onPaid = jest.fn(async () => {})
let payments
let receiver
let server
let url

beforeAll(async () => {
  payments = createPayments({
    orders: memoryOrderRepository([
      { reference, rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
    ]),
    onPaid,
  })
  receiver = createWebhookReceiver({ payments, secrets: 'whsec_test' })
  const app = express()
  app.post('/webhooks/ton', tonplugWebhook(receiver))
  server = app.listen(0)
  await events.once(server, 'listening')
  url = `http://127.0.0.1:${server.address().port}/webhooks/ton`
})

afterAll(() => server.close())

test('responds with 401 to an altered delivery', async () => {
  const response = await fetch(url, { method: 'POST', headers, body: `${body} ` })
  expect(response.status).toBe(401)
})

test('responds with 200 to a signed delivery and calls onPaid', async () => {
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  await receiver.close()
  await payments.close()
  expect(onPaid).toHaveBeenCalledTimes(1)
})
