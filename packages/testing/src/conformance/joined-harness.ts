import type { Inbox, Order, OrderRepository } from '@tonplug/core'
import type { DefineTest, Suite } from './runner.js'

/** An inbox, and orders that it shares a database with. Both start empty. */
export interface JoinedOrdersHarness {
  inbox: Inbox
  repository: OrderRepository
  /** Stores an order with every field as given. */
  insert: (order: Order) => Promise<void>
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

/** Arguments that the parts of the suite share. */
export interface JoinedSuite extends Suite<JoinedOrdersHarness> {
  /** Defines a test with several merchants. */
  merchantTest: DefineTest<JoinedOrdersHarness>
}
