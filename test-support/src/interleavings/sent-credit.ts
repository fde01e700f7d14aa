import { createHash } from 'node:crypto'
import {
  toHex,
  type ChainTransaction,
  type SimulatedChain,
  type Step as Message,
} from '../../../packages/testing/src/shop/chain.js'
import type { JettonWallets } from '../../../packages/testing/src/shop/jettons.js'
import { addressOf, assetId, bodyOfItem, transferOf, WALLET, type Item } from './items.js'
import type { CreditName, StepOf } from './steps.js'

const CREDIT_ID_DIGITS = 32
/** Transactions between the wallet of the buyer and the credit. */
const JETTON_HOPS = 1

/** A credit as its buyer knows it. */
export interface SentCredit extends Item, CreditName {
  /** The id that the ledger gives it. */
  id: string
  /** The hash of its own transaction, in hex. */
  txHash: string
  /** The hash of the transaction before the credit, or of its buyer's jetton wallet. */
  wayHash: string
  traceId: string
  /** The hashes of all transactions of the trace, in hex. */
  trace: readonly string[]
  /** The hash of the body of the buyer's message. */
  bodyHash: string
  utime: number
}

/** Sends the credits of a payment in one trace. */
export function sendPayment(
  { chain, jettons, nowMs }: { chain: SimulatedChain; jettons: JettonWallets; nowMs: number },
  { payment, items, isRelayed, lagsMs }: StepOf<'pay'>,
): SentCredit[] {
  const [first] = items
  const sender = isRelayed || first === undefined ? 'relay' : first.buyer
  // One wallet sends all credits of a batch that has no relay.
  const sent = items.map((item) => (isRelayed ? item : { ...item, buyer: sender }))
  const messages = sent.map((item): Message => {
    const paid = messageOf(item, jettons)
    const to = addressOf(item.buyer)
    return isRelayed ? { to, value: 1n, body: bodyOfItem(item), next: [paid] } : paid
  })
  const trace = chain.send({ from: addressOf(sender), steps: messages, lagsMs }, nowMs)
  const reached = new Map(trace.transactions.map((one) => [one.received, one]))
  const [root] = trace.transactions
  return sent.map((item, place) => {
    const follow = (one: ChainTransaction | undefined, nth = 0): ChainTransaction | undefined =>
      one && reached.get(one.sent[nth] ?? one.received)
    let own = follow(root, place)
    let way = root
    if (isRelayed) [way, own] = [own, follow(own)]
    if (item.asset !== 'TON' && own !== undefined) {
      jettons.record(transferOf(item), { ...trace, transactions: [own] })
      way = own
      for (let hops = JETTON_HOPS; hops > 0; hops--) own = follow(own)
    }
    if (own === undefined || root === undefined || way === undefined)
      throw new RangeError('a credit has a transaction')
    const txHash = toHex(own.hash)
    const key = JSON.stringify([own.account, txHash, assetId(item.asset)])
    return {
      ...item,
      payment,
      item: place,
      id: createHash('sha256').update(key).digest('hex').slice(0, CREDIT_ID_DIGITS),
      txHash,
      wayHash: toHex(way.hash),
      traceId: toHex(trace.id),
      trace: trace.transactions.map(({ hash }) => toHex(hash)),
      bodyHash: bodyOfItem(item).hash,
      utime: root.utime,
    }
  })
}

function messageOf(item: Item, jettons: JettonWallets): Message {
  if (item.asset !== 'TON') return jettons.stepsOf(transferOf(item))
  return { to: WALLET, value: item.amount, body: bodyOfItem(item), next: [] }
}
