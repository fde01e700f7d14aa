import { memoryOrderRepository } from '@tonplug/core'
import type { MemoryOrderRepository, Order } from '@tonplug/core'
import { signDeliveries } from '@tonplug/test-support/deliveries'
import { createTestLogger } from '@tonplug/testing'
import type { TestLogger } from '@tonplug/testing'
import request from 'supertest'
import type { TonplugPaymentsOptions, TonplugWebhookOptions } from '../../src/tonplug.options.js'

export const SECRET = 'whsec_nest_adapter'

/** The orders, the log and the handled payments of a test. */
export interface Shop {
  orders: MemoryOrderRepository
  logger: TestLogger
  /** Written by the handlers of a test. */
  handled: { by: string; reference: string }[]
  orderStatus(reference?: string): Promise<string | undefined>
}

/** Creates a shop with open orders that `transferCompleted()` pays. */
export function createShop(references: readonly string[] = ['order-1']): Shop {
  const orders = memoryOrderRepository(references.map((reference) => toOrder(reference)))
  return {
    orders,
    logger: createTestLogger(),
    handled: [],
    orderStatus: async (reference = 'order-1') => (await orders.find({ reference }))?.status,
  }
}

/** Returns the module options of a shop, with further options of its payments and its webhook. */
export function optionsOf(
  { orders, logger }: Shop,
  payments: Partial<TonplugPaymentsOptions> = {},
  webhook: Partial<TonplugWebhookOptions> = {},
): { payments: TonplugPaymentsOptions; webhook: TonplugWebhookOptions } {
  return {
    payments: { orders, logger, ...payments },
    webhook: { secrets: SECRET, ...webhook },
  }
}

/** Returns the messages of a shop's warnings and errors, without the warning about the memory inbox. */
export function problemsOf({ logger }: Shop): string[] {
  return logger.lines
    .filter(
      ({ level, message }) => /warn|error/.test(level) && !message.startsWith('inbox is lost'),
    )
    .map(({ message }) => message)
}

/** The requests of the matrix. */
export const deliveries = signDeliveries(SECRET)

/** The parts of a response that tests compare. */
export interface Seen {
  status: number
  body: string
}

/** Sends a delivery. */
export async function deliver(
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<Seen> {
  const { status, text } = await request(url).post('').set(headers).send(body)
  return { status, body: text }
}

/** Returns an open order that `transferCompleted()` pays. */
export function toOrder(reference: string, merchant = ''): Order {
  const createdAt = new Date('2026-01-01')
  return {
    reference,
    merchant,
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
    createdAt,
  }
}
