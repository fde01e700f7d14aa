import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createPayments,
  createWebhookReceiver,
  type MemoryOrderRepository,
  memoryOrderRepository,
} from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { createTestLogger } from '@tonplug/testing'
import express from 'express'
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

/** Runs a real shop until the test ends. */
export async function openExpressShop(secret: string): Promise<ExpressShop> {
  const orders = memoryOrderRepository()
  const [decisions, shipped]: [string[], string[]] = [[], []]
  const payments = createPayments({
    orders,
    onPaid: ({ order }) => void shipped.push(order.reference),
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  payments.onDecision(({ decision }) => decisions.push(decision.kind))
  const server = express().post('/webhooks/ton', tonplugWebhook(receiver)).listen(0, '127.0.0.1')
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
