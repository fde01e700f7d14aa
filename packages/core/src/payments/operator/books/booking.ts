import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import type {
  AccountBalance,
  BalanceAlarm,
  BalanceHold,
  BalanceState,
  BookedTo,
} from './balance-result.js'
import type { ChainState } from './chain-state.js'
import type { BookedAccount } from './ledger-credits.js'
import { changeOf, type Movement } from './movement.js'

const MAX_ALARMS = 100

/** The books of one account while its transactions are booked, oldest first. */
export interface Booking extends BookedAccount {
  readonly state: ChainState
  /** The last transaction of an earlier call. */
  readonly from: BookedTo | undefined
  readonly sums: Record<'received' | 'returned' | 'sent' | 'fees' | 'credits' | 'refunds', bigint>
  readonly alarms: BalanceAlarm[]
  /** Transactions of a jetton wallet that may have moved its balance. */
  readonly unknown: { txHash: string; opcode: string }[]
  /** The transactions that have sent refunds, by the transactions of the returned payments. */
  readonly sentRefunds: Map<string, string>
  transactions: number
  opening: bigint | undefined
  bookedTo: BookedTo | undefined
  /** The booked balance to compare with that of the chain. */
  comparable: bigint
  /** The booked balance of native coins minus that of the last transaction. */
  difference: bigint
  /** Earlier credits, Unix seconds, are not compared with the chain, and neither are credits of this second. */
  comparedAfter: number
  hold: BalanceHold | undefined
}

export function openBooking(
  account: BookedAccount,
  state: ChainState,
  from: BookedTo | undefined,
): Booking {
  const opening = from?.rawBalance ?? (state.last === undefined ? 0n : undefined)
  return {
    ...account,
    state,
    from,
    sums: { received: 0n, returned: 0n, sent: 0n, fees: 0n, credits: 0n, refunds: 0n },
    alarms: [],
    unknown: [],
    sentRefunds: new Map(),
    transactions: 0,
    opening,
    bookedTo: from,
    comparable: opening ?? 0n,
    difference: 0n,
    comparedAfter: from?.utime ?? -1,
    hold: undefined,
  }
}

/** Returns true when the account is booked to its last transaction. */
export function isBookedToEnd({ bookedTo, state: { last } }: Booking): boolean {
  return bookedTo?.txHash === last?.txHash
}

export function addAlarm({ alarms }: Booking, alarm: BalanceAlarm): void {
  if (alarms.length < MAX_ALARMS) alarms.push(alarm)
}

/** Checks that a transaction is the next one of the account, and opens the books at the first one. */
export function findHold(booking: Booking, row: Transaction): BalanceHold | undefined {
  const { bookedTo, asset } = booking
  const { prev_trans_lt: lt = 0n, prev_trans_hash: hash = '' } = row
  if (bookedTo !== undefined) {
    const isNext = lt === bookedTo.lt && canonicalTransactionHash(hash) === bookedTo.txHash
    return isNext ? undefined : missingTransaction(bookedTo)
  }
  if (asset !== NATIVE_ASSET && lt !== 0n) {
    const detail = 'the index does not return the first transactions of the jetton wallet'
    return { kind: 'missing_history', detail }
  }
  booking.opening = asset === NATIVE_ASSET ? coinsBefore(row) : 0n
  if (lt !== 0n) booking.comparedAfter = row.now
  return booking.opening === undefined ? missingBalance() : undefined
}

export function missingTransaction(bookedTo: BookedTo | undefined): BalanceHold {
  const place =
    bookedTo === undefined ? 'first transaction' : `transaction after ${bookedTo.txHash}`
  const detail = `the index does not return the ${place}; call again later`
  return { kind: 'missing_transaction', detail }
}

function missingBalance(): BalanceHold {
  return { kind: 'missing_balance', detail: 'the index does not return a balance to compare with' }
}

/** Books the next transaction of the account. */
export function addMovement(booking: Booking, row: Transaction, movement: Movement): void {
  const { sums, state, unknown, opening = 0n, asset } = booking
  for (const field of ['received', 'returned', 'sent', 'fees'] as const) {
    sums[field] += movement[field]
  }
  const rawBalance = (booking.bookedTo?.rawBalance ?? opening) + changeOf(movement)
  const txHash = canonicalTransactionHash(row.hash)
  booking.transactions++
  booking.bookedTo = { lt: row.lt, txHash, utime: row.now, rawBalance }
  if (row.lt <= state.balanceLt) booking.comparable = rawBalance
  const { unknownOpcode: opcode } = movement
  if (opcode !== undefined && unknown.length < MAX_ALARMS) unknown.push({ txHash, opcode })
  if (asset === NATIVE_ASSET) compareCoins(booking, row, { txHash, rawBalance })
}

/** The index has the native balance after each transaction, so the first difference is known. */
function compareCoins(
  booking: Booking,
  row: Transaction,
  { txHash, rawBalance }: Pick<BookedTo, 'txHash' | 'rawBalance'>,
): void {
  const coins = coinsAfter(row)
  if (coins === undefined || rawBalance - coins === booking.difference) return
  const more = rawBalance - coins - booking.difference
  booking.difference += more
  const detail = `the booked balance changes by ${more} more than that of the chain`
  addAlarm(booking, { kind: 'balance_differs', txHash, detail })
}

function coinsBefore({ orig_status: status, account_state_before: state }: Transaction) {
  return status === 'nonexist' ? 0n : state?.balance
}

function coinsAfter({ end_status: status, account_state_after: state }: Transaction) {
  return status === 'nonexist' ? 0n : state?.balance
}

/** Compares the booked balance with that of the chain, and returns the result. */
export function closeBooking(booking: Booking): AccountBalance {
  return toBalance(booking, compareBalance(booking))
}

export function toBalance(booking: Booking, difference?: bigint): AccountBalance {
  const { account, asset, opening, bookedTo, sums, transactions, alarms, hold, state } = booking
  return {
    account,
    asset,
    state: stateOf(booking),
    opening,
    credits: sums.credits,
    otherIn: sums.received - sums.credits,
    returned: sums.returned,
    refunds: sums.refunds,
    otherOut: sums.sent - sums.refunds,
    fees: sums.fees,
    closing: bookedTo?.rawBalance ?? opening,
    chain: state.balance,
    difference,
    transactions,
    bookedTo,
    alarms,
    hold,
  }
}

function stateOf({ alarms, hold }: Booking): BalanceState {
  if (alarms.length > 0) return 'alarm'
  return hold === undefined ? 'balanced' : 'hold'
}

function compareBalance(booking: Booking): bigint | undefined {
  const { state, from, comparable, unknown, alarms } = booking
  if (booking.hold !== undefined) return undefined
  const difference = state.balance === undefined ? undefined : comparable - state.balance
  // An index that has not updated the balance since an earlier call.
  const isOlder = from !== undefined && from.lt > state.balanceLt
  if (difference === undefined || (isOlder && difference !== 0n)) {
    booking.hold = missingBalance()
    return undefined
  }
  if (difference === 0n) return 0n
  for (const { txHash, opcode } of unknown) {
    const detail = `the transaction with the unknown opcode ${opcode} may have changed the balance`
    addAlarm(booking, { kind: 'unknown_opcode', txHash, detail })
  }
  if (alarms.every(({ kind }) => kind !== 'balance_differs')) {
    const detail = `the booked balance minus that of the chain is ${difference}`
    addAlarm(booking, { kind: 'balance_differs', detail })
  }
  return difference
}
