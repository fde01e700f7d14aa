import { z } from 'zod'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { ReportQuery } from '../inbox/inbox-reports.js'
import { DECISION_KINDS } from '../engine/decision-table.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { AddressError, canonicalAddress, friendlyAddress } from '../../shared/address.js'
import { AmountError, toUnits } from '../../shared/units.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { lazy } from '../../shared/lazy.js'

/** Selects transfers to list. An omitted field matches all. */
export type TransferQuery = Omit<
  ReportQuery,
  'name' | 'ids' | 'txHashes' | 'hashes' | 'senderAddrs' | 'rawAmounts' | 'hasDeadTask' | 'limit'
> & {
  /** One report. */
  reportId?: string | undefined
  /** One transaction, in hex or base64; or at least its first 6 characters. */
  transactionHash?: string | undefined
  /** The payer's address, in any format; or its ends, as wallets show them: `UQab…xyz9`. */
  address?: string | undefined
  /** The amount: base units, or whole coins of an asset with 9 or 6 decimals. */
  amount?: string | undefined
  /** `dead`: only transfers with a handler that has used all its attempts. */
  handlers?: 'dead' | undefined
  /** @default 100 */
  limit?: number | undefined
}

const STATE = lazy(() => z.enum(['undecided', 'parked', 'decided', 'unreadable']))
const KIND = lazy(() => z.enum(DECISION_KINDS))

const SCHEMAS = lazy(
  () =>
    ({
      merchant: z.string().optional(),
      reference: z.string().optional(),
      comment: z.string().optional(),
      reportId: z.string().optional(),
      transactionHash: z.string().optional(),
      address: z.string(ADDRESS).refine(isAddress, ADDRESS).optional(),
      amount: z.string().optional(),
      handlers: z.enum(['dead']).optional(),
      before: z.string().optional(),
      state: z.union([STATE(), z.array(STATE())]).optional(),
      decision: z.union([KIND(), z.array(KIND())]).optional(),
      receivedAfterMs: z.number().optional(),
      limit: z.int().min(1).max(1000).default(100),
    }) satisfies OptionSchemas<TransferQuery>,
)

const QUERY = lazy(() => z.strictObject(SCHEMAS()))

/** Values of each kind that a part of one may select. */
const MAX_VALUES = 100

/**
 * Returns the query of the inbox. Reads the transactions and the payers that match the parts in the query.
 * @throws {ConfigurationError} for an invalid query.
 */
export async function toReportQuery(
  { inbox, name }: { inbox: CheckedInbox; name: string },
  given: TransferQuery,
): Promise<ReportQuery> {
  const {
    reportId,
    transactionHash,
    address: account,
    amount,
    handlers,
    ...query
  } = parseOptions(QUERY(), given, { path: 'query' })
  const txHashStarts = transactionHash === undefined ? [] : startsOf(transactionHash)
  const ends = account === undefined ? undefined : endsOf(account)
  const senderEnds = ends === undefined ? [] : [ends, ...rawEnds(ends)]
  const isPart = txHashStarts.length + senderEnds.length > 0
  const parts = { name, txHashStarts, senderEnds, limit: MAX_VALUES }
  const found = isPart ? await inbox.reports.findValues(parts) : { txHashes: [], senderAddrs: [] }
  return {
    ...query,
    name,
    ids: reportId === undefined ? undefined : [reportId],
    txHashes:
      transactionHash === undefined
        ? undefined
        : [canonicalTransactionHash(transactionHash), ...found.txHashes],
    senderAddrs: account === undefined ? undefined : sendersOf(account, ends, found.senderAddrs),
    rawAmounts: amount === undefined ? undefined : amountFormats(amount),
    hasDeadTask: handlers === 'dead' ? true : undefined,
  }
}

const HEX_START = /^(?:0x)?([0-9a-f]{6,63})$/i
const BASE64_START = /^[a-z0-9+/_-]{6,42}$/i

/** Returns the beginnings of a hash, in hex, that a string may be. */
function startsOf(text: string): string[] {
  const [, hex] = HEX_START.exec(text) ?? []
  const starts = BASE64_START.test(text) ? [hexOfBase64(text)] : []
  return hex === undefined ? starts : [hex.toLowerCase(), ...starts]
}

/** Returns the whole hex digits of the bits that characters of base64 have. */
function hexOfBase64(text: string): string {
  const padded = text.replaceAll('-', '+').replaceAll('_', '/').padEnd(44, 'A')
  const hex = Array.from(atob(padded), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'))
  return hex.join('').slice(0, Math.floor((text.length * 6) / 4))
}

/** Both ends of an address. */
interface Ends {
  start: string
  end: string
}

const SHORTENED = /^([\w+/-]{4,})(?:…|\.{2,3}|\*{2,3}|·{2,3})([\w+/-]{4,})$/

/** Returns the ends of a shortened address; `undefined` for any other string. */
function endsOf(text: string): Ends | undefined {
  const [, start, end] = SHORTENED.exec(text.trim()) ?? []
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** Returns the ends of the raw address: the first byte of its hash is in the third byte of its friendly format. */
function rawEnds({ start, end }: Ends): Ends[] {
  const first = hexOfBase64(start.slice(0, 4))
  const last = hexOfBase64(end.slice(-4))
  const workchain = first.slice(2, 4) === 'ff' ? '-1' : String(parseInt(first.slice(2, 4), 16))
  return [{ start: `${workchain}:${first.slice(4, 6)}`, end: last.slice(0, 2) }]
}

/** Returns the addresses of payers: an address in every format, or the found ones that a shortened address may be. */
function sendersOf(account: string, ends: Ends | undefined, found: readonly string[]): string[] {
  if (ends === undefined) return addressFormats(account)
  return found.filter((sender) =>
    (undefinedOn(AddressError, () => addressFormats(sender)) ?? [sender]).some(
      (text) => text.startsWith(ends.start) && text.endsWith(ends.end),
    ),
  )
}

const ADDRESS = 'must be an address, or a shortened one such as UQab…xyz9'

function isAddress(text: string): boolean {
  return (
    endsOf(text) !== undefined ||
    undefinedOn(AddressError, () => canonicalAddress(text)) !== undefined
  )
}

/** Returns every format in which a source may have reported an address. */
function addressFormats(account: string): string[] {
  const raw = canonicalAddress(account)
  const flags = [false, true].flatMap((isBounceable) =>
    [false, true].map((isTestOnly) => ({ isBounceable, isTestOnly })),
  )
  // A workchain may have no friendly format.
  const friendly = flags.flatMap(
    (one) => undefinedOn(AddressError, () => friendlyAddress(raw, one)) ?? [],
  )
  const inBase64 = friendly.map((text) => text.replaceAll('-', '+').replaceAll('_', '/'))
  return [...new Set([raw, raw.toUpperCase(), ...friendly, ...inBase64])]
}

/** Decimals of the native coin and of most stablecoins. */
const COMMON_DECIMALS = [9, 6]

/** Returns an amount as base units, for whole coins too. */
function amountFormats(amount: string): string[] {
  const units = COMMON_DECIMALS.flatMap(
    (decimals) => undefinedOn(AmountError, () => toUnits(amount, decimals).toString()) ?? [],
  )
  return [...new Set([amount, ...units])]
}
