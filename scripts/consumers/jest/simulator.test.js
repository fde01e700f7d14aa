const events = require('node:events')
const { createPayments, createWebhookReceiver, memoryOrderRepository } = require('@tonplug/core')
const { tonplugWebhook } = require('@tonplug/express')
const { startSimulator } = require('@tonplug/simulator')
const express = require('express')

const secret = 'whsec_test'
const onPaid = jest.fn(async () => {})
let payments
let receiver
let server
let simulator
let orders

beforeAll(async () => {
  orders = memoryOrderRepository()
  payments = createPayments({ orders, onPaid })
  receiver = createWebhookReceiver({ payments, secrets: secret })
  server = express().post('/webhooks/ton', tonplugWebhook(receiver)).listen(0)
  await events.once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/webhooks/ton`
  simulator = await startSimulator({ url, secret })
})

afterAll(async () => {
  await simulator.close()
  await receiver.close()
  await payments.close()
  server.close()
})

test('completes an order that a contract pays', async () => {
  const rawAmount = 10500000000n
  const { reference } = simulator.gateway.createTransfer({ rawAmount })
  orders.add({ reference, rawAmount, asset: 'TON', status: 'pending' })
  const { report } = await simulator.pay(reference)
  expect(report.isDelivered).toBe(true)
  expect((await orders.find({ reference })).status).toBe('completed')
  await receiver.close()
  await payments.close()
  expect(onPaid).toHaveBeenCalledTimes(1)
})
