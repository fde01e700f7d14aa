import type { Inbox, Order, OrderRepository } from '@tonplug/core'
import type { Suite, TestRunner } from './runner.js'

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
  /** Runs the tests with several merchants. */
  merchantRunner: TestRunner
}
