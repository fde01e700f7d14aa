import {
  createChainSimulator,
  type ChainSimulator,
  type ChainSimulatorOptions,
} from '@tonplug/simulator'
import { onTestFinished } from 'vitest'

/** Starts a simulated chain and closes it when the test ends. */
export async function startChain(options?: ChainSimulatorOptions): Promise<ChainSimulator> {
  const chain = await createChainSimulator(options)
  onTestFinished(() => chain.close())
  return chain
}
