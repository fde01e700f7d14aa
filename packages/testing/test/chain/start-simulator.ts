import {
  createChainSimulator,
  type ChainSimulator,
  type ChainSimulatorOptions,
} from '@tonplug/testing/simulator'
import { onTestFinished } from 'vitest'

/** Begins a chain and closes it when the test ends. */
export async function startSimulator(options?: ChainSimulatorOptions): Promise<ChainSimulator> {
  const chain = await createChainSimulator(options)
  onTestFinished(() => chain.close())
  return chain
}
