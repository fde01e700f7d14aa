import { memoryOrderRepository } from '@tonplug/core'
import { expect } from 'vitest'
import { startMockIndex } from './mock-index.js'
import { openWatcher } from './open-watcher.js'
import { BEGIN, gatewayBody, orderOf } from './paid-chain.js'

/** Requests for traces before a run's time is over; the overlap needs 24. */
const TRACES_PER_RUN = 10
const EVERY_SECONDS = 0.5
const PASSING_SECONDS = 60

/** Opens a shop whose wallet receives two transfers each second; its first scan is complete. */
export async function openBusyShop() {
  const index = await startMockIndex(6000, EVERY_SECONDS, { isJetton: true })
  index.head = BEGIN + 1200
  const orders = memoryOrderRepository([orderOf('unpaid', gatewayBody(999_999))])
  const { watcher } = openWatcher(index, orders)
  expect(await watcher.run()).toMatchObject({ isComplete: true })
  return {
    index,
    /** Adds an order that the payment of a second pays. */
    addOrder(reference: string, second: number): void {
      const bodyBase64Hash = index.bodyHash((second - BEGIN - 60) / EVERY_SECONDS)
      const createdAt = new Date(second * 1000)
      orders.add({ ...orderOf(reference, gatewayBody(0), { createdAt }), bodyBase64Hash })
    },
    statusOf: async (reference: string) => (await orders.find({ reference }))?.status,
    /** Runs a minute later, until the time of the run is over. @returns whether the run is complete. */
    async run(): Promise<boolean> {
      index.head += PASSING_SECONDS
      const timeUp = new AbortController()
      let traces = 0
      index.fault = ({ path }) => {
        if (path === '/traces' && ++traces > TRACES_PER_RUN) timeUp.abort()
        return undefined
      }
      return watcher.run({ signal: timeUp.signal }).then(
        ({ isComplete }) => isComplete,
        () => false,
      )
    },
  }
}
