import { createChainSimulator, type ChainSimulator } from '@tonplug/simulator'
import { onTestFinished } from 'vitest'

/** A chain and what tests do to its two APIs. */
export interface ServedChain extends Pick<ChainSimulator, 'v2Server' | 'v3Server'> {
  chain: ChainSimulator
}

/** Begins a chain and serves it until the test ends. */
export async function serveChain(
  ...options: Parameters<typeof createChainSimulator>
): Promise<ServedChain> {
  const chain = await createChainSimulator(...options)
  onTestFinished(() => chain.close())
  return { chain, v2Server: chain.v2Server, v3Server: chain.v3Server }
}
