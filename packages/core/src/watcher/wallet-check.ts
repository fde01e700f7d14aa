import { isTonplugError } from '../shared/tonplug-error.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import type { ResolvedWatcherOptions } from './options.js'
import { refuseJettonContract } from './proof/jetton-contract.js'

/** Wallets of Payments that are checked; each costs two requests. */
const MAX_WALLETS = 20
/** Longest time that a run waits for one request. */
const LOOK_MS = 3000

/** Checks once per process that no wallet of Payments is a contract of a jetton, which cannot be paid. */
export class WalletCheck {
  readonly #options: ResolvedWatcherOptions
  readonly #unchecked: Set<string>

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
    this.#unchecked = new Set((options.payments.wallets ?? []).slice(0, MAX_WALLETS))
  }

  /**
   * Checks the wallets that were not checked. Stops at one that cannot be asked: the next call continues with it.
   * @returns why a wallet is refused: each call, until the configuration is corrected.
   * @throws the signal's reason.
   */
  async run(request: RequestOptions): Promise<string | undefined> {
    try {
      for (const wallet of this.#unchecked) {
        const limited = { ...request, deadlineMs: LOOK_MS }
        const problem = await refuseJettonContract(this.#options.v3, wallet, limited)
        if (problem !== undefined) return `wallets: ${problem}`
        this.#unchecked.delete(wallet)
      }
    } catch (error) {
      request.signal?.throwIfAborted()
      if (!isTonplugError(error)) throw error
    }
    return undefined
  }
}
