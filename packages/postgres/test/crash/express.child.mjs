// A shop's server on Express.
import { createWebhookReceiver } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import express from 'express'
import { noteRun, obey, receiverOptions } from './shop-server.mjs'

const receiver = createWebhookReceiver({
  ...receiverOptions,
  autoStart: false,
  onPaid: { ship: noteRun, mail: noteRun },
  onFailed: noteRun,
  onMismatched: noteRun,
  onExtraPayment: noteRun,
})
const app = express()
app.post('/webhooks/ton', tonplugWebhook(receiver))
app.use(express.json())

obey(() => {
  receiver.start()
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })
})
