import { setTimeout as sleep } from 'node:timers/promises'
import { isTonplugError } from '@tonplug/core'
import { ConfirmationTimeoutError, sendAndWait } from '@tonplug/core/toncenter'
import type { ConfirmedMessage, V2Client, V3Client } from '@tonplug/core/toncenter'
import { isExpired, nextExpiry } from './message-expiry.js'
import { payoutOutcome } from './payout-outcome.js'
import type { Payout, PayoutQueue, SignedMessage } from './payout-queue.js'
import { UnpayableError, type PayoutWallet } from './payout-wallet.js'

/** Polls for a message before its expiry is checked. */
const POLLS_PER_CHECK = 25

interface Worker {
  v2: V2Client
  v3: V3Client
  queue: PayoutQueue
  wallet: PayoutWallet
  /** The wallet's seqno before the first payout. */
  firstSeqno: number
  pollMs: number
  signal: AbortSignal
}

/**
 * Pays queued payouts, one message at a time, until the signal is aborted. Each one is paid once, even if this process is
 * killed: a message is stored before it is sent, another one is signed after it has expired, and the wallet accepts one
 * message per seqno.
 * @throws permanent errors, for example for a wrong API key.
 */
export async function payQueue(worker: Worker): Promise<void> {
  const { pollMs, signal } = worker
  let wasIdle = false
  while (!signal.aborted) {
    const next = await worker.queue.next()
    if (next === undefined && !wasIdle) log('queue is empty')
    wasIdle = next === undefined
    if (next !== undefined && (await advance(worker, next))) continue
    // Rejects when the signal is aborted.
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Another program pays from the wallet, or the table is older than its last message. */
class OtherSeqnoError extends Error {
  constructor(seqno: number, expected: number) {
    super(
      `The wallet's seqno is ${seqno}; expected ${expected}. Another program pays from it, or the table is outdated, or new while the wallet is not: then set FIRST_SEQNO. Compare the queued payouts with the wallet's history before you start the worker again`,
    )
  }
}

/** Advances one payout. @returns true if the next step should follow without a delay. */
async function advance(
  worker: Worker,
  { payout, message }: NonNullable<Awaited<ReturnType<PayoutQueue['next']>>>,
): Promise<boolean> {
  const { reference } = payout
  try {
    return message === null ? await sign(worker, payout) : await settle(worker, payout, message)
  } catch (error) {
    if (worker.signal.aborted) return false
    if (error instanceof UnpayableError) return await fail(worker, payout, error.message)
    // Errors of a server without a known reason may disappear.
    const isTransient =
      isTonplugError(error) && (error.retryable || error.code === 'ERR_TONPLUG_SERVER')
    if (!isTransient) throw error
    log('step failed', { reference, reason: error.message })
    return false
  }
}

/** Signs and stores a message, without sending it. */
async function sign(worker: Worker, payout: Payout): Promise<boolean> {
  const { queue, wallet } = worker
  const last = await queue.lastSeqno()
  const expected = last === undefined ? worker.firstSeqno : last + 1
  const seqno = await wallet.seqno()
  if (seqno > expected) throw new OtherSeqnoError(seqno, expected)
  // The node lags behind the last payout.
  if (seqno < expected) return false
  const validUntil = await nextExpiry(worker)
  const message = await wallet.sign(payout, { seqno, validUntil })
  await queue.sign(payout, message)
  return true
}

/** Finds the stored message on the chain, or sends it unchanged, and records the payout's outcome. */
async function settle(worker: Worker, payout: Payout, message: SignedMessage): Promise<boolean> {
  const { queue, wallet } = worker
  const { reference } = payout
  const confirmed = await sendOrFind(worker, message)
  if (confirmed === undefined || isUndone(confirmed)) {
    if (!(await isExpired(worker, message))) return confirmed === undefined
    const seqno = await wallet.seqno()
    if (seqno > message.seqno) throw new OtherSeqnoError(seqno, message.seqno)
    if (seqno < message.seqno) return false
    await queue.release(payout)
    log('message expired', { reference })
    return true
  }
  const outcome = payoutOutcome(payout, confirmed, wallet.address.toRawString())
  if (outcome === undefined) {
    // No other payout starts before this one is settled.
    log('the trace does not tell the outcome', { reference, hash: message.hash })
    return false
  }
  if (outcome !== 'paid') return await fail(worker, payout, outcome.failed)
  await queue.paid(payout)
  log('payout completed', { reference, amount: `${payout.amount}` })
  return true
}

/** Returns the message with its trace; undefined if it was not confirmed in time. */
async function sendOrFind(
  { v2, v3, pollMs, signal }: Worker,
  { boc, hash }: SignedMessage,
): Promise<ConfirmedMessage | undefined> {
  try {
    // A checkpoint is looked up before it is sent. Without `validUntil`, because only the time of the chain counts.
    const options = { pollMs, timeoutMs: POLLS_PER_CHECK * pollMs, signal }
    return await sendAndWait({ v2, v3 }, { boc, hash }, options)
  } catch (error) {
    if (error instanceof ConfirmationTimeoutError) return undefined
    throw error
  }
}

/** Returns true if the wallet ran out of gas and has undone the message. It may execute it again until it expires. */
function isUndone({ transactions }: ConfirmedMessage): boolean {
  return transactions[0]?.description.aborted === true
}

async function fail({ queue }: Worker, payout: Payout, reason: string): Promise<true> {
  await queue.failed(payout, reason)
  log('payout failed', { reference: payout.reference, reason })
  return true
}

function log(message: string, fields?: object): void {
  console.log(JSON.stringify({ message, ...fields }))
}
