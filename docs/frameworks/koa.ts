import { readNodeBody, type WebhookReceiver } from '@tonplug/core'
import type { Middleware } from 'koa'

/** Use it before koa-bodyparser. */
export function tonWebhook(receiver: WebhookReceiver): Middleware {
  return async (context, next) => {
    if (context.path !== '/webhooks/ton') return next()
    const { method, url, headers, req } = context
    const rawBody = readNodeBody(req)
    const answer = await receiver.receive({ method, url, headers, rawBody })
    context.set(answer.headers)
    Object.assign(context, { status: answer.status, body: answer.body })
  }
}
