import type { JettonTransfer } from '../onchain/token-transfers.js'
import type { TransferOutcome } from '../onchain/trace-messages.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { isAccount, type PaymentRoute } from './payment-route.js'
import type { ProofVerdict, ProvenPayment } from './verdict.js'

/** What is looked for at the end of a route. Addresses are canonical. */
export interface ExpectedCredit {
  rawAmount: bigint
  asset: string
  recipient: string
  jettonWallet?: string | undefined
  feeAllowance?: bigint | undefined
}

type Credit =
  | ({ kind: 'credited' } & Pick<ProvenPayment, 'amount' | 'credits'>)
  | Exclude<ProofVerdict, { kind: 'proven' }>

/** More than contracts that pass money on take. Whoever burns more than that on the way has paid less. */
const MOST_FEES = 50_000_000n

/**
 * What the recipient was credited with in the native coin. A payment that goes straight to the recipient must be of the
 * amount; from one that contracts pass on, the chain's own fees may be missing, and nothing else.
 */
export function judgeNative(route: PaymentRoute, expected: ExpectedCredit): Credit {
  const { message, messages, jettons, fees } = route
  const { rawAmount, recipient, feeAllowance = 0n } = expected
  if (jettons.some(({ hash }) => hash === message.hash)) {
    return refuted('other_asset', 'the payer sent a jetton')
  }
  const received = messages.filter((one) => isAccount(one.recipient, recipient) && !one.isBounced)
  const arrived = received.filter(({ outcome }) => outcome === 'arrived')
  const [first, ...more] = creditsOf(arrived)
  if (first === undefined) return nothingArrived(received.length > 0 ? received : [message])
  const amount = arrived.reduce((sum, { value }) => sum + value, 0n)
  const isDirect = isAccount(message.recipient, recipient)
  const isEnough = isDirect
    ? amount <= rawAmount && amount + feeAllowance >= rawAmount
    : message.value >= rawAmount && amount + feesAllowed(fees) + feeAllowance >= rawAmount
  if (!isEnough) return otherAmount(amount, rawAmount)
  return { kind: 'credited', amount, credits: [first, ...more] }
}

/** What the recipient was credited with in a jetton: to the base unit, since no fee is taken from jettons. */
export function judgeJettons(route: PaymentRoute, expected: ExpectedCredit): Credit {
  const { message, jettons } = route
  const { rawAmount, asset, recipient, jettonWallet } = expected
  if (jettons.length === 0) {
    return message.outcome === 'bounced'
      ? nothingArrived([message])
      : refuted('other_asset', 'the payer sent no jetton')
  }
  const received = jettons.filter((one) => isAccount(one.recipient, recipient))
  const arrived = received.filter(({ outcome }) => outcome === 'arrived')
  const [first, ...more] = creditsOf(arrived)
  if (first === undefined) return nothingArrived(received.length > 0 ? received : jettons)
  const other = arrived.find((one) => isOfJetton(one, asset, jettonWallet) === false)
  if (other !== undefined) {
    const what = other.jetton ?? 'another one'
    return refuted('other_asset', `the jetton is ${what}, by the wallet ${other.recipientWallet}`)
  }
  if (arrived.some((one) => isOfJetton(one, asset, jettonWallet) === undefined)) {
    const detail = 'the index does not tell the jetton of the wallets'
    return { kind: 'unsettled', reason: 'unknown_asset', detail }
  }
  const amount = arrived.reduce((sum, one) => sum + one.amount, 0n)
  if (amount !== rawAmount) return otherAmount(amount, rawAmount)
  return { kind: 'credited', amount, credits: [first, ...more] }
}

/** Of each message that asked for or brought money, its hash; sorted, so that all claim them in one order. */
function creditsOf(arrived: readonly { hash: string }[]): string[] {
  return arrived.map(({ hash }) => canonicalTransactionHash(hash)).toSorted()
}

function feesAllowed(fees: bigint): bigint {
  return fees < MOST_FEES ? fees : MOST_FEES
}

/** `undefined` where nothing tells it. The master knows best: anybody can deploy a wallet that says anything. */
function isOfJetton(
  { jetton, recipientWallet }: JettonTransfer,
  asset: string,
  jettonWallet: string | undefined,
): boolean | undefined {
  if (jettonWallet !== undefined && recipientWallet !== undefined) {
    return isAccount(recipientWallet, jettonWallet)
  }
  return jetton === undefined ? undefined : isAccount(jetton, asset)
}

interface Ended {
  outcome: TransferOutcome
  recipient?: string | undefined
  reason?: string | undefined
}

/** Why nothing was credited, by what became of the messages that could have done it. */
function nothingArrived(candidates: readonly Ended[]): Credit {
  const bounced = candidates.find(({ outcome }) => outcome === 'bounced')
  if (bounced !== undefined) {
    return refuted('bounced', bounced.reason ?? 'the money went back to the sender')
  }
  const failed = candidates.find(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
  if (failed !== undefined) return refuted('failed', failed.reason ?? 'nothing arrived')
  const pending = candidates.some(({ outcome }) => outcome === 'pending')
  if (pending) return { kind: 'unsettled', reason: 'not_final', detail: 'nobody has received it' }
  const [first] = candidates
  return refuted('other_recipient', `it went to ${first?.recipient ?? 'nobody'}`)
}

function otherAmount(amount: bigint, rawAmount: bigint): Credit {
  return refuted('other_amount', `${amount} arrived of ${rawAmount}`)
}

function refuted(
  reason: Extract<Credit, { kind: 'refuted' }>['reason'],
  detail: string,
): Exclude<ProofVerdict, { kind: 'proven' }> {
  return { kind: 'refuted', reason, detail }
}
