import { z } from 'zod'
import type { ReportQuery } from '../inbox/inbox.js'
import { DECISION_KINDS } from '../orders/decision.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { AddressError, canonicalAddress, friendlyAddress } from '../../shared/address.js'
import { AmountError, toUnits } from '../../shared/units.js'
import { address, parseOptions, type OptionSchemas } from '../../shared/options.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { lazy } from '../../shared/lazy.js'

/** Selects transfers to list. An omitted field matches all. */
export type TransferQuery = Omit<
  ReportQuery,
  'name' | 'ids' | 'txHashes' | 'senderAddrs' | 'rawAmounts' | 'hasDeadTask' | 'limit'
> & {
  /** One report. */
  reportId?: string | undefined
  /** One transaction, in hex or base64. */
  transactionHash?: string | undefined
  /** The payer's address, in any format. */
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
      reportId: z.string().optional(),
      transactionHash: z.string().optional(),
      address: address.optional(),
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

/** @throws {ConfigurationError} for an invalid query. */
export function toReportQuery(given: TransferQuery): Omit<ReportQuery, 'name'> {
  const {
    reportId,
    transactionHash,
    address: account,
    amount,
    handlers,
    ...query
  } = parseOptions(QUERY(), given, { path: 'query' })
  return {
    ...query,
    ids: reportId === undefined ? undefined : [reportId],
    txHashes:
      transactionHash === undefined ? undefined : [canonicalTransactionHash(transactionHash)],
    senderAddrs: account === undefined ? undefined : addressFormats(account),
    rawAmounts: amount === undefined ? undefined : amountFormats(amount),
    hasDeadTask: handlers === 'dead' ? true : undefined,
  }
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
