import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createWebhookReceiver,
  type MemoryOrderRepository,
  memoryOrderRepository,
} from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { recordingLogger } from '@tonplug/testing'
import express from 'express'
import { onTestFinished } from 'vitest'

/** A shop that receives webhooks. */
export interface ExpressShop {
  /** Its webhook route. */
  url: string
  orders: MemoryOrderRepository
  /** What the rules concluded of each delivery. */
  decisions: string[]
  /** References of the orders that were shipped. */
  shipped: string[]
}

/** Opens a real shop until the test ends. */
export async function openExpressShop(secret: string): Promise<ExpressShop> {
  const orders = memoryOrderRepository()
  const [decisions, shipped]: [string[], string[]] = [[], []]
  const receiver = createWebhookReceiver({
    secrets: secret,
    orders,
    onPaid: ({ order }) => void shipped.push(order.reference),
    logger: recordingLogger(),
  })
  receiver.subscribe(({ decision }) => decisions.push(decision.kind))
  const server = express().post('/webhooks/ton', tonplugWebhook(receiver)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await receiver.close()
    server.close()
    server.closeAllConnections()
  })
  // A server on a port has no other kind of address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhooks/ton`, orders, decisions, shipped }
}
