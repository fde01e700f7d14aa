/** A message on the way of a payment, as an index shows it. Hashes are lower-case hex, addresses canonical. */
export interface ShownMessage {
  hash: string
  sender: string
  recipient: string
  /** Nanocoins. */
  value: bigint
  /** Absent when the index does not return it. */
  bodyHash?: string | undefined
  /** The transaction of the recipient that received it. */
  transaction: { hash: string; lt: bigint }
}

/** A credit as an index shows it, for a second source. */
export interface ShownCredit {
  /** The account that was credited: the wallet, or its jetton wallet. Canonical. */
  account: string
  /** The wallet that owns the money, canonical. */
  wallet: string
  /** `'TON'`, or the jetton master in canonical format. */
  asset: string
  /** In base units. */
  rawAmount: bigint
  /** Unix seconds. */
  utime: number
  /** The messages from the payer to the account that received the money, in this order. */
  route: readonly [ShownMessage, ...ShownMessage[]]
}

/**
 * Verdict of a second source. `differs`: something else than the index claims. `pending`: it does not have the payment, or
 * cannot be read now; a later look may change this.
 */
export type WitnessVerdict =
  | { kind: 'confirmed' }
  | { kind: 'differs'; detail: string }
  | { kind: 'pending'; reason: 'not_found' | 'incomplete' | 'unreachable'; detail: string }

/** A source that confirms or denies a credit that an index shows: {@link createPaymentVerifier} asks it after an index. */
export interface CreditWitness {
  /** Looks once. */
  compare(
    claim: ShownCredit,
    options: { signal?: AbortSignal | undefined; deadlineMs?: number | undefined },
  ): Promise<WitnessVerdict>
}

/** Reason of a verdict that a later look may change. */
type PendingReason = Extract<WitnessVerdict, { kind: 'pending' }>['reason']

export function differs(detail: string): WitnessVerdict {
  return { kind: 'differs', detail }
}

export function pending(reason: PendingReason, detail: string): WitnessVerdict {
  return { kind: 'pending', reason, detail }
}
