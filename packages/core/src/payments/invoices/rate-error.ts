import { TonplugError } from '../../shared/tonplug-error.js'

/**
 * The reason why a rate is not used.
 * - `old`: older than allowed. `zero`, `negative`, `not_decimal`: not a price.
 * - `bounds`: outside the bounds of the shop, or so low that no transfer can have the amount.
 * - `jump`: more than twice the last rate, or less than half of it, and the shop has no bounds for the asset.
 * - `late`: the source did not respond in time. `failed`: it threw, or returned no rate, or one of the future.
 * - `disagree`: sources differ by more than allowed. `duplicate_asset`: an asset is accepted twice.
 */
export type RateProblem =
  | 'old'
  | 'zero'
  | 'negative'
  | 'not_decimal'
  | 'bounds'
  | 'jump'
  | 'late'
  | 'failed'
  | 'disagree'
  | 'duplicate_asset'

/** No invoice is created, because the rate of an asset cannot be used. Contains nothing that the source has written. */
export class RateError extends TonplugError<{
  asset: string
  currency: string
  reason: RateProblem
}> {
  override readonly name = 'RateError'
  readonly code = 'ERR_TONPLUG_RATE'
  override readonly retryable: boolean

  constructor(facts: { asset: string; currency: string; reason: RateProblem; problem: string }) {
    const { asset, currency, reason, problem } = facts
    super({
      message: `the rate of ${asset} in ${currency} ${problem}`,
      details: { asset, currency, reason },
    })
    this.retryable = reason !== 'duplicate_asset'
  }
}
