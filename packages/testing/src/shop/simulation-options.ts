import type { CursorStore, Inbox } from '@tonplug/core'
import type { OrderRepositoryHarness } from '../conformance/order-harness.js'
import type { MakeHarness } from '../conformance/runner.js'
import type { ShopEvent } from './events.js'
import type { MakeProof } from './shop-process.js'

/** Options of `simulateShop`. */
export interface ShopSimulationOptions {
  /** Decides about everything that happens. */
  seed: number
  /** Replaces the events that the seed plans. */
  events?: readonly ShopEvent[] | undefined
  /** Creates an empty order repository. @default memoryOrderRepository() */
  repository?: MakeHarness<OrderRepositoryHarness> | undefined
  /** Creates an empty inbox on the virtual clock. @default memoryInbox */
  inbox?: ((clock: { nowMs: () => number }) => Inbox) | undefined
  /** Wraps the cursor that the watchers share. */
  cursor?: ((cursor: CursorStore) => CursorStore) | undefined
  /**
   * Creates the proof of shops that ask two indexes: their own, which lies, and an honest one.
   * @default both must show a payment
   */
  proof?: MakeProof | undefined
  /** Virtual hours in which events happen. @default 1 */
  hours?: number | undefined
  /** Processes of the shop. @default 2 */
  processes?: number | undefined
  /** False for a run without failures and kills. @default true */
  faults?: boolean | undefined
}

/** Result of a simulation. */
export interface ShopSimulation {
  seed: number
  /** The broken promises; empty for a correct shop. */
  problems: readonly string[]
  events: readonly ShopEvent[]
  /** SHA-256 of the trace, in hex: equal for equal options. */
  hash: string
  /** Every step, one line each. */
  trace: readonly string[]
}
