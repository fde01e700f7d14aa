import { setTimeout as sleep } from 'node:timers/promises'
import { isTonplugError } from '@tonplug/core'
import { ConfirmationTimeoutError, sendAndWait } from '@tonplug/core/toncenter'
import type { ConfirmedMessage, V2Client, V3Client } from '@tonplug/core/toncenter'
import { payoutOutcome } from './payout-outcome.js'
import type { Payout, PayoutQueue, SignedMessage } from './payout-queue.js'
import { UnpayableError, type PayoutWallet } from './payout-wallet.js'
import type { Settings } from './settings.js'

/** Polls for a message before the wallet's seqno is checked again. */
const POLLS_PER_CHECK = 25

/** Consecutive lookups that must find nothing, because one of several index servers may lag. */
const LOOKUPS = 2
/** Other errors that may disappear: a failure without a known reason, and the rejection while the wallet has no gas. */
const TRANSIENT = new Set<string>(['ERR_TONPLUG_SERVER', 'ERR_TONPLUG_MESSAGE_REJECTED'])

interface Worker {
  v2: V2Client
  v3: V3Client
  queue: PayoutQueue
  wallet: PayoutWallet
  settings: Pick<Settings, 'FIRST_SEQNO' | 'POLL_MS'>
  signal: AbortSignal
}

/**
 * Pays queued payouts one after another, until the signal is aborted. Each one is paid once, even if this process is killed:
 * it has one message, which is stored before it is sent and does not expire, and the wallet executes one message per seqno.
 * @throws permanent errors, for example for a wrong API key.
 */
export async function payQueue(worker: Worker): Promise<void> {
  const { queue, settings, signal } = worker
  let wasIdle = false
  while (!signal.aborted) {
    const payout = await queue.next()
    if (payout === undefined && !wasIdle) log('queue is empty')
    wasIdle = payout === undefined
    if (payout !== undefined && (await advance(worker, payout))) continue
    // Rejects when the signal is aborted.
    await sleep(settings.POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Advances one payout. @returns true if the next step should follow without a delay. */
async function advance(worker: Worker, payout: Payout): Promise<boolean> {
  const { reference, message } = payout
  try {
    return message === null ? await sign(worker, payout) : await settle(worker, payout, message)
  } catch (error) {
    if (worker.signal.aborted) return false
    if (error instanceof UnpayableError) return await fail(worker, payout, error.message)
    if (!isTonplugError(error) || !(error.retryable || TRANSIENT.has(error.code))) throw error
    log('step failed', { reference, reason: error.message })
    return false
  }
}

/** Signs and stores a message, without sending it. */
async function sign({ queue, wallet, settings }: Worker, payout: Payout): Promise<boolean> {
  const last = await queue.lastSeqno()
  const expected = last === undefined ? settings.FIRST_SEQNO : last + 1
  const seqno = await wallet.seqno()
  if (seqno > expected) throw new OtherSeqnoError(seqno, expected)
  // The node lags behind the last payout.
  if (seqno < expected) return false
  await queue.sign(payout, await wallet.sign(payout, seqno))
  return true
}

/** Finds the stored message on the chain, or sends it unchanged, and records the payout's outcome. */
async function settle(worker: Worker, payout: Payout, message: SignedMessage): Promise<boolean> {
  const { v2, queue, wallet } = worker
  const { reference } = payout
  const { boc, hash } = message
  const confirmed = await sendOrFind(worker, message)
  if (confirmed === 'unseen' || isUndone(confirmed)) {
    await checkSeqno(worker, message)
    // The wallet accepts the same message again.
    if (confirmed !== 'unseen') await v2.sendBoc({ boc })
    return false
  }
  const outcome = payoutOutcome(payout, confirmed, wallet.address.toRawString())
  if (outcome === undefined) {
    // No other payout starts before this one is settled.
    log('the trace does not tell the outcome', { reference, hash })
    return false
  }
  if (outcome !== 'paid') return await fail(worker, payout, outcome.failed)
  await queue.paid(payout)
  log('payout completed', { reference, amount: `${payout.amount}` })
  return true
}

/** Returns the message with its trace. @throws while it is seen but not confirmed. */
async function sendOrFind(
  { v2, v3, settings: { POLL_MS: pollMs }, signal }: Worker,
  { boc, hash }: SignedMessage,
): Promise<ConfirmedMessage | 'unseen'> {
  try {
    // A checkpoint is searched for before it is sent.
    const options = { pollMs, timeoutMs: POLLS_PER_CHECK * pollMs, signal }
    return await sendAndWait({ v2, v3 }, { boc, hash }, options)
  } catch (error) {
    if (error instanceof ConfirmationTimeoutError && error.status === 'unseen') return 'unseen'
    throw error
  }
}

/** Returns true if the wallet ran out of gas and has undone the message. */
function isUndone({ transactions }: ConfirmedMessage): boolean {
  return transactions[0]?.description.aborted === true
}

/** @throws {OtherSeqnoError} if the index has the wallet's last transaction, and not this message, whose seqno is used. */
async function checkSeqno({ v2, v3, wallet }: Worker, message: SignedMessage): Promise<void> {
  const { address } = wallet
  const seqno = await wallet.seqno()
  if (seqno <= message.seqno) return
  const { last_transaction_id: last } = await v2.getAddressInformation({ address })
  for (let lookup = 0; lookup < LOOKUPS; lookup++) {
    const isIndexed = await isExecuted(v3, { tx_hash: last.hash })
    if (!isIndexed || (await isExecuted(v3, { msg_hash: message.hash }))) return
  }
  throw new OtherSeqnoError(seqno, message.seqno)
}

async function isExecuted(
  v3: V3Client,
  filter: { tx_hash: string } | { msg_hash: string },
): Promise<boolean> {
  try {
    const { traces } = await v3.traces({ ...filter, sort: 'desc', limit: 1 })
    return traces.some(
      ({ transactions = {}, transactions_order: [first = ''] }) =>
        transactions[first]?.description.aborted !== true,
    )
  } catch (error) {
    // Some servers respond with 404 for an empty list.
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND') return false
    throw error
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

async function fail({ queue }: Worker, payout: Payout, reason: string): Promise<true> {
  await queue.failed(payout, reason)
  log('payout failed', { reference: payout.reference, reason })
  return true
}

function log(message: string, fields?: object): void {
  console.log(JSON.stringify({ message, ...fields }))
}
