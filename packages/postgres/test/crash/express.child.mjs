// A shop's server on Express.
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import express from 'express'
import { noteRun, obey, paymentsOptions, secrets } from './shop-server.mjs'

const payments = createPayments({
  ...paymentsOptions,
  autoStart: false,
  onPaid: { ship: noteRun, mail: noteRun },
  onFailed: noteRun,
  onMismatch: noteRun,
  onExtraPayment: noteRun,
})
const app = express()
app.post('/webhooks/ton', tonplugWebhook(createWebhookReceiver({ payments, secrets })))
app.use(express.json())

obey(() => {
  payments.start()
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })
})
