import { runInside } from '../runtime/around.js'
import type { Clock } from '../runtime/clock.js'
import { describeThrown, errorFacts } from '../runtime/error-facts.js'
import type { Logger } from '../runtime/logger.js'
import type { HandlerRunEnd, ReceiverInstrumentation } from '../webhook/instrumentation.js'
import type { HandlerOutcome, HandlerTask, Inbox } from './inbox.js'

/** How long a task belongs to a process that does not renew its lease. */
export const HANDLER_LEASE_MS = 60_000
/** Runs of a task that may end with their process, and so without a record. */
const SPARE_ATTEMPTS = 20

/** What running a task under its lease needs. */
export interface LeasedRunOptions {
  /** The receiver's name. */
  name: string
  inbox: Inbox
  clock: Clock
  logger: Logger
  handlerRetry: { maxAttempts: number; minDelayMs: number; maxDelayMs: number }
  handlerTimeoutMs: number
  instrumentation: ReceiverInstrumentation
  /** Runs a task once, and says how it ended. A throw is tried again. */
  runTask: (task: HandlerTask, signal: AbortSignal) => Promise<HandlerOutcome>
}

/** Runs a handler under a lease that is renewed while it runs, and records how it ended. Never rejects. */
export async function runLeased(options: LeasedRunOptions, task: HandlerTask): Promise<void> {
  const { name: receiver, inbox, logger } = options
  const { handler, idempotencyKey, attempt, deliveryId } = task
  const stopRenewing = renewLease(options, task)
  const { outcome } = await runInside(
    options.instrumentation.handler,
    () => ({ receiver, handler, deliveryId, idempotencyKey, attempt }),
    () => runOnce(options, task),
  )
  stopRenewing()
  if (outcome.kind === 'dead') {
    const facts = { handler, idempotencyKey, attempt, reason: outcome.error }
    logger.error('a handler used up its attempts and is a dead letter', facts)
  }
  try {
    const isHeld = await inbox.finishTask(task, outcome)
    if (!isHeld) {
      logger.warn('a handler outlived its lease and may run again', { handler, idempotencyKey })
    }
  } catch (error) {
    logger.error('the end of a handler could not be recorded; it runs again when its lease ends', {
      handler,
      idempotencyKey,
      error: errorFacts(error),
    })
  }
}

/** A handler that outlives the drain is for another process to run again, if the inbox keeps it. Never rejects. */
export async function releaseTask(options: LeasedRunOptions, task: HandlerTask): Promise<void> {
  const { handler, idempotencyKey } = task
  const text = options.inbox.isDurable
    ? 'a handler was still running at the end of the drain; it runs again'
    : 'a handler was still running at the end of the drain; the inbox forgets it with the process'
  options.logger.warn(text, { handler, idempotencyKey })
  await giveBack(options, task, 'the process was stopped while the handler ran')
}

/** What was claimed by a process that was stopped meanwhile is for another one to run. Never rejects. */
export async function returnTask(options: LeasedRunOptions, task: HandlerTask): Promise<void> {
  await giveBack(options, task, 'the process was stopped before the handler ran')
}

async function giveBack(
  { inbox, clock, logger }: LeasedRunOptions,
  task: HandlerTask,
  reason: string,
): Promise<void> {
  const { handler, idempotencyKey } = task
  try {
    await inbox.finishTask(task, { kind: 'retry', retryAtMs: clock.nowMs(), error: reason })
  } catch (error) {
    const facts = { handler, idempotencyKey, error: errorFacts(error) }
    logger.warn('a lease could not be given back; it ends by itself', facts)
  }
}

async function runOnce(options: LeasedRunOptions, task: HandlerTask): Promise<HandlerRunEnd> {
  const { handler, idempotencyKey, attempt } = task
  const { maxAttempts, minDelayMs, maxDelayMs } = options.handlerRetry
  try {
    return { outcome: await runInTime(options, task) }
  } catch (thrown) {
    const error = describeThrown(thrown)
    if (attempt >= maxAttempts) return { outcome: { kind: 'dead', error }, thrown }
    const delayMs = Math.min(minDelayMs * 2 ** (attempt - 1), maxDelayMs)
    const facts = { handler, idempotencyKey, attempt, delayMs, error: errorFacts(thrown) }
    options.logger.warn('a handler failed and is tried again', facts)
    const retryAtMs = options.clock.nowMs() + delayMs
    return { outcome: { kind: 'retry', retryAtMs, error }, thrown }
  }
}

/** A handler that hangs would keep its place, and with enough others all places, for ever. */
async function runInTime(options: LeasedRunOptions, task: HandlerTask): Promise<HandlerOutcome> {
  const { clock, handlerTimeoutMs } = options
  const controller = new AbortController()
  let cancel = (): void => undefined
  refuseDeadly(options, task)
  const timeout = new Promise<never>((_, reject) => {
    cancel = clock.setTimer(
      () => {
        const error = new Error(`${task.handler} took longer than ${handlerTimeoutMs} ms`)
        reject(error)
        controller.abort(error)
      },
      handlerTimeoutMs,
      { isBackground: true },
    )
  })
  try {
    return await Promise.race([options.runTask(task, controller.signal), timeout])
  } finally {
    cancel()
  }
}

/**
 * A run that ends its process is not recorded, and the next server takes it up. One that does so each time would end
 * them all, one after the other, for ever. The spare ones are for deploys, and for what others crash of.
 */
function refuseDeadly(
  { handlerRetry: { maxAttempts } }: LeasedRunOptions,
  task: HandlerTask,
): void {
  const { handler, attempt } = task
  if (attempt <= maxAttempts + SPARE_ATTEMPTS) return
  throw new Error(`${handler} was begun ${attempt - 1} times, and its processes ended meanwhile`)
}

function renewLease({ inbox, clock, logger }: LeasedRunOptions, task: HandlerTask): () => void {
  const { handler, idempotencyKey } = task
  const renew = async (): Promise<void> => {
    schedule()
    try {
      await inbox.extendLease(task, clock.nowMs() + HANDLER_LEASE_MS)
    } catch (error) {
      const facts = { handler, idempotencyKey, error: errorFacts(error) }
      logger.warn('the lease of a handler could not be renewed', facts)
    }
  }
  const schedule = (): void => {
    cancel = clock.setTimer(() => void renew(), HANDLER_LEASE_MS / 2, { isBackground: true })
  }
  let cancel: () => void = () => undefined
  schedule()
  return () => cancel()
}
