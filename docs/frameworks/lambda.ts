import { createPayments, createWebhookReceiver, memoryInbox } from '@tonplug/core'
import type { OrderRepository } from '@tonplug/core'

/** An event of API Gateway in format 1.0 (REST APIs) or 2.0 (HTTP APIs and function URLs). */
interface HttpEvent {
  httpMethod?: string
  path?: string
  rawPath?: string
  requestContext: { http?: { method: string } }
  headers: Record<string, string | undefined> | null
  multiValueHeaders?: Record<string, string[] | undefined> | null
  body?: string | null
  isBase64Encoded: boolean
}

export function createLambdaHandler(orders: OrderRepository) {
  const inbox = memoryInbox()
  return async (event: HttpEvent) => {
    const onPaid = ({ order }: { order: { reference: string } }) =>
      console.log(`ship ${order.reference}`)
    const payments = createPayments({ orders, inbox, drainTimeoutMs: 4000, onPaid })
    const secrets = process.env.TONPAY_WEBHOOK_SECRET ?? ''
    const receiver = createWebhookReceiver({ payments, secrets, deadlineMs: 4000 })
    const text = event.body ?? ''
    const { status, headers, body } = await receiver.receive({
      method: event.httpMethod ?? event.requestContext.http?.method,
      url: event.path ?? event.rawPath,
      // `headers` of format 1.0 has the last one of repeated headers only.
      headers: event.multiValueHeaders ?? event.headers ?? {},
      rawBody: event.isBase64Encoded ? Buffer.from(text, 'base64') : text,
    })
    await payments.close()
    return { statusCode: status, headers, body }
  }
}
