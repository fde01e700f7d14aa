import {
  createChainSimulator,
  type ChainSimulator,
  type ChainSimulatorOptions,
} from '@tonplug/simulator'
import { onTestFinished } from 'vitest'

/** Storage costs more with each second, so the time of a chain does not pass unless its test says so. */
const START_SECONDS = 1_767_225_600

/** Starts a simulated chain and closes it when the test ends. */
export async function startChain(options?: ChainSimulatorOptions): Promise<ChainSimulator> {
  const chain = await createChainSimulator({ now: START_SECONDS, ...options })
  onTestFinished(() => chain.close())
  return chain
}
