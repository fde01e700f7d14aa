/** State of books. `hold`: something is not known yet; call again later. `alarm`: see the alarms. */
export type BalanceState = 'balanced' | 'hold' | 'alarm'

/** Something that must not be. */
export interface BalanceAlarm {
  /**
   * - `balance_differs`: the booked balance is not that of the chain.
   * - `unknown_opcode`: the balance of a jetton wallet differs, and this transaction may be the reason.
   * - `credit_missing`: the chain of the account does not have the transaction of a credit.
   * - `credit_differs`: the transaction of a credit brought another amount.
   * - `wallet_not_proven`: credits name an account that is not a jetton wallet of the owner.
   * - `second_refund`: the money of one payment was returned twice: a second transfer has the comment of its refund.
   * - `late_refund`: a refund was sent after its claim was released, since it could no longer be sent.
   */
  kind:
    | 'balance_differs'
    | 'unknown_opcode'
    | 'credit_missing'
    | 'credit_differs'
    | 'wallet_not_proven'
    | 'second_refund'
    | 'late_refund'
  /** The transaction, lower-case hex. */
  txHash?: string | undefined
  /** One sentence for the operator. */
  detail: string
}

/** The reason why an account is not booked to its end. */
export interface BalanceHold {
  /**
   * - `missing_transaction`: the index does not return the next transaction of the account.
   * - `missing_balance`: the index does not return a balance to compare with.
   * - `missing_history`: the index does not have the first transactions of a jetton wallet, so its opening balance is
   *   unknown.
   */
  kind: 'missing_transaction' | 'missing_balance' | 'missing_history'
  /** One sentence for the operator. */
  detail: string
}

/** The last booked transaction of an account. */
export interface BookedTo {
  /** Logical time. */
  lt: bigint
  /** Lower-case hex. */
  txHash: string
  /** Unix seconds. */
  utime: number
  /** The booked balance after it, in base units. */
  rawBalance: bigint
}

/** The books of one account in one asset. Amounts are in base units of the asset. */
export interface AccountBalance {
  /** The wallet, or one of its jetton wallets; canonical. */
  account: string
  /** `'TON'`, or the jetton master in canonical format. */
  asset: string
  state: BalanceState
  /** The balance before the first booked transaction; absent while it is unknown. */
  opening?: bigint | undefined
  /** The sum of the credits in the ledger: payments, also those without an order. */
  credits: bigint
  /** Other income, without the part of it that the account sent back by itself. */
  otherIn: bigint
  /** Value that came back because a transfer of the account did not arrive. */
  returned: bigint
  /** The sum of the refunds that were sent. */
  refunds: bigint
  /** Other transfers of the account. For jettons, burns are included. */
  otherOut: bigint
  /** Fees of transactions, and of the messages that they sent; 0 for jettons. */
  fees: bigint
  /** `opening` and everything booked; absent while `opening` is unknown. */
  closing?: bigint | undefined
  /** The balance that the index returns. */
  chain?: bigint | undefined
  /** The booked balance minus that of the chain: 0 when the books balance. Absent during a hold. */
  difference?: bigint | undefined
  /** Number of booked transactions. */
  transactions: number
  /** Absent when no transaction was booked. */
  bookedTo?: BookedTo | undefined
  /** The first 100. */
  alarms: readonly BalanceAlarm[]
  hold?: BalanceHold | undefined
}

/** The books of a wallet: ledger and chain, compared for each account and asset. */
export interface Balance {
  /** Canonical. */
  wallet: string
  /** The worst state of the accounts. */
  state: BalanceState
  /** Time of the newest block of the index, Unix seconds. */
  head: number
  /** The wallet itself, then its jetton wallets. */
  accounts: readonly AccountBalance[]
}

/** Options of `Operator.balance`. */
export interface BalanceOptions {
  /**
   * The `accounts` of an earlier result: only later transactions are read, and amounts are those since then. Credits that
   * were stored later with an earlier time are not compared. @default everything is read
   */
  after?: readonly Pick<AccountBalance, 'account' | 'asset' | 'bookedTo'>[] | undefined
}
