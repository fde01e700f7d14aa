import { canonicalAsset, formatUnits, isTonplugError, NATIVE_ASSET } from '@tonplug/core'
import type { Order } from '@tonplug/core'
import type { TransferData } from '@tonplug/core/operator'
import type { DeskJetton } from '../options.js'

/** The name and the decimals of an asset. */
export interface Coin {
  /** `'TON'` or the jetton master in canonical format; as given when it is invalid. */
  asset: string
  ticker?: string | undefined
  decimals?: number | undefined
}

/** USDT on mainnet. */
const USDT: DeskJetton = {
  asset: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
  ticker: 'USDT',
  decimals: 6,
}
const NATIVE: Coin = { asset: NATIVE_ASSET, ticker: 'TON', decimals: 9 }

/** Knows the coins that the shop has named, TON and USDT. */
export interface Coins {
  /** Returns the coin of an asset. @param known of the same asset: what a transfer or an offer says about it */
  of(asset: string, known?: Partial<Coin>): Coin
  /** TON, USDT and the jettons of the shop. */
  readonly known: readonly Coin[]
  /** The decimals of the jettons, by their masters. */
  readonly decimals: Readonly<Record<string, number>>
}

export function createCoins(jettons: readonly DeskJetton[] = []): Coins {
  const known = new Map(
    [NATIVE, USDT, ...jettons].map((coin) => [canonical(coin.asset), coin] as const),
  )
  return {
    known: [...known.values()],
    decimals: Object.fromEntries(jettons.map(({ asset, decimals }) => [asset, decimals])),
    of(asset, { ticker, decimals } = {}) {
      const found = known.get(canonical(asset))
      return found
        ? { ...found, asset: canonical(asset) }
        : { asset: canonical(asset), ticker, decimals }
    },
  }
}

function canonical(asset: string): string {
  try {
    return canonicalAsset(asset)
  } catch (error) {
    if (isTonplugError(error)) return asset
    throw error
  }
}

/**
 * Returns an amount in coins, for example `3.25 TON`; names a coin without decimals or ticker in words.
 * @param rawAmount base units; as reported, so it may be invalid
 */
export function coinsOf(rawAmount: string, { ticker, decimals }: Omit<Coin, 'asset'>): string {
  if (decimals === undefined || !DIGITS.test(rawAmount)) return `an amount of ${ticker ?? UNKNOWN}`
  const amount = formatUnits(BigInt(rawAmount), decimals)
  return ticker === undefined ? `${amount} of ${UNKNOWN}` : `${amount} ${ticker}`
}

const UNKNOWN = 'an unknown coin'
const DIGITS = /^\d{1,80}$/
const AMOUNT = /^\d{1,80}(\.\d{1,80})?$/
const MAX_DECIMALS = 30

/** Returns the ticker of a transfer, and the decimals that its two amounts imply. */
export function coinFacts(transfer: TransferData): Partial<Coin> {
  return { ticker: transfer.assetTicker, decimals: impliedDecimals(transfer) }
}

/** Returns what the offer of an order in an asset says about it. */
export function offeredFacts({ offers }: Order, asset: string): Partial<Coin> {
  const offer = offers?.find((one) => canonical(one.asset) === canonical(asset))
  return { decimals: offer?.decimals }
}

/** A chain transfer of a jetton has base units in both amounts: they imply nothing. */
function impliedDecimals({ amount, rawAmount }: TransferData): number | undefined {
  const [whole = '', fraction = ''] = amount.split('.')
  if (!AMOUNT.test(amount) || !AMOUNT.test(rawAmount) || amount === rawAmount) return undefined
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '' || !rawAmount.startsWith(digits)) return undefined
  const zeros = rawAmount.slice(digits.length)
  const decimals = fraction.length + zeros.length
  return /^0*$/.test(zeros) && decimals <= MAX_DECIMALS ? decimals : undefined
}
