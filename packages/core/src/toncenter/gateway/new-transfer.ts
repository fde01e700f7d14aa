import { AddressError } from '../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { formatUnits, MAX_DECIMALS, NATIVE_DECIMALS } from '../../shared/units.js'
import { checkParams, paramsObject, type ParamsRule } from '../schema/params-object.js'
import { optionalParam, createParam } from '../schema/param.js'
import { addressParam, intParam } from '../schema/params.js'

/** The parameters of a new transfer. */
export interface NewTransfer {
  /** In base units: nanocoins for the native coin. */
  rawAmount: bigint
  /** `'TON'` or `'GRAM'` for the native coin, or the jetton master's address in any format. */
  asset: string
  /**
   * The decimals of the asset, since the gateway expects amounts in whole coins.
   * @default 9 for the native coin, 6 for USDT, which allow no other number; required for any other jetton
   */
  decimals?: number | undefined
  /** The payer's wallet, in any format. */
  senderAddr: string
  /** The recipient, in any format. With an API key, the default is the merchant's own wallet. */
  recipientAddr?: string | undefined
  /** The query id of a jetton transfer. */
  queryId?: bigint | undefined
  /** Shown to the payer while signing. */
  commentToSender?: string | undefined
  /** Sent with the payment on chain. */
  commentToRecipient?: string | undefined
}

const MAX_RAW_AMOUNT = 2n ** 120n - 1n
const MAX_QUERY_ID = BigInt(Number.MAX_SAFE_INTEGER)

const USDT = canonicalAsset('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')
const USDT_DECIMALS = 6

const commentParam = optionalParam(
  createParam<string, string>('a string', (value) =>
    typeof value === 'string' ? value : undefined,
  ),
)

const shape = {
  rawAmount: createParam<bigint, bigint>(
    'base units as a bigint above 0 and below 2^120',
    (value) =>
      typeof value === 'bigint' && value > 0n && value <= MAX_RAW_AMOUNT ? value : undefined,
  ),
  asset: createParam<string, string>("'TON', 'GRAM' or the address of a jetton master", readAsset),
  decimals: optionalParam(intParam(0, MAX_DECIMALS)),
  senderAddr: addressParam,
  recipientAddr: optionalParam(addressParam),
  queryId: optionalParam(
    createParam<bigint, bigint>(
      "a bigint from 0 to 2^53 - 1, the range of the gateway's number",
      (value) =>
        typeof value === 'bigint' && value >= 0n && value <= MAX_QUERY_ID ? value : undefined,
    ),
  ),
  commentToSender: commentParam,
  commentToRecipient: commentParam,
}

/** The gateway has one identifier for the native coin; an address is sent as passed. */
function readAsset(asset: string): string | undefined {
  if (typeof asset !== 'string') return undefined
  return undefinedOn(AddressError, () =>
    canonicalAsset(asset) === NATIVE_ASSET ? NATIVE_ASSET : asset,
  )
}

/** A transfer after the checks of its parameters. */
type Wire = Omit<NewTransfer, 'decimals'> & { decimals?: number }

function rule(text: string, isKept: (wire: Wire) => boolean): ParamsRule {
  // The rules apply to checked parameters.
  return { text, isKept: (_, wire) => isKept(wire as unknown as Wire) }
}

const schema = paramsObject(
  shape,
  rule('decimals must be passed for this jetton; its master states them', (wire) => {
    return decimalsOf(wire) !== undefined
  }),
  rule(
    `decimals must be ${NATIVE_DECIMALS} for the native coin and ${USDT_DECIMALS} for USDT`,
    (wire) => {
      const known = knownDecimals(wire.asset)
      return known === undefined || wire.decimals === undefined || wire.decimals === known
    },
  ),
  rule('queryId may be passed for jettons only', (wire) => {
    return wire.queryId === undefined || wire.asset !== NATIVE_ASSET
  }),
  rule(
    "rawAmount has more digits than the gateway's number can hold; use an amount with fewer",
    (wire) => {
      const decimals = decimalsOf(wire)
      return decimals === undefined || fitsNumber(formatUnits(wire.rawAmount, decimals))
    },
  ),
)

function knownDecimals(asset: string): number | undefined {
  if (asset === NATIVE_ASSET) return NATIVE_DECIMALS
  return canonicalAsset(asset) === USDT ? USDT_DECIMALS : undefined
}

/** Returns the decimals of an asset; `undefined` for a jetton whose decimals were not passed. */
export function decimalsOf({
  asset,
  decimals,
}: Pick<NewTransfer, 'asset' | 'decimals'>): number | undefined {
  return decimals ?? knownDecimals(asset)
}

/**
 * Returns true when a decimal keeps all its digits as a `number`, which the gateway parses it into: up to 15 digits always
 * do, most longer ones do not.
 */
function fitsNumber(decimal: string): boolean {
  const [kept = ''] = Number(decimal).toExponential().split('e')
  return significant(kept) === significant(decimal)
}

function significant(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+|0+$/g, '')
}

/**
 * Writes the JSON of a request that creates this transfer, numbers with all their digits.
 * @throws {InvalidParamsError} for parameters that are invalid, and for amounts that the gateway would round.
 */
export function writeNewTransfer(endpoint: string, given: NewTransfer): string {
  // Checked against the shape.
  const wire = checkParams(endpoint, schema, given) as unknown as Wire
  const { asset, recipientAddr, senderAddr, queryId, commentToSender, commentToRecipient } = wire
  const fields = [
    ['amount', formatUnits(wire.rawAmount, decimalsOf(wire) ?? 0)],
    ['asset', JSON.stringify(asset)],
    ['recipientAddr', jsonOf(recipientAddr)],
    ['senderAddr', JSON.stringify(senderAddr)],
    ['queryId', queryId?.toString()],
    ['commentToSender', jsonOf(commentToSender)],
    ['commentToRecipient', jsonOf(commentToRecipient)],
  ]
  const written = fields.flatMap(([name, json]) => (json === undefined ? [] : `"${name}":${json}`))
  return `{${written.join(',')}}`
}

function jsonOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text)
}
