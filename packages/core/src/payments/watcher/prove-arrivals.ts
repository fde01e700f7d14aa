import type { RouteMessage } from '../ledger/credit.js'
import { canonicalAddress } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { errorFacts } from '../../shared/error-facts.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import type { OrderHint, WatchedOrder } from './open-orders.js'
import type { Arrival } from './proof/credits-of.js'
import type { WalletVerdict } from './proof/jetton-wallets.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { Run } from './run-state.js'

/** Jetton masters that no order asks for, and that the index names for the transfers of one trace. */
const MOST_OTHER_MASTERS = 2

/** The part of a run that verifies jetton wallets. */
export type ProvingRun = Pick<Run, 'orders' | 'jettonWallets' | 'logger' | 'request'> & {
  named: Pick<Run['named'], 'find'>
  memory?: Pick<Run['memory'], 'reportedJettons'> | undefined
}

/** The jetton wallets of a trace. */
export interface ProvenWallets {
  /** The jetton master of each proven wallet, canonical. */
  jettonWallets: ReadonlyMap<string, string>
  /** True when a contract cannot be asked, or the index does not name the master yet. */
  isUnsettled: boolean
}

/** Returns the fields of a message that can name an order. */
export function hintOf({ bodyHash, comment }: RouteMessage): OrderHint {
  return { bodyHash: readBodyHash(bodyHash), comment }
}

/**
 * Verifies the jetton wallets of arrivals: the jetton master and the wallet must name each other. Asks the masters of the
 * orders that an arrival names, and the master that the index names, which anyone can deploy: that of an order, or of a webhook.
 * Leaves out the others, and arrivals that concern no order.
 * @throws the reason of the request's signal
 */
export async function proveArrivals(
  arrivals: readonly Arrival[],
  run: ProvingRun,
): Promise<ProvenWallets> {
  const jettonWallets = new Map<string, string>()
  const others = new Set<string>()
  let isUnsettled = false
  for (const arrival of arrivals) {
    if (arrival.transfer === undefined || jettonWallets.has(arrival.account)) continue
    const verdict = await proveArrival(arrival, { run, others })
    if (verdict === 'unsettled') isUnsettled = true
    else if (verdict !== undefined) jettonWallets.set(arrival.account, verdict)
  }
  return { jettonWallets, isUnsettled }
}

/** @returns the jetton master; `'unsettled'` when it is not known yet. */
async function proveArrival(
  arrival: Arrival,
  { run, others }: { run: ProvingRun; others: Set<string> },
): Promise<string | undefined> {
  const { orders, logger, request } = run
  const { account, wallet, txHash, transfer } = arrival
  const named = ordersNamedBy(arrival, run)
  const indexed = transfer?.jetton === undefined ? undefined : canonicalAddress(transfer.jetton)
  const masters = new Set(named.flatMap(({ offers }) => offers.map(({ asset }) => asset)))
  masters.delete(NATIVE_ASSET)
  if (indexed !== undefined && !masters.has(indexed)) {
    const isReported = run.memory?.reportedJettons.has(indexed) === true
    const isAsked = isReported || orders.smallest.has(indexed)
    if (!isAsked && named.length > 0) others.add(indexed)
    if (isAsked || (named.length > 0 && isAmongFirst(others, indexed))) masters.add(indexed)
  }
  const reference = named[0]?.reference
  try {
    for (const master of masters) {
      const verdict = await compare(arrival, master, run)
      if (verdict === 'confirmed') return master
      // It was credited, so it has a contract: the node is behind the index.
      if (verdict === 'undeployed') return 'unsettled'
    }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (!isTonplugError(error)) throw error
    const facts = { reference, error: errorFacts(error) }
    logger.warn(
      'jetton wallet not verified: its contract or the jetton master cannot be asked',
      facts,
    )
    return 'unsettled'
  }
  if (named.length === 0) return undefined
  if (indexed === undefined) return 'unsettled'
  logger.warn('payment ignored: jetton master and jetton wallet do not name each other', {
    reference,
    txHash,
    wallet,
    jetton: indexed,
    jettonWallet: account,
  })
  return undefined
}

/** Asks both: a dishonest master names the wallet of another jetton. */
async function compare(
  { account, wallet: owner }: Arrival,
  master: string,
  { jettonWallets, request }: ProvingRun,
): Promise<WalletVerdict> {
  const jetton = { master, owner }
  const wallet = await jettonWallets.find(jetton, request)
  return wallet === account ? jettonWallets.confirm(jetton, account, request) : 'denied'
}

/** Returns the orders of the wallet that the messages of an arrival name. */
function ordersNamedBy({ route, wallet }: Arrival, { named }: ProvingRun): WatchedOrder[] {
  const found = route.flatMap((message) => named.find(hintOf(message)).flat())
  return found.filter(({ recipients }) => recipients.includes(wallet))
}

function isAmongFirst(masters: ReadonlySet<string>, master: string): boolean {
  return [...masters].indexOf(master) < MOST_OTHER_MASTERS
}
