import { readNodeBody, type WebhookReceiver } from '@tonplug/core'
import Koa from 'koa'

export function createKoaApp(receiver: WebhookReceiver): Koa {
  const app = new Koa()
  // Before koa-bodyparser.
  app.use(async (context, next) => {
    if (context.path !== '/webhooks/ton') return next()
    const { method, url, headers, req } = context
    const rawBody = readNodeBody(req)
    const answer = await receiver.receive({ method, url, headers, rawBody })
    context.set(answer.headers)
    Object.assign(context, { status: answer.status, body: answer.body })
  })
  return app
}
