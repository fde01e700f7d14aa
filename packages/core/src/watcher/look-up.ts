import { NATIVE_ASSET } from '../shared/asset.js'
import { orderId } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { formatUnits, NATIVE_DECIMALS } from '../shared/units.js'
import type { TransferReader } from './options.js'
import type { TransferStatus } from '../toncenter/gateway/transfer-status.js'
import type { LookUpPlace } from './cursor.js'
import type { WatchedOrder } from './open-orders.js'
import type { Candidate } from './scan.js'
import { settleCandidates, submitOne, type SettleCandidatesOptions } from './settle-candidates.js'

/** Dependencies of looking up orders. */
export interface LookUpOptions extends SettleCandidatesOptions {
  transfersOf: (merchant: string) => TransferReader | undefined
  lookupsPerRun: number
}

/** The result of looking up orders. */
interface LookedUp {
  /** The place of the last order that was looked up. */
  place: LookUpPlace | undefined
  /** The first error of the gateway; the remaining orders were looked up nevertheless. */
  failure: Error | undefined
}

/**
 * Looks up some orders individually, in each run the next ones: by the body of the payer's message, whatever its recipient,
 * and then at the gateway.
 */
export async function lookUp(
  options: LookUpOptions,
  after: LookUpPlace | undefined,
): Promise<LookedUp> {
  const { orders, decided, transfersOf, lookupsPerRun } = options
  const open = orders.all
    .filter((order) => {
      const hasSource = order.bodyHash !== undefined || transfersOf(order.merchant) !== undefined
      return hasSource && !decided.has(orderId(order))
    })
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const start = open.findIndex((order) => after === undefined || compare(placeOf(order), after) > 0)
  // After the last order, the first one follows.
  const rotated = start <= 0 ? open : [...open.slice(start), ...open.slice(0, start)]
  const chosen = rotated.slice(0, lookupsPerRun)
  const candidates: Candidate[] = []
  for (const order of chosen) candidates.push(...(await findByBody(options, order)))
  await settleCandidates(options, candidates)
  let failure: Error | undefined
  for (const order of chosen) {
    try {
      await askGateway(options, order)
    } catch (error) {
      options.request.signal?.throwIfAborted()
      if (!(error instanceof Error)) throw error
      failure ??= error
    }
  }
  const last = chosen.at(-1)
  return { place: last === undefined ? after : placeOf(last), failure }
}

function placeOf({ createdMs = 0, reference, merchant }: WatchedOrder): LookUpPlace {
  return [createdMs, reference, merchant]
}

function compare(one: LookUpPlace, other: LookUpPlace): number {
  const [ms, reference, merchant] = one
  const [otherMs, otherReference, otherMerchant] = other
  if (ms !== otherMs) return ms - otherMs
  if (reference !== otherReference) return reference < otherReference ? -1 : 1
  return merchant === otherMerchant ? 0 : merchant < otherMerchant ? -1 : 1
}

async function findByBody(
  { v3, request }: LookUpOptions,
  { bodyHash }: WatchedOrder,
): Promise<Candidate[]> {
  if (bodyHash === undefined) return []
  const filter = { body_hash: bodyHash, direction: 'in', limit: 100 } as const
  const { messages } = await v3.messages(filter, request)
  return messages.flatMap(({ in_msg_tx_hash: txHash, created_at: utime = 0 }) =>
    txHash === undefined || txHash === '' ? [] : [{ txHash, utime }],
  )
}

async function askGateway(
  options: LookUpOptions,
  { reference, merchant }: WatchedOrder,
): Promise<void> {
  const { transfersOf, decided, request } = options
  const transfers = transfersOf(merchant)
  if (transfers === undefined || decided.has(orderId({ reference, merchant }))) return
  const status = await transfers.byReference(reference, request)
  const transfer = status?.reference === reference ? readTransfer(status) : undefined
  if (transfer !== undefined) await submitOne(options, transfer, { merchant, source: 'gateway' })
}

/** Returns the transfer as a webhook would report it; `undefined` while it is not over, or when decisive fields are missing. */
function readTransfer(status: TransferStatus): TransferData | undefined {
  const { state, reference, rawAmount, asset, recipientAddr, txHash } = status
  if (state !== 'success' && state !== 'failed') return undefined
  if (rawAmount === undefined || asset === undefined) return undefined
  if (recipientAddr === undefined || txHash === undefined) return undefined
  const decimals = asset === NATIVE_ASSET ? NATIVE_DECIMALS : 0
  return {
    amount: status.amount ?? formatUnits(rawAmount, decimals),
    rawAmount: rawAmount.toString(),
    senderAddr: status.senderAddr ?? '',
    recipientAddr,
    asset,
    assetTicker: status.assetTicker,
    status: state,
    reference,
    bodyBase64Hash: status.bodyBase64Hash ?? '',
    txHash,
    traceId: status.traceId ?? '',
    commentToRecipient: status.commentToRecipient,
    date: status.date ?? '',
    errorCode: status.errorCode,
    errorMessage: status.errorMessage,
  }
}
