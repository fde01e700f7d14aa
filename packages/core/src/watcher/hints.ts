import { toBase64Hash } from '../toncenter/schema/params.js'
import { errorFacts } from '../shared/error-facts.js'
import { createAlarm, type Alarm } from '../shared/alarm.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Runs } from './runs.js'

/** A transaction that may be a payment, as a push source reports it. It is looked up, never trusted. */
type Hint =
  | { transactionHash: string }
  /** The account may be a jetton wallet of the merchant. */
  | { account: string; lt: bigint }

/** Transactions in one request. */
const HINTS_PER_REQUEST = 50
/** Hints that wait; a look finds what the others report. */
const MAX_WAITING = 1000
const FIRST_RETRY_MS = 1000
const MAX_ATTEMPTS = 4

/** Dependencies of {@link Hints}. */
interface HintsOptions extends Pick<ResolvedWatcherOptions, 'clock' | 'logger' | 'v3'> {
  runs: Pick<Runs, 'lookUp'>
  /** Aborted when the watcher is closed. */
  closing: AbortSignal
  /** Called when a look-up failed, or hints were dropped. */
  lookSoon: () => void
}

interface Waiting {
  hint: Hint
  /** Attempts that are left. */
  attempts: number
  dueAtMs: number
  end: () => void
}

/**
 * Looks up what push sources report, one look-up after the other; hints that arrive in the meantime share a request. No
 * method rejects.
 */
export class Hints {
  readonly #options: HintsOptions
  readonly #waiting = new Map<string, Waiting>()
  readonly #alarm: Alarm
  #isRunning = false

  constructor(options: HintsOptions) {
    this.#options = options
    this.#alarm = createAlarm(options.clock, () => void this.#run(), { isBackground: true })
  }

  /** Looks up a transaction once. @returns at the end of the look-up. */
  once(hint: Hint): Promise<void> {
    return new Promise((resolve) => this.#push(hint, 1, resolve))
  }

  /** Looks up a transaction, again after 1, 2 and 4 seconds while the index does not have it. */
  add(hint: Hint): void {
    this.#push(hint, MAX_ATTEMPTS, () => undefined)
  }

  #push(hint: Hint, attempts: number, end: () => void): void {
    const { clock, closing, lookSoon } = this.#options
    const key =
      'account' in hint ? `${hint.account} ${hint.lt}` : toBase64Hash(hint.transactionHash)
    if (closing.aborted || key === undefined || this.#waiting.size >= MAX_WAITING) {
      if (key !== undefined) lookSoon()
      end()
      return
    }
    const former = this.#waiting.get(key)
    this.#waiting.set(key, { hint, attempts, dueAtMs: clock.nowMs(), end: both(former?.end, end) })
    void this.#run()
  }

  async #run(): Promise<void> {
    const { clock, logger, closing, lookSoon } = this.#options
    if (this.#isRunning) return
    this.#isRunning = true
    for (let due; (due = takeDue(this.#waiting, clock.nowMs())).length > 0;) {
      try {
        await this.#lookUp(due)
      } catch (error) {
        if (!closing.aborted) {
          logger.warn('reported transactions not looked up', { error: errorFacts(error) })
        }
        lookSoon()
      }
      for (const [key, { end }] of due) if (!this.#waiting.has(key)) end()
    }
    this.#isRunning = false
    this.#wakeUpLater()
  }

  async #lookUp(due: readonly [key: string, one: Waiting][]): Promise<void> {
    const { clock, runs, closing } = this.#options
    const hashes = new Map<string, string>()
    for (const [key, { hint }] of due) {
      const hash = await this.#hashOf(hint)
      if (hash !== undefined) hashes.set(key, hash)
    }
    const missing = new Set(await runs.lookUp([...hashes.values()], closing))
    for (const [key, { attempts, ...one }] of due) {
      const hash = hashes.get(key)
      if (attempts <= 1 || (hash !== undefined && !missing.has(hash))) continue
      const dueAtMs = clock.nowMs() + FIRST_RETRY_MS * 2 ** (MAX_ATTEMPTS - attempts)
      this.#waiting.set(key, { ...one, attempts: attempts - 1, dueAtMs })
    }
  }

  /** Returns the hash of a transaction, also of one that is known by its account. */
  async #hashOf(hint: Hint): Promise<string | undefined> {
    if (!('account' in hint)) return toBase64Hash(hint.transactionHash)
    const { v3, closing: signal } = this.#options
    const { account, lt } = hint
    const filter = { account: [account], start_lt: lt, end_lt: lt, limit: 1 }
    const { transactions } = await v3.transactions(filter, { priority: 'low', signal })
    return transactions[0]?.hash
  }

  #wakeUpLater(): void {
    const { clock, closing } = this.#options
    this.#alarm.cancel()
    if (this.#waiting.size === 0 || closing.aborted) return
    const nextAtMs = Math.min(...[...this.#waiting.values()].map(({ dueAtMs }) => dueAtMs))
    this.#alarm.set(Math.max(0, nextAtMs - clock.nowMs()))
  }
}

function both(one: (() => void) | undefined, other: () => void): () => void {
  return () => {
    one?.()
    other()
  }
}

/** Removes the hints that are due, as many as one request can hold. */
function takeDue(waiting: Map<string, Waiting>, nowMs: number): [string, Waiting][] {
  const due = [...waiting].filter(([, { dueAtMs }]) => dueAtMs <= nowMs).slice(0, HINTS_PER_REQUEST)
  for (const [key] of due) waiting.delete(key)
  return due
}
