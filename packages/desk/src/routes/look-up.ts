import { canonicalAddress, isTonplugError, NATIVE_ASSET, type Logger } from '@tonplug/core'
import type { ListedTransfer, Operator, OperatorReader } from '@tonplug/core/operator'
import { parseTrace, type JettonTransfer, type NativeTransfer } from '@tonplug/core/toncenter'
import type { ChainLookUp } from '../api.js'
import { DeskRequestError } from '../responses.js'
import { shortAddress, shownAddress } from '../words/addresses.js'
import { coinsOf } from '../words/coins.js'
import type { Vocabulary } from '../words/sentences.js'
import { isHash, toRow } from './transfers.js'

/** Transfers of one trace that are described: first the transfers to the shop's wallets. */
const MAX_TRANSFERS = 5
/** Transfers of one trace whose payments are looked up, and how many of them at once. */
const MAX_LOOKED_UP = 100
const AT_ONCE = 5
const NOT_FOUND =
  'The chain has no transaction or message with this hash. It may be of another network, or only some seconds old. Ask the customer for the link of the payment in the wallet app.'
const NO_MONEY =
  'The chain has this transaction. No TON and no jetton was transferred in it: there is nothing to assign.'
const FAILED = 'The chain could not be read. Try again later.'
const NOT_FINAL = 'It is not final yet. Look again in some seconds.'

/** Sources of a look at the chain. */
export interface LookUpSources {
  operator: Pick<Operator, 'list'>
  v3: OperatorReader | undefined
  wallets: readonly string[]
  words: Vocabulary
  logger: Logger
}

type CoinTransfer = NativeTransfer | JettonTransfer

/**
 * Looks for a transaction or a message on the chain, of the customer's wallet too, and returns what happened and the
 * payments that the shop knows of it.
 * @throws {DeskRequestError} for a string that is not a hash, and without a client of API v3.
 */
export async function lookUp(sources: LookUpSources, hash: unknown): Promise<ChainLookUp> {
  const { v3, logger } = sources
  if (v3 === undefined || typeof hash !== 'string' || !isHash(hash)) {
    throw new DeskRequestError(400, 'INVALID', 'Give the whole hash of a transaction.')
  }
  try {
    return await describe(sources, await findTrace(v3, hash))
  } catch (error) {
    logger.warn('desk look at a transaction failed', { hash, error })
    return { sentences: [FAILED], payments: [] }
  }
}

interface Found {
  transfers: readonly CoinTransfer[]
  utime: number
  isFinal: boolean
}

async function findTrace(v3: OperatorReader, hash: string): Promise<Found | undefined> {
  for (const query of [{ tx_hash: [hash] }, { msg_hash: [hash] }]) {
    const found = await v3.traces({ ...query, include_actions: true, limit: 1 }).catch(noTrace)
    const [trace] = found?.traces ?? []
    if (trace === undefined) continue
    const { transfers, utime, isFinal } = parseTrace(trace, { metadata: found?.metadata })
    return { transfers: transfers.filter(isCoin), utime, isFinal }
  }
  return undefined
}

/** Some servers respond with 404 instead of an empty list. */
function noTrace(error: unknown): undefined {
  if (isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND') return undefined
  throw error
}

function isCoin(transfer: { kind: string }): transfer is CoinTransfer {
  return transfer.kind === 'native' || transfer.kind === 'jetton'
}

async function describe(sources: LookUpSources, found: Found | undefined): Promise<ChainLookUp> {
  if (found === undefined) return { sentences: [NOT_FOUND], payments: [] }
  const { words } = sources
  const { utime, isFinal } = found
  const own = new Set(sources.wallets.map((wallet) => canonicalAddress(wallet)))
  const isOwn = ({ recipient }: CoinTransfer): boolean =>
    recipient !== undefined && own.has(canonicalAddress(recipient))
  const ofShop = found.transfers.filter(isOwn)
  const transfers = [...ofShop, ...found.transfers.filter((transfer) => !isOwn(transfer))]
  const shown = transfers.slice(0, MAX_TRANSFERS)
  const lookedUp = transfers.slice(0, MAX_LOOKED_UP)
  const known = await paymentsOfEach(sources, lookedUp)
  const payments = new Map(known.flat().map((payment) => [payment.reportId, payment]))
  const isMissing = lookedUp.some(
    (transfer, index) =>
      isOwn(transfer) && transfer.outcome === 'arrived' && known[index]?.length === 0,
  )
  const more = transfers.length - shown.length
  // Without a list of wallets, a transfer that was not looked up may be the shop's.
  const mayBeOwn = own.size === 0 && transfers.length > lookedUp.length
  const facts = { isMissing, isKnown: payments.size > 0, isOwn: ofShop.length > 0 || mayBeOwn }
  return {
    sentences: [
      ...(shown.length === 0 ? [NO_MONEY] : []),
      ...shown.map((transfer) => sentenceOf(transfer, isOwn(transfer), words)),
      ...(more > 0 ? [`The transaction has ${more} further transfers.`] : []),
      ...(isFinal ? [] : [NOT_FINAL]),
      ...(isFinal ? nextSteps(facts) : []),
    ],
    paidAtMs: utime * 1000,
    payments: [...payments.values()].map((payment) => toRow(payment, words)),
    isMissing: isFinal && isMissing,
  }
}

async function paymentsOfEach(
  sources: LookUpSources,
  transfers: readonly CoinTransfer[],
): Promise<ListedTransfer[][]> {
  const found: ListedTransfer[][] = []
  for (let start = 0; start < transfers.length; start += AT_ONCE) {
    const some = transfers.slice(start, start + AT_ONCE)
    found.push(...(await Promise.all(some.map((transfer) => paymentsOf(sources, transfer)))))
  }
  return found
}

async function paymentsOf(
  { operator }: LookUpSources,
  { receivedIn }: CoinTransfer,
): Promise<ListedTransfer[]> {
  return receivedIn === undefined ? [] : operator.list({ transactionHash: receivedIn, limit: 5 })
}

function sentenceOf(transfer: CoinTransfer, isOwn: boolean, words: Vocabulary): string {
  const { amount, sender, recipient, outcome, comment, encryptedComment } = transfer
  const asset = transfer.kind === 'native' ? NATIVE_ASSET : (transfer.jetton ?? '')
  const to = recipient === undefined ? 'an unknown account' : shown(recipient, words)
  const text = encryptedComment === undefined ? 'without a comment' : 'with an encrypted comment'
  const said = comment === undefined || comment === '' ? text : `with the comment “${comment}”`
  const whose = isOwn ? 'a wallet of this shop' : 'not a wallet of this shop'
  const coins = coinsOf(`${amount}`, words.coins.of(asset))
  return `${coins} was sent from ${shown(sender, words)} to ${to}, ${whose}, ${said}. ${OUTCOMES[outcome]}`
}

const OUTCOMES: Record<CoinTransfer['outcome'], string> = {
  arrived: 'It arrived.',
  bounced: 'It did not arrive, and went back to the sender.',
  failed: 'It did not arrive.',
  pending: 'It has not arrived yet.',
  unknown: 'The index does not know whether it arrived.',
}

function shown(address: string, { network }: Vocabulary): string {
  return shortAddress(shownAddress(address, network))
}

function nextSteps(facts: { isMissing: boolean; isKnown: boolean; isOwn: boolean }): string[] {
  if (facts.isMissing) return ['The shop has not recorded this money yet: look at the chain now.']
  if (facts.isKnown) return ['The shop knows it: open the payment below.']
  if (facts.isOwn) return []
  return ['The shop does not have this money. Only its recipient can send it back.']
}
