import { memoryOrderRepository } from '@tonplug/core'
import { hashAtOnce } from './direct-hash.js'
import type { ShopEvent } from './events.js'
import { planShop } from './plan.js'
import { ShopRun, type ShopHarness } from './shop-run.js'
import type { ShopSimulation, ShopSimulationOptions } from './simulation-options.js'

/**
 * Runs a shop in a simulated world: processes that are killed, stores that fail, webhooks that are repeated, an index that
 * lags, buyers and operators. One seed decides about everything, so each run can be repeated.
 * @example
 * ```ts
 * import { simulateShop } from '@tonplug/testing'
 *
 * const { problems } = await simulateShop({ seed: 1 })
 * console.log(problems)
 * ```
 */
export async function simulateShop(options: ShopSimulationOptions): Promise<ShopSimulation> {
  const { seed, hours = 1, processes = 2, faults = true } = options
  const isOwn = options.repository === undefined
  const events = options.events ?? planShop(seed, { hours, processes, faults, isOwn })
  const makeHarness = options.repository ?? openMemory
  const harnesses = new Map<string, ShopHarness>()
  for (const shop of new Set(['default', ...events.map(shopOf)])) {
    harnesses.set(shop, await makeHarness())
  }
  const run = new ShopRun({ ...options, events }, harnesses, processes)
  const endHashing = hashAtOnce()
  try {
    await run.play(events)
  } finally {
    endHashing()
    for (const harness of harnesses.values()) await harness.close?.()
  }
  const { scheduler, oracle } = run
  const { problems } = oracle
  return { seed, problems, events, hash: scheduler.digest(), trace: scheduler.lines }
}

function openMemory(): ShopHarness {
  const repository = memoryOrderRepository()
  return {
    repository,
    insert: async (order) => repository.add(order),
    cancel: (key) => repository.cancel(key),
    expire: (key) => repository.expire(key),
  }
}

function shopOf(event: ShopEvent): string {
  return ('shop' in event ? event.shop : undefined) ?? 'default'
}
