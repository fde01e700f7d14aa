import { NATIVE_ASSET } from '../../shared/asset.js'
import { orderId } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { formatUnits, NATIVE_DECIMALS } from '../../shared/units.js'
import type { TransferStatus } from '../../toncenter/gateway/transfer-status.js'
import type { LookUpPlace } from './stored-progress.js'
import type { WatchedOrder } from './open-orders.js'
import type { Candidate } from '../../toncenter/follow/retry-queue.js'
import type { Run } from './run-state.js'
import { settleCandidates, submitOne } from './settle-candidates.js'

/**
 * Looks up some orders individually, in each run the next ones: by the body of the payer's message, whatever its recipient,
 * and then at the gateway. Saves the place of the last one.
 * @throws the first error of the gateway, after the other orders were looked up.
 */
export async function lookUpNext(run: Run): Promise<void> {
  const { orders, decided, transfersOf, lookups, progress } = run
  const { lookedUp } = progress.current
  const open = orders.all
    .filter((order) => {
      const hasSource = order.bodyHash !== undefined || transfersOf(order.merchant) !== undefined
      return hasSource && !decided.has(orderId(order))
    })
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  // After the last order, the first one follows.
  const isNext = (order: WatchedOrder) => !lookedUp || compare(placeOf(order), lookedUp) > 0
  const rotated = [...open.filter(isNext), ...open.filter((order) => !isNext(order))]
  const chosen = rotated.slice(0, lookups)
  const candidates: Candidate[] = []
  for (const order of chosen) candidates.push(...(await findByBody(run, order)))
  await settleCandidates(run, candidates)
  let failure: Error | undefined
  for (const order of chosen) {
    try {
      await askGateway(run, order)
    } catch (error) {
      run.request.signal?.throwIfAborted()
      if (!(error instanceof Error)) throw error
      failure ??= error
    }
  }
  const last = chosen.at(-1)
  await progress.save({ lookedUp: last === undefined ? lookedUp : placeOf(last) })
  if (failure !== undefined) throw failure
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

async function findByBody({ v3, request }: Run, { bodyHash }: WatchedOrder): Promise<Candidate[]> {
  if (bodyHash === undefined) return []
  const filter = { body_hash: bodyHash, direction: 'in', limit: 100 } as const
  const { messages } = await v3.messages(filter, request)
  return messages.flatMap(({ in_msg_tx_hash: txHash, created_at: utime = 0 }) =>
    txHash === undefined || txHash === '' ? [] : [{ txHash, utime }],
  )
}

async function askGateway(run: Run, { reference, merchant }: WatchedOrder): Promise<void> {
  const { transfersOf, decided, request } = run
  const transfers = transfersOf(merchant)
  if (transfers === undefined || decided.has(orderId({ reference, merchant }))) return
  const status = await transfers.byReference(reference, request)
  const transfer = status?.reference === reference ? readTransfer(status) : undefined
  if (transfer !== undefined) await submitOne(run, transfer, { merchant, source: 'gateway' })
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
