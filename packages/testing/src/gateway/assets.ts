import { canonicalAsset, ConfigurationError, NATIVE_ASSET } from '@tonplug/core'
import { badRequest } from './mock-gateway-error.js'

/** An asset of payments. */
export interface MockGatewayAsset {
  /** `'TON'`, or the jetton master in any address format; webhooks contain it in this format. */
  asset: string
  ticker: string
  /** Number of decimals of one whole coin. */
  decimals: number
}

const KNOWN: readonly MockGatewayAsset[] = [
  { asset: NATIVE_ASSET, ticker: 'TON', decimals: 9 },
  {
    asset: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    ticker: 'USDT',
    decimals: 6,
  },
]

/** Returns the decimals of a known asset; nine for others, as most jettons have. */
export function decimalsOf(asset: string): number {
  const canonical = isAsset(asset) ? canonicalAsset(asset) : undefined
  const known = KNOWN.find((one) => canonicalAsset(one.asset) === canonical)
  return known?.decimals ?? 9
}

/** Jettons besides USDT: a list, or a function that returns the jetton of a canonical master address. */
export type OtherAssets =
  readonly MockGatewayAsset[] | ((master: string) => MockGatewayAsset | undefined)

/** Finds an asset by its address in any format. @throws {MockGatewayError} when it is unknown. */
export type FindAsset = (asset: string) => MockGatewayAsset

/** Returns the default assets and the given ones. */
export function createAssets(others: OtherAssets): FindAsset {
  const [listed, findOther] =
    typeof others === 'function' ? [[], others] : [others, () => undefined]
  for (const { asset, decimals } of listed) {
    const isJetton = asset !== NATIVE_ASSET && isAsset(asset)
    if (isJetton && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255) continue
    const problem = `must have the address of a jetton master and 0 to 255 decimals; received ${JSON.stringify(asset)} with ${decimals} decimals`
    throw new ConfigurationError({ option: 'assets', problem })
  }
  const byAddress = new Map([...KNOWN, ...listed].map((one) => [canonicalAsset(one.asset), one]))
  const find = (canonical: string): MockGatewayAsset | undefined =>
    byAddress.get(canonical) ?? findOther(canonical)
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
