import type { JettonTransfer } from '../../chain/token-transfers.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { isAccount, type PaymentRoute } from './payment-route.js'
import { refuted, type ProofVerdict, type ProvenPayment } from '../../orders/payment-proof.js'

/** A credit to find at the end of a route. Addresses are canonical. */
export interface ExpectedCredit {
  /** In base units. */
  rawAmount: bigint
  /** `'TON'`, or the jetton master. */
  asset: string
  recipient: string
  /** The recipient's wallet for the jetton, as its master computes it. Without it no payment in a jetton is proven. */
  jettonWallet?: string | undefined
  /** Nanocoins that may be missing from a direct payment in the native coin. */
  feeAllowance?: bigint | undefined
}

type Credit =
  | ({ kind: 'credited' } & Pick<ProvenPayment, 'amount' | 'credits' | 'utime' | 'jettonWallet'>)
  | Exclude<ProofVerdict, { kind: 'proven' }>

/** Nanocoins; more than forwarding contracts take. A payment that loses more on its way is too small. */
const MOST_FEES = 50_000_000n

/**
 * Verifies the credit of the recipient in the native coin. A payment that goes straight to the recipient must have the exact
 * amount; one that contracts pass on may lack the fees of the chain.
 */
export function verifyNativeCredit(route: PaymentRoute, expected: ExpectedCredit): Credit {
  const { message, messages, jettons, fees } = route
  const { rawAmount, recipient, feeAllowance = 0n } = expected
  if (jettons.some(({ hash }) => hash === message.hash)) {
    return refuted('other_asset', 'the payer sent a jetton')
  }
  const received = messages.filter((one) => isAccount(one.recipient, recipient) && !one.isBounced)
  const amounts = received.map((one) => ({ ...one, amount: one.value }))
  const credit = creditOf(route, amounts, [message])
  if (credit.kind !== 'credited') return credit
  const { amount } = credit
  const feesAllowed = fees < MOST_FEES ? fees : MOST_FEES
  const isDirect = isAccount(message.recipient, recipient)
  const isEnough = isDirect
    ? amount <= rawAmount && amount + feeAllowance >= rawAmount
    : message.value >= rawAmount && amount + feesAllowed + feeAllowance >= rawAmount
  return isEnough ? credit : otherAmount(amount, rawAmount)
}

/**
 * Verifies the credit of the recipient in a jetton. The amount must be exact: no fee is taken from jettons. The credited
 * wallet must be the one that the jetton master computes; the jetton that the index names is not used, because a fake
 * wallet can name a genuine master.
 */
export function verifyJettonCredit(route: PaymentRoute, expected: ExpectedCredit): Credit {
  const { message, jettons } = route
  const { rawAmount, asset, recipient, jettonWallet } = expected
  if (jettons.length === 0) {
    return message.outcome === 'bounced'
      ? nothingArrived([message])
      : refuted('other_asset', 'the payer sent no jetton')
  }
  const received = jettons.filter((one) => isAccount(one.recipient, recipient))
  const credit = creditOf(route, received, jettons)
  if (credit.kind !== 'credited') return credit
  if (jettonWallet === undefined) {
    const detail = `the account ${asset} returns no jetton wallet of the recipient`
    return { kind: 'unsettled', reason: 'unknown_asset', detail }
  }
  const other = received.find(
    (one) => one.outcome === 'arrived' && !isAccount(one.recipientWallet, jettonWallet),
  )
  if (other !== undefined) {
    const detail = `expected a credit of the jetton wallet ${jettonWallet}; received ${other.recipientWallet}`
    return refuted('other_asset', detail)
  }
  if (credit.amount !== rawAmount) return otherAmount(credit.amount, rawAmount)
  return { ...credit, jettonWallet }
}

type Ended = Pick<JettonTransfer, 'outcome' | 'recipient' | 'reason'>

/** Returns the credit by what arrived, or why nothing did: `others` are what went elsewhere. */
function creditOf(
  { times }: PaymentRoute,
  received: readonly (Ended & Pick<JettonTransfer, 'hash' | 'amount' | 'receivedIn'>)[],
  others: readonly Ended[],
): Credit {
  const arrived = received.filter(({ outcome }) => outcome === 'arrived')
  const [first, ...more] = creditsOf(arrived)
  if (first === undefined) return nothingArrived(received.length > 0 ? received : others)
  const amount = arrived.reduce((sum, one) => sum + one.amount, 0n)
  const utime = arrived.reduce(
    (latest, { receivedIn = '' }) => Math.max(latest, times.get(receivedIn) ?? 0),
    0,
  )
  return { kind: 'credited', amount, credits: [first, ...more], utime }
}

/** Returns the hashes of the messages that transferred the money, sorted, so that all processes claim them in one order. */
export function creditsOf(arrived: readonly { hash: string }[]): string[] {
  return arrived.map(({ hash }) => canonicalTransactionHash(hash)).toSorted()
}

/** Returns the reason why nothing was credited, from the outcomes of the messages that could have credited it. */
function nothingArrived(candidates: readonly Ended[]): Credit {
  const bounced = candidates.find(({ outcome }) => outcome === 'bounced')
  if (bounced !== undefined) {
    return refuted('bounced', bounced.reason ?? 'the money went back to the sender')
  }
  const failed = candidates.find(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
  if (failed !== undefined) return refuted('failed', failed.reason ?? 'nothing arrived')
  if (candidates.some(({ outcome }) => outcome === 'pending')) {
    const detail = 'the recipient has not received it yet'
    return { kind: 'unsettled', reason: 'not_final', detail }
  }
  const [first] = candidates
  return refuted('other_recipient', `it went to ${first?.recipient ?? 'no account'}`)
}

function otherAmount(amount: bigint, rawAmount: bigint): Credit {
  return refuted('other_amount', `${amount} arrived of ${rawAmount}`)
}
