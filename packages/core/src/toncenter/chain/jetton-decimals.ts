import { canonicalAddress } from '../../shared/address.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { MAX_DECIMALS } from '../../shared/units.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { V3Client } from '../v3/client.js'
import type { V3Result } from '../v3/endpoint-types.js'

/** The part of a client of API v3 that reads decimals. */
export type MetadataReader = Pick<V3Client, 'jettonMasters'>

/** Number of jettons in the cache of one client. */
const MAX_JETTONS = 1000

const caches = new WeakMap<MetadataReader, Map<string, number>>()

/**
 * Returns the decimals of a jetton by its metadata, for `toUnits` and `formatUnits`. The index is asked once per client and
 * jetton.
 * @param master the address of the jetton master, in any format
 * @throws {AddressError} for an invalid address.
 * @throws {ConfigurationError} when the index states no decimals, or contradictory ones. They are never guessed.
 * @example
 * ```ts
 * import { formatUnits } from '@tonplug/core'
 * import { createV3Client, jettonDecimals } from '@tonplug/core/toncenter'
 *
 * const v3 = createV3Client()
 * const decimals = await jettonDecimals(v3, 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')
 * console.log(formatUnits(12_500_000n, decimals)) // 12.5
 * ```
 */
export async function jettonDecimals(
  v3: MetadataReader,
  master: string,
  request: RequestOptions = {},
): Promise<number> {
  const address = canonicalAddress(master)
  const cache = caches.get(v3) ?? new BoundedMap<string, number>(MAX_JETTONS)
  caches.set(v3, cache)
  const cached = cache.get(address)
  if (cached !== undefined) return cached
  const result = await v3.jettonMasters({ address, limit: 1 }, request)
  const [decimals, ...others] = new Set(statedDecimals(result, address))
  if (decimals === undefined || others.length > 0) {
    const stated = decimals === undefined ? 'no decimals' : 'contradictory decimals'
    const problem = `the index states ${stated} for the jetton ${address}; check the address, or pass the decimals`
    throw new ConfigurationError({ option: 'decimals', problem })
  }
  cache.set(address, decimals)
  return decimals
}

/** Returns the decimals that the content of the master and its metadata state. The creator chose both. */
function statedDecimals(
  { jetton_masters, metadata = {} }: V3Result<'jettonMasters'>,
  address: string,
): number[] {
  const contents = jetton_masters
    .filter((one) => canonicalAddress(one.address) === address)
    .map(({ jetton_content }) => jetton_content?.['decimals'])
  const described = Object.entries(metadata)
    .filter(([account]) => account.toLowerCase() === address)
    .flatMap(([, { token_info }]) => token_info)
    .filter(({ type, valid }) => type === 'jetton_masters' && valid !== false)
    .map(({ extra }) => extra?.['decimals'])
  return [...contents, ...described].flatMap((stated) => readDecimals(stated) ?? [])
}

function readDecimals(stated: unknown): number | undefined {
  const text = typeof stated === 'number' || typeof stated === 'bigint' ? `${stated}` : stated
  if (typeof text !== 'string' || !/^\d{1,3}$/.test(text)) return undefined
  return Number(text) <= MAX_DECIMALS ? Number(text) : undefined
}
