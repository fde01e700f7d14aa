import assert from 'node:assert/strict'
import type { OrderRepositoryHarness } from '../conformance/order-harness.js'
import type { MakeHarness, TestRunner } from '../conformance/runner.js'
import { printTest, shrinkRun } from './shrink-run.js'
import { simulateShop } from './simulate-shop.js'
import type { ShopSimulationOptions } from './simulation-options.js'

const SEEDS = [1, 2, 3, 4, 5]

/** Options of {@link describeShop}. */
export interface ShopSuiteOptions extends Omit<
  ShopSimulationOptions,
  'seed' | 'events' | 'repository'
> {
  /** One test for each. @default 1 to 5 */
  seeds?: readonly number[] | undefined
}

/**
 * Defines tests that run a simulated shop on a repository, beside the tests of `describeOrderRepository`. A test that fails
 * prints a few events that break the same promise.
 * @param repository creates an empty repository; called once for each run.
 * @example
 * ```ts
 * import { describe, it } from 'node:test'
 * import { memoryOrderRepository, type Order } from '@tonplug/core'
 * import { describeShop } from '@tonplug/testing'
 *
 * const makeHarness = () => {
 *   const repository = memoryOrderRepository()
 *   return { repository, insert: async (order: Order) => repository.add(order) }
 * }
 * describeShop('memory', makeHarness, { describe, it })
 * ```
 */
export function describeShop(
  name: string,
  repository: MakeHarness<OrderRepositoryHarness>,
  { describe, it }: TestRunner,
  { seeds = SEEDS, ...options }: ShopSuiteOptions = {},
): void {
  describe(`a simulated shop on ${name}`, () => {
    for (const seed of seeds) {
      it(`S124 uses and reports each payment once: seed ${seed}`, async () => {
        const run = { ...options, seed, repository }
        const { problems } = await simulateShop(run)
        if (problems.length > 0) assert.fail(printTest(await shrinkRun(run)))
      })
    }
  })
}
