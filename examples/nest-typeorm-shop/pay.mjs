// Acts as the gateway: delivers a signed webhook for a payment of 10.5 TON, the price of a cap.
import { createMockGateway, transferCompleted } from '@tonplug/testing'

const [reference] = process.argv.slice(2)
const { PORT = '3000', TONPAY_WEBHOOK_SECRET: secret } = process.env
if (!reference || !secret) throw new Error('Usage: pay <reference>, with TONPAY_WEBHOOK_SECRET set')

const gateway = createMockGateway({ url: `http://localhost:${PORT}/webhooks/ton`, secret })
console.log(await gateway.deliver(transferCompleted({ reference })))
