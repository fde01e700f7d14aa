import { createPayments, createWebhookReceiver, readLambdaEvent } from '@tonplug/core'
import type { LambdaHttpEvent, PaymentsOptions } from '@tonplug/core'

const secrets = process.env.TONPAY_WEBHOOK_SECRET ?? ''

/** @param shop the orders, the inbox and the handlers */
export const createHandler = (shop: PaymentsOptions) => async (event: LambdaHttpEvent) => {
  const payments = createPayments({ drainTimeoutMs: 4000, ...shop })
  const receiver = createWebhookReceiver({ payments, secrets, deadlineMs: 4000 })
  const { status, headers, body } = await receiver.receive(readLambdaEvent(event))
  await payments.close()
  return { statusCode: status, headers, body }
}
