// Plays the gateway: signs a webhook which says that 10.5 TON, the price of a cap, arrived for an order.
import { createGatewayStandIn, transferCompleted } from '@tonplug/testing'

const [reference] = process.argv.slice(2)
const { PORT = '3000', TONPAY_WEBHOOK_SECRET: secret } = process.env
if (!reference || !secret) throw new Error('Usage: pay <reference>, with TONPAY_WEBHOOK_SECRET set')

const gateway = createGatewayStandIn({ url: `http://localhost:${PORT}/webhooks/ton`, secret })
console.log(await gateway.deliver(transferCompleted({ reference })))
