import type { Order, OrderRepository } from '@tonplug/core'
import type { DefineTest, Suite } from './runner.js'

/** An order repository under test. It starts without orders. */
export interface OrderRepositoryHarness {
  repository: OrderRepository
  /** Stores an order with every field as given. */
  insert: (order: Order) => Promise<void>
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

/** Arguments that the parts of the suite share. */
export interface OrderSuite extends Suite<OrderRepositoryHarness> {
  /** Defines a test with several merchants. */
  merchantTest: DefineTest<OrderRepositoryHarness>
  /** Defines a test of `bodyBase64Hash`. */
  bodyHashTest: DefineTest<OrderRepositoryHarness>
  /** Defines a test of `offers`. */
  offersTest: DefineTest<OrderRepositoryHarness>
}
