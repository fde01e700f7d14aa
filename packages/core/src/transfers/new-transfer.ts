import { canonicalAddress } from '../address/address.js'
import { InvalidParamsError, type ParamsIssue } from '../errors/params.js'
import { canonicalAsset, NATIVE_ASSET } from '../orders/asset.js'
import { isObject } from '../schema/readers.js'
import { fitsNumber, NATIVE_DECIMALS, toDecimal } from './decimal-amount.js'

/** A transfer to be created. */
export interface NewTransfer {
  /** In base units: nanocoins for the native coin. */
  rawAmount: bigint
  /** `'TON'`, or the jetton master's address in any spelling. */
  asset: string
  /**
   * How many decimals the asset has, since the gateway takes amounts in whole coins.
   * @default 9 for the native coin, 6 for USDT, which take no other number; needed for any other jetton
   */
  decimals?: number | undefined
  /** The payer's wallet, in any spelling. */
  senderAddr: string
  /** Who is paid, in any spelling. With an API key it may be left out for the merchant's own wallet. */
  recipientAddr?: string | undefined
  /** Of a jetton's transfer. */
  queryId?: bigint | undefined
  /** Shown to the payer while signing. */
  commentToSender?: string | undefined
  /** Goes along on chain. */
  commentToRecipient?: string | undefined
}

const NAMES: Record<keyof NewTransfer, true> = {
  rawAmount: true,
  asset: true,
  decimals: true,
  senderAddr: true,
  recipientAddr: true,
  queryId: true,
  commentToSender: true,
  commentToRecipient: true,
}

const MOST_DECIMALS = 255
const MOST_RAW_AMOUNT = 2n ** 120n - 1n
const MOST_QUERY_ID = BigInt(Number.MAX_SAFE_INTEGER)

const USDT = canonicalAsset('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')
const USDT_DECIMALS = 6

/**
 * The JSON of a request that creates this transfer. Its numbers are written digit by digit.
 * @throws {InvalidParamsError} for what the gateway could not take as it was meant.
 */
export function writeNewTransfer(endpoint: string, given: NewTransfer): string {
  const { issues, add } = collectIssues()
  // Callers without types give anything.
  const unchecked: unknown = given
  if (!isObject(unchecked)) throw invalid(endpoint, [{ path: '', problem: 'give an object' }])
  for (const name of Object.keys(unchecked)) {
    if (!Object.hasOwn(NAMES, name) && unchecked[name] !== undefined) {
      add(name, `is not a parameter here; they are ${Object.keys(NAMES).join(', ')}`)
    }
  }
  const asset = tryRead(() => canonicalAsset(given.asset))
  if (asset === undefined) add('asset', "is neither 'TON' nor the address of a jetton master")
  checkAddress('senderAddr', given.senderAddr, add)
  if (given.recipientAddr !== undefined) checkAddress('recipientAddr', given.recipientAddr, add)
  const decimals = given.decimals ?? decimalsOf(asset)
  checkDecimals(decimals, asset, add)
  checkQueryId(given.queryId, asset, add)
  for (const name of ['commentToSender', 'commentToRecipient'] as const) {
    if (given[name] !== undefined && typeof given[name] !== 'string') add(name, 'is no text')
  }
  const isAmount = checkRawAmount(given.rawAmount, add)
  const amount =
    isAmount && decimals !== undefined && issues.length === 0
      ? toDecimal(given.rawAmount, decimals)
      : '0'
  if (!fitsNumber(amount)) {
    const problem = `is ${amount}, more digits than the gateway's number holds; give an amount with fewer`
    add('rawAmount', problem)
  }
  if (issues.length > 0) throw invalid(endpoint, issues)
  return writeBody(given, amount)
}

function writeBody(given: NewTransfer, amount: string): string {
  const { asset, recipientAddr, senderAddr, queryId, commentToSender, commentToRecipient } = given
  const fields = [
    ['amount', amount],
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

type AddIssue = (path: string, problem: string) => void

function collectIssues(): { issues: ParamsIssue[]; add: AddIssue } {
  const issues: ParamsIssue[] = []
  return { issues, add: (path, problem) => void issues.push({ path, problem }) }
}

function invalid(endpoint: string, issues: readonly ParamsIssue[]): InvalidParamsError {
  return new InvalidParamsError({ endpoint, issues })
}

function decimalsOf(asset: string | undefined): number | undefined {
  if (asset === NATIVE_ASSET) return NATIVE_DECIMALS
  return asset === USDT ? USDT_DECIMALS : undefined
}

function checkRawAmount(rawAmount: unknown, add: AddIssue): boolean {
  if (typeof rawAmount === 'bigint' && rawAmount > 0n && rawAmount <= MOST_RAW_AMOUNT) return true
  const what = typeof rawAmount === 'bigint' ? rawAmount.toString() : `a ${typeof rawAmount}`
  add('rawAmount', `is ${what}; give base units as a bigint above 0 and below 2^120`)
  return false
}

function checkAddress(path: string, address: unknown, add: AddIssue): void {
  const canonical = tryRead(() => canonicalAddress(String(address)))
  if (canonical === undefined) add(path, `is ${JSON.stringify(address)}, which is no TON address`)
}

function checkDecimals(
  decimals: number | undefined,
  asset: string | undefined,
  add: AddIssue,
): void {
  if (decimals === undefined) {
    if (asset !== undefined) add('decimals', 'is needed for this jetton; its master tells them')
    return
  }
  const isCount = Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS
  if (!isCount) add('decimals', `is ${String(decimals)}; give a whole number up to 255`)
  const known = decimalsOf(asset)
  if (isCount && known !== undefined && decimals !== known) {
    const name = asset === NATIVE_ASSET ? 'the native coin' : 'USDT'
    add('decimals', `is ${decimals}; ${name} has ${known}`)
  }
}

function checkQueryId(queryId: unknown, asset: string | undefined, add: AddIssue): void {
  if (queryId === undefined) return
  if (asset === NATIVE_ASSET) add('queryId', 'is for jettons alone')
  const isId = typeof queryId === 'bigint' && queryId >= 0n && queryId <= MOST_QUERY_ID
  if (!isId) add('queryId', "must be a bigint from 0 to 2^53 - 1, which the gateway's number holds")
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    // Neither an address nor a text: the caller tells which parameter it is.
    return undefined
  }
}
