import type { JettonTransfer } from '../../../toncenter/chain/token-transfers.js'
import type { TraceMessage } from '../../../toncenter/chain/trace-messages.js'
import type { Credit } from '../../ledger/credit.js'
import { contradicted, type Unproven } from '../../orders/unproven.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import type { Arrival } from './credits-of.js'
import type { ExpectedPayment } from './expected-payment.js'
import { isAccount, routeTo, type DescribedTrace } from './trace-routes.js'

/** The money that a trace brought to the recipient. */
interface Received {
  arrivals: readonly Arrival[]
  credits: readonly Credit[]
}

/** Returns why a trace without the expected payment does not prove it. */
export function whyNotPaid(
  described: DescribedTrace,
  expected: ExpectedPayment,
  received: Received,
): Unproven {
  const asked = described.description.messages.filter((one) => isAskedBody(one, expected))
  if (asked.length === 0)
    return contradicted('other_message', 'no message of the trace has the body')
  const { sender } = expected
  const sent = asked.filter((one) => sender === undefined || isAccount(one.sender, sender))
  const [message] = sent
  if (message === undefined) return contradicted('other_sender', `${asked[0]?.sender} sent it`)
  const hashes = new Set(sent.map(({ hash }) => canonicalTransactionHash(hash)))
  return (
    ofReceived(expected, received, hashes) ??
    ofJettons(described, expected, hashes) ??
    ofMessages(described, expected, hashes) ??
    contradicted('other_recipient', `it went to ${message.recipient}`)
  )
}

function isAskedBody(message: TraceMessage, { bodyHash }: ExpectedPayment): boolean {
  if (message.isBounced || message.bodyHash === undefined) return false
  return canonicalTransactionHash(message.bodyHash) === bodyHash
}

function isOnRoute({ route }: Pick<Credit, 'route'>, hashes: ReadonlySet<string>): boolean {
  return route.some(({ hash }) => hashes.has(hash))
}

/** Returns the verdict if one of the messages has brought money to the recipient. */
function ofReceived(
  { asset, rawAmount, jettonWallet }: ExpectedPayment,
  { arrivals, credits }: Received,
  hashes: ReadonlySet<string>,
): Unproven | undefined {
  const credited = credits.filter((one) => one.asset === asset && isOnRoute(one, hashes))
  if (credited.length > 0) {
    const sum = credited.reduce((total, one) => total + one.rawAmount, 0n)
    return contradicted('other_amount', `${sum} arrived of ${rawAmount}`)
  }
  const [other] = arrivals.filter((one) => isOnRoute(one, hashes))
  if (other === undefined) return undefined
  if (asset === NATIVE_ASSET) return contradicted('other_asset', 'the payer sent a jetton')
  if (other.transfer === undefined) return contradicted('other_asset', 'the payer sent no jetton')
  if (jettonWallet === undefined) {
    const detail = `the account ${asset} returns no jetton wallet of the recipient`
    return { kind: 'pending', reason: 'unknown_asset', detail }
  }
  const detail = `expected a credit of the jetton wallet ${jettonWallet}; received ${other.account}`
  return contradicted('other_asset', detail)
}

/** Returns the verdict if one of the messages asks for a transfer of a jetton. */
function ofJettons(
  { description: { transfers } }: DescribedTrace,
  { asset, recipient }: ExpectedPayment,
  hashes: ReadonlySet<string>,
): Unproven | undefined {
  const jettons = transfers.filter(
    (one): one is JettonTransfer =>
      one.kind === 'jetton' && hashes.has(canonicalTransactionHash(one.hash)),
  )
  const [first] = jettons
  if (first === undefined) return undefined
  if (asset === NATIVE_ASSET) return contradicted('other_asset', 'the payer sent a jetton')
  const failed = jettons.find(
    (one) => one.outcome !== 'arrived' && isAccount(one.recipient, recipient),
  )
  if (failed === undefined) return contradicted('other_recipient', `it went to ${first.recipient}`)
  if (failed.outcome === 'pending') {
    const detail = 'the recipient has not received it yet'
    return { kind: 'pending', reason: 'not_final', detail }
  }
  const reason = failed.outcome === 'bounced' ? 'bounced' : 'failed'
  return contradicted(reason, failed.reason ?? 'nothing arrived')
}

/** Returns the verdict if the money of one of the messages went back. */
function ofMessages(
  described: DescribedTrace,
  { asset, recipient }: ExpectedPayment,
  hashes: ReadonlySet<string>,
): Unproven | undefined {
  const bounced = described.description.messages.filter(
    (one) => one.outcome === 'bounced' && !one.isBounced,
  )
  const back = bounced.find((one) => {
    if (hashes.has(canonicalTransactionHash(one.hash))) return true
    return isAccount(one.recipient, recipient) && isOnRoute(routeTo(described, one), hashes)
  })
  if (back !== undefined)
    return contradicted('bounced', back.reason ?? 'the money went back to the sender')
  return asset === NATIVE_ASSET
    ? undefined
    : contradicted('other_asset', 'the payer sent no jetton')
}
