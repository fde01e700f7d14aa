import {
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  type OrderRepository,
  type PaymentWatcherOptions,
} from '@tonplug/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import type { MockIndex } from './mock-index.js'
import { recipient } from './paid-chain.js'

/** Opens a watcher at the time of the newest block. */
export function openWatcher(
  index: MockIndex,
  orders: OrderRepository,
  options: Partial<PaymentWatcherOptions> = {},
) {
  const clock = createFakeClock({ startMs: index.head * 1000 })
  const logger = createTestLogger()
  const inbox = memoryInbox({ clock })
  const payments = createPayments({ orders, inbox, wallets: [recipient], clock, logger })
  const transport = createTransport({ baseUrl: index.url, rps: Infinity })
  const v3 = createV3Client({ transport })
  const watcher = createPaymentWatcher({ payments, v3, ...options })
  onTestFinished(async () => {
    await watcher.close()
    const closed = payments.close()
    await clock.advance(20_000)
    await closed
  })
  return { watcher, logger, clock }
}
