import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createPayments,
  createWebhookReceiver,
  type MemoryOrderRepository,
  memoryOrderRepository,
} from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { deferred } from '@tonplug/test-support/deferred'
import { createTestLogger } from '@tonplug/testing'
import express, { type RequestHandler } from 'express'
import { onTestFinished } from 'vitest'

/** A shop that receives webhooks. */
export interface ExpressShop {
  /** The URL of its webhook route. */
  url: string
  orders: MemoryOrderRepository
  /** The decisions of the deliveries. */
  decisions: string[]
  /** References of the orders that were shipped. */
  shipped: string[]
}

const pass: RequestHandler = (_request, _response, next) => next()

/** Runs a real shop until the test ends. @param ahead gets each request before the webhook */
export async function openExpressShop(secret: string, ahead = pass): Promise<ExpressShop> {
  const orders = memoryOrderRepository()
  const [decisions, shipped]: [string[], string[]] = [[], []]
  const payments = createPayments({
    orders,
    onPaid: ({ order }) => void shipped.push(order.reference),
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  payments.onDecision(({ decision }) => decisions.push(decision.kind))
  const app = express().post('/webhooks/ton', ahead, tonplugWebhook(receiver))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await receiver.close()
    await payments.close()
    server.close()
    server.closeAllConnections()
  })
  // A server on a port has no other kind of address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhooks/ton`, orders, decisions, shipped }
}

/** Returns a middleware that lets the first request pass, and the others after `release`. The gateway waits for ten seconds. */
export function holdRetries(): { ahead: RequestHandler; release: () => void } {
  const { promise, resolve } = deferred()
  let count = 0
  const ahead: RequestHandler = async (_request, _response, next) => {
    count += 1
    if (count > 1) await promise
    next()
  }
  return { ahead, release: resolve }
}
