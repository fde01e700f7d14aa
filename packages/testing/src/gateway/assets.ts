import { canonicalAsset, ConfigurationError, NATIVE_ASSET } from '@tonplug/core'
import { badRequest } from './stand-in-error.js'

/** What can be paid with. */
export interface StandInAsset {
  /** `'TON'`, or the jetton master in any spelling of an address; webhooks have it in this one. */
  asset: string
  ticker: string
  /** How many digits of base units make one whole coin. */
  decimals: number
}

const KNOWN: readonly StandInAsset[] = [
  { asset: NATIVE_ASSET, ticker: 'TON', decimals: 9 },
  {
    asset: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    ticker: 'USDT',
    decimals: 6,
  },
]

/** The decimals of an asset that every stand-in knows; nine for all others, as most jettons have them. */
export function decimalsOf(asset: string): number {
  const canonical = isAsset(asset) ? canonicalAsset(asset) : undefined
  const known = KNOWN.find((one) => canonicalAsset(one.asset) === canonical)
  return known?.decimals ?? 9
}

/** Jettons beside USDT: these, or what a function tells of the one with this master, in canonical form. */
export type OtherAssets = readonly StandInAsset[] | ((master: string) => StandInAsset | undefined)

/** Finds an asset by any spelling of its address. @throws {GatewayStandInError} when it is not known. */
export type FindAsset = (asset: string) => StandInAsset

/** The assets that every stand-in knows, and these. */
export function createAssets(others: OtherAssets): FindAsset {
  const [listed, tell] = typeof others === 'function' ? [[], others] : [others, () => undefined]
  for (const { asset, decimals } of listed) {
    const isJetton = asset !== NATIVE_ASSET && isAsset(asset)
    if (isJetton && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255) continue
    const problem = `${JSON.stringify(asset)} with ${decimals} decimals is no jetton; give the address of its master, and 0 to 255 decimals`
    throw new ConfigurationError({ option: 'assets', problem })
  }
  const byAddress = new Map([...KNOWN, ...listed].map((one) => [canonicalAsset(one.asset), one]))
  const find = (canonical: string): StandInAsset | undefined =>
    byAddress.get(canonical) ?? tell(canonical)
  return (asset) => {
    const found = isAsset(asset) ? find(canonicalAsset(asset)) : undefined
    if (found !== undefined) return found
    throw badRequest(
      `asset ${JSON.stringify(asset)} is unknown; it is 'TON' or the address of a jetton master, whose decimals the option \`assets\` gives, or \`--decimals\` of the command`,
    )
  }
}

function isAsset(asset: string): boolean {
  try {
    canonicalAsset(asset)
    return true
  } catch {
    return false
  }
}
