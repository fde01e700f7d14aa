import { toBase64Hash } from '../toncenter/schema/params.js'
import { errorFacts } from '../shared/error-facts.js'
import { createAlarm, type Alarm } from '../shared/alarm.js'
import type { WatcherContext } from './context.js'

/** A transaction that may be a payment, or a message of its trace, as anyone reports it. It is looked up, never trusted. */
type Hint =
  | { transactionHash: string }
  /** Also the normalized hash of an external message. */
  | { messageHash: string }
  /** The account may be a jetton wallet of the merchant. */
  | { account: string; lt: bigint }

/** Transactions in one request. */
const HINTS_PER_REQUEST = 50
/** Rows of messages in one response: a hash names more than one only if an account accepted a message several times. */
const MAX_MESSAGES = 2 * HINTS_PER_REQUEST
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

  /**
   * Looks up a transaction once. A message is looked up again like those of `add`, since it is reported before it is on the
   * chain.
   * @returns at the end of the first look-up.
   */
  once(hint: Hint): Promise<void> {
    const attempts = 'messageHash' in hint ? MAX_ATTEMPTS : 1
    return new Promise((resolve) => this.#push(hint, attempts, [resolve]))
  }

  /** Looks up a transaction, again after 1, 2 and 4 seconds while the index does not have it. */
  add(hint: Hint): void {
    this.#push(hint, MAX_ATTEMPTS, [])
  }

  #push(hint: Hint, attempts: number, ends: (() => void)[]): void {
    const { clock, closing, lookSoon } = this.#context
    const key = keyOf(hint)
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
    const hashes = await this.#transactionsOf(due)
    const missing = new Set(await runs.lookUp([...new Set(hashes.values())], closing))
    for (const [key, { hint, attempts }] of due) {
      const hash = hashes.get(key)
      if (attempts <= 1 || (hash !== undefined && !missing.has(hash))) continue
      const dueAtMs = clock.nowMs() + FIRST_RETRY_MS * 2 ** (MAX_ATTEMPTS - attempts)
      this.#wait(key, { hint, attempts: attempts - 1, dueAtMs, ends: [] })
    }
  }

  /** Returns the hashes of the transactions by the keys of their hints. A hint that the index does not know has none. */
  async #transactionsOf(
    due: readonly [key: string, one: Waiting][],
  ): Promise<ReadonlyMap<string, string>> {
    const messages = due.flatMap(([, { hint }]) =>
      'messageHash' in hint ? (toBase64Hash(hint.messageHash) ?? []) : [],
    )
    const receivers = messages.length === 0 ? new Map() : await this.#receiversOf(messages)
    const hashes = new Map<string, string>()
    for (const [key, { hint }] of due) {
      const hash = 'messageHash' in hint ? receivers.get(key) : await this.#hashOf(hint)
      if (hash !== undefined) hashes.set(key, hash)
    }
    return hashes
  }

  /** Returns the transactions that received messages, by the keys of their hints, by one request. */
  async #receiversOf(msg_hash: string[]): Promise<Map<string, string>> {
    const { v3, closing: signal } = this.#context
    const filter = { msg_hash, direction: 'in', limit: MAX_MESSAGES } as const
    const { messages } = await v3.messages(filter, { priority: 'low', signal })
    const found = new Map<string, string>()
    for (const { hash, hash_norm: norm = hash, in_msg_tx_hash: receivedIn = '' } of messages) {
      if (receivedIn === '') continue
      for (const messageHash of [hash, norm]) {
        const key = keyOf({ messageHash })
        if (key !== undefined) found.set(key, receivedIn)
      }
    }
    return found
  }

  /** Returns the hash of a transaction, also of one that is known by its account. */
  async #hashOf(hint: Exclude<Hint, { messageHash: string }>): Promise<string | undefined> {
    if (!('account' in hint)) return toBase64Hash(hint.transactionHash)
    const { v3, closing: signal } = this.#context
    const { account, lt } = hint
    const filter = { account: [account], start_lt: lt, end_lt: lt, limit: 1 }
    const { transactions } = await v3.transactions(filter, { priority: 'low', signal })
    return transactions[0]?.hash
  }
}

/** Returns a string that is equal for equal hints; `undefined` when the hash is invalid. */
function keyOf(hint: Hint): string | undefined {
  if ('account' in hint) return `${hint.account} ${hint.lt}`
  if (!('messageHash' in hint)) return toBase64Hash(hint.transactionHash)
  const hash = toBase64Hash(hint.messageHash)
  return hash && `message ${hash}`
}

/** Removes the hints that are due, as many as one request can hold. */
function takeDue(waiting: Map<string, Waiting>, nowMs: number): [string, Waiting][] {
  const due = [...waiting].filter(([, { dueAtMs }]) => dueAtMs <= nowMs).slice(0, HINTS_PER_REQUEST)
  for (const [key] of due) waiting.delete(key)
  return due
}
