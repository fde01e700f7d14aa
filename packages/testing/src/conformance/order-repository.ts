import type { Order, OrderRepository } from '@tonplug/core'
import { describeComplete } from './order-complete.js'
import { describeRecordFailure } from './order-failure.js'
import { describeFind } from './order-find.js'
import { describeListOpen } from './order-list-open.js'
import { describeOrderRaces } from './order-races.js'
import type { MakeHarness, TestRunner } from './runner.js'

/** An order repository under test. It starts without orders. */
export interface OrderRepositoryHarness {
  repository: OrderRepository
  /** Stores an order exactly as given, with its status and `createdAt`; with its body hash, if that can be looked for. */
  insert: (order: Order) => Promise<void>
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

/**
 * Defines the tests that every {@link OrderRepository} has to pass: each sentence of its contract,
 * with concurrent calls, large amounts and odd references.
 * @param makeHarness makes an empty repository; called once for each test.
 * @example
 * ```ts
 * import { describe, it } from 'node:test'
 * import { memoryOrderRepository, type Order } from '@tonplug/core'
 * import { describeOrderRepository } from '@tonplug/testing'
 *
 * const makeHarness = () => {
 *   const repository = memoryOrderRepository()
 *   return { repository, insert: async (order: Order) => repository.add(order) }
 * }
 * describeOrderRepository('memory', makeHarness, { describe, it })
 * ```
 */
export function describeOrderRepository(
  name: string,
  makeHarness: MakeHarness<OrderRepositoryHarness>,
  runner: TestRunner,
): void {
  const suite = { makeHarness, runner }
  runner.describe(`OrderRepository: ${name}`, () => {
    describeFind(suite)
    describeComplete(suite)
    describeRecordFailure(suite)
    describeOrderRaces(suite)
    describeListOpen(suite)
  })
}
