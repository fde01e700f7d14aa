import { isTonplugError } from '../shared/tonplug-error.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import type { ResolvedWatcherOptions } from './options.js'
import { refuseJettonContract } from './proof/jetton-contract.js'

/** Wallets of Payments that are checked; each costs two requests. */
const MAX_WALLETS = 20

/** Checks once per process that no wallet of Payments is a contract of a jetton, which cannot be paid. */
export class WalletCheck {
  readonly #options: ResolvedWatcherOptions
  readonly #unchecked: Set<string>

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
    this.#unchecked = new Set((options.payments.wallets ?? []).slice(0, MAX_WALLETS))
  }

  /**
   * Checks the wallets that were not checked. One that cannot be asked is checked by the next call.
   * @returns why a wallet is refused: each call, until the configuration is corrected.
   * @throws the signal's reason.
   */
  async run(request: RequestOptions): Promise<string | undefined> {
    for (const wallet of this.#unchecked) {
      const problem = await this.#problemOf(wallet, request)
      if (problem !== undefined) return `wallets: ${problem}`
    }
    return undefined
  }

  async #problemOf(wallet: string, request: RequestOptions): Promise<string | undefined> {
    try {
      const problem = await refuseJettonContract(this.#options.v3, wallet, request)
      if (problem === undefined) this.#unchecked.delete(wallet)
      return problem
    } catch (error) {
      request.signal?.throwIfAborted()
      if (!isTonplugError(error)) throw error
      return undefined
    }
  }
}
