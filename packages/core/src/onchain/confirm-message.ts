import { ConfirmationInterruptedError, ConfirmationTimeoutError } from '../errors/confirmation.js'
import { isTonplugError } from '../errors/tonplug-error.js'
import { mayPass } from '../runtime/may-pass.js'
import { sleep } from '../transport/abort.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { Transaction } from '../v3/schemas/transaction.js'
import type { Absence } from './absence.js'
import { judgeTrace, type TraceVerdict } from './judge-trace.js'
import { lookForTrace, type Sighting, type TraceMetadata } from './look-for-trace.js'
import type { MessageStatus } from './message-status.js'
import type { ResumePoint } from './resume-point.js'
import { transactionsOf } from './trace-transactions.js'
import type { ChainReader, ResolvedWaitOptions } from './wait-options.js'

/**
 * A message that has landed, with all that it caused. `outcome` is `success` when every contract that ran did so to a
 * good end; otherwise `reason` says in words what went wrong. `describeTrace(trace, { metadata })` tells who paid whom.
 */
export type ConfirmedMessage = TraceVerdict & {
  /** The hash that it was looked for by, in base64. */
  hash: string
  /** `confirmed` only when that was asked for: it can still be undone. */
  status: 'confirmed' | 'finalized'
  trace: Trace
  /** In the order in which they took place, from the one that received the message. */
  transactions: Transaction[]
  /** What the index knows of tokens among the addresses of the trace. */
  metadata: TraceMetadata | undefined
}

/** Who sends the message, if anybody does. */
export interface Sender {
  /** Sends it when it is time to; never throws for what leaves its fate open. @param remainingMs of the whole wait */
  send(remainingMs: number): Promise<void>
  /** What went wrong last with sending. */
  readonly lastError: Error | undefined
}

/** What to wait for. */
export interface Confirmation {
  v3: ChainReader
  resume: ResumePoint
  options: ResolvedWaitOptions
  absence: Absence
  sender?: Sender | undefined
  /** Whether it cannot be there yet, so that it is sent before it is looked for. */
  isNew: boolean
}

const LONGEST_PAUSE_MS = 15_000
const LONGEST_CALL_MS = 60_000

/**
 * Looks for a message, and has it sent while it is unseen, until it has come as far as is wanted.
 * @throws {ConfirmationTimeoutError} {@link ConfirmationInterruptedError}, what `absence` and `sender` throw, and the
 *   signal's reason.
 */
export async function confirmMessage(confirmation: Confirmation): Promise<ConfirmedMessage> {
  const { v3, resume, options, sender, isNew } = confirmation
  const { signal, timeoutMs, pollMs } = options
  const deadlineAtMs = v3.clock.nowMs() + timeoutMs
  const remainingMs = (): number => deadlineAtMs - v3.clock.nowMs()
  const progress = createProgress(options)
  let failures = 0
  let lookError: Error | undefined
  // It would cost a request to look for what cannot be there.
  for (let isToLook = !isNew; remainingMs() > 0; isToLook = true) {
    if (isToLook) {
      const looked = await look(confirmation, remainingMs(), progress.status)
      lookError = looked.error
      failures = lookError === undefined ? 0 : failures + 1
      if (lookError === undefined) progress.report(looked.sighting)
      const confirmed = progress.confirmed(resume.hash)
      if (confirmed !== undefined) return confirmed
    }
    if (progress.status === 'unseen' && remainingMs() > 0) await sender?.send(remainingMs())
    const pauseMs = Math.min(pollMs * 2 ** failures, Math.max(pollMs, LONGEST_PAUSE_MS))
    await sleep(v3.clock, Math.max(0, Math.min(pauseMs, remainingMs())), signal)
  }
  const cause = sender?.lastError ?? lookError
  throw new ConfirmationTimeoutError({ resume, status: progress.status, timeoutMs, cause })
}

/** What a look has brought. Without an error, no sighting says that the index does not have the message. */
interface Looked {
  sighting?: Sighting | undefined
  error?: Error | undefined
}

/** @throws when it is no use to look again, and when the message never lands. */
async function look(
  { v3, resume, options, absence }: Confirmation,
  remainingMs: number,
  status: MessageStatus,
): Promise<Looked> {
  const { priority, signal } = options
  const request = { priority, signal, deadlineMs: Math.min(remainingMs, LONGEST_CALL_MS) }
  let sighting: Sighting | undefined
  try {
    // Ahead of the look: what is not there afterwards is in none of the blocks up to this one.
    await absence.readHead(request)
    sighting = await lookForTrace(v3, resume.hash, request)
  } catch (error) {
    signal.throwIfAborted()
    if (!isTonplugError(error)) throw error
    if (mayPass(error)) return { error }
    throw new ConfirmationInterruptedError({ resume, status, cause: error })
  }
  absence.record(sighting !== undefined)
  return { sighting }
}

/** How far the message has come, told on. */
function createProgress({ until, onProgress }: ResolvedWaitOptions) {
  let last: Sighting | undefined
  return {
    get status(): MessageStatus {
      return last?.status ?? 'unseen'
    },
    report(sighting: Sighting | undefined): void {
      const isNews = sighting?.status !== last?.status
      last = sighting
      if (isNews) onProgress({ status: sighting?.status ?? 'unseen', trace: sighting?.trace })
    },
    confirmed(hash: string): ConfirmedMessage | undefined {
      if (last === undefined) return undefined
      const { status, trace, metadata } = last
      const isWanted = status === 'finalized' || (status === 'confirmed' && until === 'confirmed')
      if (!isWanted) return undefined
      const { verdict } = judgeTrace(trace)
      return { ...verdict, hash, status, trace, transactions: transactionsOf(trace), metadata }
    },
  }
}
