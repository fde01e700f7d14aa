import type { AttemptSummary } from '../../../../tonplug/dist/types/dev/attempt-log.js'
import type { GatewayState } from '../../../../tonplug/dist/types/dev/gateway-api.js'

export type {
  AttemptDetail,
  AttemptSummary,
} from '../../../../tonplug/dist/types/dev/attempt-log.js'
export type ShopDecision = NonNullable<AttemptSummary['decision']>

export type { ChainState } from '../../../../tonplug/dist/types/dev/chain/chain-api.js'
export type {
  OpenOrder,
  OrderPayment,
} from '../../../../tonplug/dist/types/dev/chain/open-orders.js'
export type { Variant } from '../../../../tonplug/dist/types/dev/chain/pay-link.js'
export type { GatewayState } from '../../../../tonplug/dist/types/dev/gateway-api.js'
export type { PageState } from '../../../../tonplug/dist/types/dev/page-api.js'

export type ListedTransfer = GatewayState['transfers'][number]

/** Returns `10.5 TON`. */
export function amountOf({ amount, assetTicker }: { amount: string; assetTicker: string }): string {
  return `${amount} ${assetTicker}`
}

/** Returns `10.5 TON`; an empty string without an amount. */
export function amountText({
  amount,
  ticker,
}: {
  amount: string | null
  ticker: string | null
}): string {
  return amount === null ? '' : `${amount} ${ticker ?? ''}`.trim()
}

/** Returns the received amount of a delivery; `undefined` when its body does not contain it. */
export function receivedBy({ amount, ticker }: AttemptSummary): string | undefined {
  if (amount === null) return undefined
  return ticker === null ? amount : `${amount} ${ticker}`
}
