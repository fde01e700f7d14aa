import { rootOf, withDescendants, type RecordedTransaction } from '../chain/recorded-transaction.js'
import type { Chain } from '../chain/chain.js'
import { base64Hash, rawAddress } from '../shared/encodings.js'
import { classify } from '../v3/classify.js'
import type { ContractIndex, JettonWallet } from '../v3/contracts.js'
import { factsOf, hashOf } from '../v3/facts.js'
import type { Json } from '../v3/json.js'
import { knownTrace } from '../v3/known-trace.js'
import { accountsIn, writeAction } from '../v3/write-action.js'
import { writeTransaction } from '../v3/write-transaction.js'
import type { V3Request } from '../v3/request.js'
import type { Finality, StreamSubscription } from './subscription.js'

/** An event as it is sent. */
export type StreamedEvent = Json & { type: string }

/** A snapshot of a trace at one finality, from which each connection receives its events. */
export interface TraceUpdate {
  root: RecordedTransaction
  /** The normalized hash of the external message that began the trace. */
  hash: string
  finality: Finality
}

/** Returns the hash by which the stream names a trace. */
export function traceHashOf(root: RecordedTransaction): string {
  return root.inMessage === undefined ? hashOf(root) : factsOf(root.inMessage).normalizedHash
}

/** Returns true when each internal message of a trace was received. */
export function isEnded(root: RecordedTransaction): boolean {
  return knownTrace(root, () => true).pendingMessages === 0
}

/** Returns the distinct traces of transactions. */
export function rootsOf(transactions: readonly RecordedTransaction[]): RecordedTransaction[] {
  return [...new Set(transactions.map(rootOf))]
}

/** Returns the events of an update for a subscription. */
export async function eventsOf(
  { chain, contracts }: { chain: Chain; contracts: ContractIndex },
  update: TraceUpdate,
  subscription: StreamSubscription,
): Promise<StreamedEvent[]> {
  const { types, traces } = subscription
  const events: StreamedEvent[] = []
  if (types.has('transactions')) events.push(...transactionEvents(update, subscription))
  if (types.has('actions')) {
    events.push(...(await actionEvents(requestOf(chain, contracts), update, subscription)))
  }
  if (types.has('trace') && traces.has(update.hash)) events.push(traceEvent(update))
  if (update.finality === 'pending') return events
  for (const one of withDescendants(update.root)) {
    if (types.has('account_state_change') && has(subscription, one)) {
      events.push(stateEvent(one, update.finality))
    }
    if (!types.has('jettons_change')) continue
    const contract = await contracts.contractOf(one.address, one.after)
    if (contract?.kind !== 'jetton_wallet') continue
    const isOfOwner = subscription.addresses.has(contract.owner.toRawString())
    if (has(subscription, one) || isOfOwner) {
      events.push(jettonEvent(one, contract, update.finality))
    }
  }
  return events
}

function has({ addresses }: StreamSubscription, { address }: RecordedTransaction): boolean {
  return addresses.has(address.toRawString())
}

function factsOfTrace({ finality, hash }: TraceUpdate) {
  return { finality, trace_external_hash_norm: hash }
}

function writeAt(one: RecordedTransaction, finality: Finality): Json {
  const isPending = finality === 'pending'
  return { ...writeTransaction(one, isPending), finality, emulated: isPending }
}

/** The transactions of the subscribed accounts, newest first. */
function transactionEvents(update: TraceUpdate, subscription: StreamSubscription): StreamedEvent[] {
  const own = withDescendants(update.root)
    .filter((one) => has(subscription, one))
    .toSorted((one, other) => (one.transaction.lt > other.transaction.lt ? -1 : 1))
  if (own.length === 0) return []
  const transactions = own.map((one) => writeAt(one, update.finality))
  return [{ type: 'transactions', ...factsOfTrace(update), transactions }]
}

async function actionEvents(
  request: V3Request,
  update: TraceUpdate,
  { addresses, actionTypes }: StreamSubscription,
): Promise<StreamedEvent[]> {
  if (!isEnded(update.root)) return []
  const trace = knownTrace(update.root, () => true)
  const actions = (await classify(request, trace)).filter(
    (one) =>
      (actionTypes.length === 0 || actionTypes.includes(one.type)) &&
      accountsIn(one).some((account) => addresses.has(account.toLowerCase())),
  )
  if (actions.length === 0) return []
  const written = actions.map((one) => ({
    ...writeAction(trace, one, update.finality === 'pending'),
    finality: update.finality,
  }))
  return [{ type: 'actions', ...factsOfTrace(update), actions: written }]
}

function traceEvent(update: TraceUpdate): StreamedEvent {
  const all = withDescendants(update.root)
  const transactions = all.map((one) => [hashOf(one), writeAt(one, update.finality)])
  return {
    type: 'trace',
    ...factsOfTrace(update),
    trace: writeNode(update.root),
    transactions: Object.fromEntries(transactions) as Json,
    actions: [],
  }
}

function writeNode(one: RecordedTransaction): Json {
  return {
    tx_hash: hashOf(one),
    in_msg_hash: one.inMessage === undefined ? null : factsOf(one.inMessage).hash,
    children: one.children.map(writeNode),
  }
}

function stateEvent(one: RecordedTransaction, finality: Finality): StreamedEvent {
  const { after } = one
  return {
    type: 'account_state_change',
    finality,
    account: rawAddress(one.address),
    state: {
      hash: base64Hash(one.transaction.stateUpdate.newHash),
      balance: after.balance.toString(),
      extra_currencies: null,
      account_status: after.status,
      frozen_hash: null,
      data_hash: after.data === undefined ? null : base64Hash(after.data.hash()),
      code_hash: after.code === undefined ? null : base64Hash(after.code.hash()),
    },
  }
}

function jettonEvent(
  one: RecordedTransaction,
  { balance, owner, master }: JettonWallet,
  finality: Finality,
): StreamedEvent {
  const { code, data } = one.after
  return {
    type: 'jettons_change',
    finality,
    jetton: {
      address: rawAddress(one.address),
      balance: balance.toString(),
      owner: rawAddress(owner),
      jetton: rawAddress(master),
      last_transaction_lt: one.transaction.lt.toString(),
      code_hash: code === undefined ? null : base64Hash(code.hash()),
      data_hash: data === undefined ? null : base64Hash(data.hash()),
    },
  }
}

/** A request to the whole index, for the classification of actions. */
function requestOf(chain: Chain, contracts: ContractIndex): V3Request {
  const isKept = (): boolean => true
  const known = { chain, contracts, blocks: chain.blocks, indexed: chain.transactions }
  const request = { method: 'GET', query: new URLSearchParams(), body: {}, pending: [] }
  return {
    ...known,
    ...request,
    isKept,
    isIndexed: isKept,
    isPending: () => false,
    indexesJettons: true,
  }
}
