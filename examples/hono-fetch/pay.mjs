// Plays the gateway: signs a webhook which says that 10.5 TON arrived for the order of main.ts.
import { createGatewayStandIn, transferCompleted } from '@tonplug/testing'

const { PORT = '3000', TONPAY_WEBHOOK_SECRET: secret } = process.env
if (!secret) throw new Error('Set TONPAY_WEBHOOK_SECRET')

const gateway = createGatewayStandIn({ url: `http://localhost:${PORT}/webhooks/ton`, secret })
console.log(await gateway.deliver(transferCompleted({ reference: 'order-1' })))
