import { errorFacts } from '../runtime/error-facts.js'
import type { Clock } from '../runtime/clock.js'
import type { Logger } from '../runtime/logger.js'
import type { JobListener, JobQueue, JobSubscription } from './job-queue.js'

const RENEW_EVERY_MS = 60_000
const HELP_EVERY_MS = 1000
/** Some queues wait for their server for ever, and say nothing. */
const SILENCE_MS = 10_000
const TROUBLE_EVERY_MS = 60_000

/** A worker's link to its queue. Nothing here rejects: what the queue fails to do, each server does by itself. */
export interface JobLink {
  /** Listens from now on, and tries again each minute while the queue cannot be reached. */
  join(): void
  /** Has a server woken in `delayMs`, unless it has been asked for one that comes no later. */
  wakeIn(delayMs: number): void
  /** Wakes a server that has a place; asked for once a second at most. */
  askForHelp(): void
  /** Listens no more; resolves when what the queue called has ended. */
  leave(): Promise<void>
  /** Wakes another server, to go on with what this one leaves. */
  handOver(): Promise<void>
}

/** @param listener what the queue calls on this server. */
export function createJobLink(
  { jobs, clock, logger }: { jobs: JobQueue; clock: Clock; logger: Logger },
  listener: JobListener,
): JobLink {
  const { receiver } = listener
  let subscribed: Promise<JobSubscription | undefined> = Promise.resolve(undefined)
  let hasLeft = false
  let cancelRenewal = (): void => undefined
  let nextWakeUpMs = -Infinity
  let nextHelpMs = -Infinity
  let nextTroubleMs = -Infinity

  const warn = (what: string, error?: unknown): void =>
    logger.warn(`the job queue ${what}; each server looks at the inbox by itself`, {
      queue: jobs.name,
      ...(error !== undefined && { error: errorFacts(error) }),
    })
  const noticingSilence = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const options = { isBackground: true }
    const cancel = clock.setTimer(() => warn('does not answer'), SILENCE_MS, options)
    try {
      return await work()
    } finally {
      cancel()
    }
  }
  const onTrouble = (error: unknown): void => {
    const nowMs = clock.nowMs()
    if (hasLeft || nowMs < nextTroubleMs) return
    nextTroubleMs = nowMs + TROUBLE_EVERY_MS
    warn('is in trouble', error)
  }
  const listen = async (): Promise<JobSubscription | undefined> => {
    try {
      return await noticingSilence(() => jobs.listen({ ...listener, onTrouble }))
    } catch (error) {
      warn('cannot be reached', error)
      return undefined
    }
  }
  const renew = async (): Promise<void> => {
    const subscription = await subscribed
    if (hasLeft) return
    if (subscription === undefined) {
      subscribed = listen()
      return
    }
    try {
      await noticingSilence(() => subscription.renew())
    } catch (error) {
      warn('cannot be reached', error)
    }
  }
  const renewLater = (): void => {
    if (hasLeft) return
    const options = { isBackground: true }
    cancelRenewal = clock.setTimer(() => void renew().then(renewLater), RENEW_EVERY_MS, options)
  }
  const send = async (delayMs: number): Promise<void> => {
    try {
      await jobs.wake({ receiver, delayMs })
    } catch (error) {
      warn('did not take a wake-up', error)
    }
  }

  return {
    join() {
      subscribed = listen()
      renewLater()
    },
    wakeIn(delayMs) {
      const nowMs = clock.nowMs()
      if (nowMs < nextWakeUpMs && nextWakeUpMs <= nowMs + delayMs) return
      nextWakeUpMs = nowMs + delayMs
      void send(delayMs)
    },
    askForHelp() {
      const nowMs = clock.nowMs()
      if (nowMs < nextHelpMs) return
      nextHelpMs = nowMs + HELP_EVERY_MS
      void send(0)
    },
    async leave() {
      hasLeft = true
      cancelRenewal()
      const subscription = await subscribed
      await subscription?.stop().catch((error: unknown) => warn('could not be left', error))
    },
    handOver: () => send(0),
  }
}
