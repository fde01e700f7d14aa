import { NATIVE_ASSET } from '../orders/asset.js'
import { NATIVE_DECIMALS, toDecimal } from '../transfers/decimal-amount.js'
import type { TransferClient } from '../transfers/transfer-client.js'
import type { TransferStatus } from '../transfers/transfer-status.js'
import type { TransferData } from '../webhook/payload.js'
import type { Progress } from './cursor.js'
import type { WatchedOrder } from './open-orders.js'
import type { Candidate } from './scan.js'
import { settleCandidates, settleOne, type SettleCandidatesOptions } from './settle-candidates.js'

/** What looking up orders works with. */
export interface LookUpOptions extends SettleCandidatesOptions {
  transfers: Pick<TransferClient, 'byReference'> | undefined
  lookupsPerRun: number
}

type Place = NonNullable<Progress['lookedUp']>

/** How far it came. */
interface LookedUp {
  /** Of the last order that was looked up. */
  place: Place | undefined
  /** What the gateway failed with first. The orders behind it have had their turn all the same. */
  failure: Error | undefined
}

/**
 * Looks up some orders one by one, each run the next ones: by the body of the payer's message, wherever it went first,
 * and then at the gateway.
 */
export async function lookUp(options: LookUpOptions, after: Place | undefined): Promise<LookedUp> {
  const { orders, decided, transfers, lookupsPerRun } = options
  const open = orders.all
    .filter(({ reference, bodyHash }) => {
      const canBeAsked = bodyHash !== undefined || transfers !== undefined
      return canBeAsked && !decided.has(reference)
    })
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const start = open.findIndex((order) => after === undefined || compare(placeOf(order), after) > 0)
  // At the end it begins again.
  const rotated = start <= 0 ? open : [...open.slice(start), ...open.slice(0, start)]
  const chosen = rotated.slice(0, lookupsPerRun)
  const candidates: Candidate[] = []
  for (const order of chosen) candidates.push(...(await findByBody(options, order)))
  await settleCandidates(options, candidates)
  let failure: Error | undefined
  for (const { reference } of chosen) {
    try {
      await askGateway(options, reference)
    } catch (error) {
      options.request.signal?.throwIfAborted()
      if (!(error instanceof Error)) throw error
      failure ??= error
    }
  }
  const last = chosen.at(-1)
  return { place: last === undefined ? after : placeOf(last), failure }
}

function placeOf({ createdMs = 0, reference }: WatchedOrder): Place {
  return [createdMs, reference]
}

function compare([ms, reference]: Place, [otherMs, otherReference]: Place): number {
  if (ms !== otherMs) return ms - otherMs
  return reference < otherReference ? -1 : reference > otherReference ? 1 : 0
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

async function askGateway(options: LookUpOptions, reference: string): Promise<void> {
  const { transfers, decided, request } = options
  if (transfers === undefined || decided.has(reference)) return
  const status = await transfers.byReference(reference, request)
  const transfer = status === null ? undefined : readTransfer(status)
  if (transfer !== undefined) await settleOne(options, { transfer, foundBy: 'gateway' })
}

/** The transfer as a webhook would tell it; `undefined` while it is not over, or not told in full. */
function readTransfer(status: TransferStatus): TransferData | undefined {
  const { state, reference, rawAmount, asset, recipientAddr, txHash } = status
  if (state !== 'success' && state !== 'failed') return undefined
  const isTold = asset !== undefined && recipientAddr !== undefined && txHash !== undefined
  if (rawAmount === undefined || !isTold) return undefined
  const decimals = asset === NATIVE_ASSET ? NATIVE_DECIMALS : 0
  return {
    amount: status.amount ?? toDecimal(rawAmount, decimals),
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
