// Acts as the gateway: delivers a signed webhook for a payment of 10.5 TON for the order of main.ts.
import { createMockGateway, transferCompleted } from '@tonplug/testing'

const { PORT = '3000', TONPAY_WEBHOOK_SECRET: secret } = process.env
if (!secret) throw new Error('Set TONPAY_WEBHOOK_SECRET')

const gateway = createMockGateway({ url: `http://localhost:${PORT}/webhooks/ton`, secret })
console.log(await gateway.deliver(transferCompleted({ reference: 'order-1' })))
