import type { AttemptSummary } from '../../../../tonplug/dist/types/dev/attempt-log.js'
import type { PageState } from '../../../../tonplug/dist/types/dev/page-api.js'

export type {
  AttemptDetail,
  AttemptSummary,
} from '../../../../tonplug/dist/types/dev/attempt-log.js'
export type ShopDecision = NonNullable<AttemptSummary['decision']>

export type { PageState } from '../../../../tonplug/dist/types/dev/page-api.js'

export type ListedTransfer = PageState['transfers'][number]

/** Returns `10.5 TON`. */
export function amountOf({ amount, assetTicker }: { amount: string; assetTicker: string }): string {
  return `${amount} ${assetTicker}`
}

/** Returns the received amount of a delivery; `undefined` when its body does not contain it. */
export function receivedBy({ amount, ticker }: AttemptSummary): string | undefined {
  if (amount === null) return undefined
  return ticker === null ? amount : `${amount} ${ticker}`
}
