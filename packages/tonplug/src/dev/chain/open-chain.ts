import type { OpenedChain } from './dev-chain.js'
import { createMovingClock } from './moving-clock.js'

/** Starts a chain with the accounts of a shop. @param port 0 for a free one */
export async function openChain(port: number): Promise<OpenedChain> {
  // Loading the virtual machine takes long, and no other command needs it.
  const { createChainSimulator, createShopAccounts, rootOf } = await import('@tonplug/simulator')
  const clock = createMovingClock()
  const now = (): number => Math.floor(clock.nowMs() / 1000)
  const chain = await createChainSimulator({ port, now })
  return { chain, accounts: await createShopAccounts(chain), clock, rootOf }
}
