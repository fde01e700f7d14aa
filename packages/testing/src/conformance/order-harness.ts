import type { Order, OrderRepository } from '@tonplug/core'
import type { Suite, TestRunner } from './runner.js'

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
  /** Runs the tests with several merchants. */
  merchantRunner: TestRunner
  /** Runs the tests of `bodyBase64Hash`. */
  bodyHashRunner: TestRunner
}
