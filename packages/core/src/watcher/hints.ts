import { toBase64Hash } from '../toncenter/schema/params.js'
import { errorFacts } from '../shared/error-facts.js'
import { createAlarm, type Alarm } from '../shared/alarm.js'
import type { WatcherContext } from './context.js'

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

interface Waiting {
  hint: Hint
  /** Attempts that are left. */
  attempts: number
  dueAtMs: number
  /** Called at the end of the next look-up. */
  ends: (() => void)[]
}

/**
 * Looks up what push sources report, one look-up after the other; hints that arrive in the meantime share a request. No
 * method rejects.
 */
export class Hints {
  readonly #context: WatcherContext
  readonly #waiting = new Map<string, Waiting>()
  readonly #alarm: Alarm
  #isRunning = false

  constructor(context: WatcherContext) {
    this.#context = context
    this.#alarm = createAlarm(context.clock, () => void this.#run(), { isBackground: true })
  }

  /** Looks up a transaction once. @returns at the end of the look-up. */
  once(hint: Hint): Promise<void> {
    return new Promise((resolve) => this.#push(hint, 1, [resolve]))
  }

  /** Looks up a transaction, again after 1, 2 and 4 seconds while the index does not have it. */
  add(hint: Hint): void {
    this.#push(hint, MAX_ATTEMPTS, [])
  }

  #push(hint: Hint, attempts: number, ends: (() => void)[]): void {
    const { clock, closing, lookSoon } = this.#context
    const key =
      'account' in hint ? `${hint.account} ${hint.lt}` : toBase64Hash(hint.transactionHash)
    if (closing.aborted || key === undefined || this.#waiting.size >= MAX_WAITING) {
      if (key !== undefined) lookSoon()
      for (const end of ends) end()
      return
    }
    this.#wait(key, { hint, attempts, dueAtMs: clock.nowMs(), ends })
    void this.#run()
  }

  /** Adds a hint. One that waits already is looked up for all who reported it. */
  #wait(key: string, added: Waiting): void {
    const { attempts = 0, dueAtMs = Infinity, ends = [] } = this.#waiting.get(key) ?? {}
    this.#waiting.set(key, {
      hint: added.hint,
      attempts: Math.max(attempts, added.attempts),
      dueAtMs: Math.min(dueAtMs, added.dueAtMs),
      ends: [...ends, ...added.ends],
    })
  }

  async #run(): Promise<void> {
    const { clock, logger, closing, lookSoon } = this.#context
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
      for (const [, { ends }] of due) for (const end of ends) end()
    }
    this.#isRunning = false
    this.#alarm.cancel()
    if (this.#waiting.size === 0 || closing.aborted) return
    const nextAtMs = Math.min(...[...this.#waiting.values()].map(({ dueAtMs }) => dueAtMs))
    this.#alarm.set(Math.max(0, nextAtMs - clock.nowMs()))
  }

  async #lookUp(due: readonly [key: string, one: Waiting][]): Promise<void> {
    const { clock, runs, closing } = this.#context
    const hashes = new Map<string, string>()
    for (const [key, { hint }] of due) {
      const hash = await this.#hashOf(hint)
      if (hash !== undefined) hashes.set(key, hash)
    }
    const missing = new Set(await runs.lookUp([...hashes.values()], closing))
    for (const [key, { hint, attempts }] of due) {
      const hash = hashes.get(key)
      if (attempts <= 1 || (hash !== undefined && !missing.has(hash))) continue
      const dueAtMs = clock.nowMs() + FIRST_RETRY_MS * 2 ** (MAX_ATTEMPTS - attempts)
      this.#wait(key, { hint, attempts: attempts - 1, dueAtMs, ends: [] })
    }
  }

  /** Returns the hash of a transaction, also of one that is known by its account. */
  async #hashOf(hint: Hint): Promise<string | undefined> {
    if (!('account' in hint)) return toBase64Hash(hint.transactionHash)
    const { v3, closing: signal } = this.#context
    const { account, lt } = hint
    const filter = { account: [account], start_lt: lt, end_lt: lt, limit: 1 }
    const { transactions } = await v3.transactions(filter, { priority: 'low', signal })
    return transactions[0]?.hash
  }
}

/** Removes the hints that are due, as many as one request can hold. */
function takeDue(waiting: Map<string, Waiting>, nowMs: number): [string, Waiting][] {
  const due = [...waiting].filter(([, { dueAtMs }]) => dueAtMs <= nowMs).slice(0, HINTS_PER_REQUEST)
  for (const [key] of due) waiting.delete(key)
  return due
}
