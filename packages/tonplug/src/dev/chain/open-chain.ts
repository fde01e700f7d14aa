import type { OpenedChain } from './dev-chain.js'
import { createMovingClock } from './moving-clock.js'

/** Age of the deposits in the wallets: the watcher of a shop does not report old ones as payments without an order. */
const DEPOSIT_AGE_MS = 86_400_000

/** Starts a chain with the accounts of a shop. @param port 0 for a free one */
export async function openChain(port: number): Promise<OpenedChain> {
  // Loading the virtual machine takes long, and no other command needs it.
  const { createChainSimulator, createShopAccounts, rootOf } = await import('@tonplug/simulator')
  const clock = createMovingClock(-DEPOSIT_AGE_MS)
  const now = (): number => Math.floor(clock.nowMs() / 1000)
  const chain = await createChainSimulator({ port, now })
  const accounts = await createShopAccounts(chain)
  clock.moveOn(DEPOSIT_AGE_MS)
  return { chain, accounts, clock, rootOf }
}
