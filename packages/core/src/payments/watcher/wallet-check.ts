import { isTonplugError } from '../../shared/tonplug-error.js'
import type { WatcherMemory } from './memory.js'
import type { ResolvedWatcherOptions } from './options.js'
import { refuseJettonContract } from './proof/jetton-contract.js'

/** Longest time that a run waits for one request. */
const LOOK_MS = 3000

/**
 * Checks once per process that no wallet of Payments is a contract of a jetton, which cannot be paid. Stops at one that
 * cannot be asked: the next call continues with it.
 * @returns why a wallet is refused: each call, until the configuration is corrected.
 * @throws the signal's reason.
 */
export async function checkWallets(
  { v3 }: ResolvedWatcherOptions,
  { uncheckedWallets }: WatcherMemory,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request = { priority: 'low', signal, deadlineMs: LOOK_MS } as const
  try {
    for (const wallet of uncheckedWallets) {
      const problem = await refuseJettonContract(v3, wallet, request)
      if (problem !== undefined) return `wallets: ${problem}`
      uncheckedWallets.delete(wallet)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!isTonplugError(error)) throw error
  }
  return undefined
}
