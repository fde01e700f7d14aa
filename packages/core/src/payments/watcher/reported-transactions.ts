import { BoundedMap } from '../../shared/bounded-map.js'
import { createAlarm, type Alarm } from '../../shared/timers.js'
import { errorFacts } from '../../shared/error-facts.js'
import { toBase64Hash } from '../../toncenter/schema/params.js'
import type { WatcherMemory } from './memory.js'
import type { ResolvedWatcherOptions } from './options.js'

/** The options of a watcher, and what its parts share. */
export interface WatcherContext extends ResolvedWatcherOptions {
  memory: WatcherMemory
  /** Aborted when the watcher is closed. */
  closing: AbortSignal
  /** Begins a run now, for example because events of the stream may be missing. */
  checkNow: () => void
  /** Begins a run after `minIntervalMs`, for example because a look-up failed. */
  lookSoon: () => void
  /**
   * Submits the payments of some transactions, at most 50.
   * @returns those that the index does not have yet.
   */
  lookUp: (hashes: readonly string[]) => Promise<string[]>
}

/** A transaction that may be a payment, or a message of its trace, as anyone reports it. It is looked up, never trusted. */
type Reported =
  | { transactionHash: string }
  /** Also the normalized hash of an external message. */
  | { messageHash: string }
  /** The account may be a jetton wallet of the merchant. */
  | { account: string; lt: bigint }

/** Transactions in one request. */
const REPORTED_PER_REQUEST = 50
/** Rows of messages in one response: a hash names more than one only if an account accepted a message several times. */
const MAX_MESSAGES = 2 * REPORTED_PER_REQUEST
/** Reports that wait; a run finds what the others report. */
const MAX_WAITING = 1000
/** Messages that are remembered, so that a repetition costs nothing. */
const MAX_REMEMBERED = 10_000

const PACE_MS = 10_000

/** Limits of the look-ups of one kind of reports. */
interface LookUpPace {
  /** Times until what the index does not have is looked up again. */
  retryMs: readonly number[]
  /** The most look-ups in ten seconds, of up to two requests each. */
  most: number
  /** Time for which a message that was looked up is not looked up again. */
  rememberMs: number
}

/** For reports of a stream that the shop has configured. */
export const STREAMED: LookUpPace = { retryMs: [1000, 2000, 4000], most: Infinity, rememberMs: 0 }
/** For reports of anyone. A thousand of them need 21 look-ups. */
export const HINTED: LookUpPace = { retryMs: [3000, 7000], most: 25, rememberMs: 60_000 }
/** For jettons of webhooks, which no scan finds: an index may be an hour behind. */
export const JETTON_RETRY_MS = [3000, 7000, 20_000, 60_000, 180_000, 600_000, 3_600_000]

interface Waiting {
  reported: Reported
  /** Times of the retries that are left. */
  retryMs: readonly number[]
  dueAtMs: number
  /** Called at the end of the next look-up. */
  ends: (() => void)[]
}

/**
 * Looks up what push sources report, one look-up after the other; reports that arrive in the meantime share a request. No
 * method rejects.
 */
export class ReportedTransactions {
  readonly #context: WatcherContext
  readonly #waiting = new Map<string, Waiting>()
  readonly #alarm: Alarm
  readonly #pace: LookUpPace
  /** When messages were reported, by their keys. */
  readonly #remembered = new BoundedMap<string, number>(MAX_REMEMBERED)
  /** When the look-ups of the last ten seconds began. */
  #begun: number[] = []
  #isRunning = false

  constructor(context: WatcherContext, pace: LookUpPace) {
    this.#context = context
    this.#pace = pace
    this.#alarm = createAlarm(context.clock, () => void this.#run(), { isBackground: true })
  }

  /**
   * Looks up a transaction once. A message is looked up again like messages of `add`, since it is reported before it is on the
   * chain.
   * @returns at the end of the first look-up; at once for an invalid hash, and for a message that was reported before.
   */
  once(reported: Reported): Promise<void> {
    const isMessage = 'messageHash' in reported
    return new Promise((resolve) => {
      if (isMessage && this.#isRemembered(reported)) resolve()
      else this.#push(reported, isMessage ? this.#pace.retryMs : [], [resolve])
    })
  }

  /** Looks up a transaction, again while the index does not have it. */
  add(reported: Reported, retryMs = this.#pace.retryMs): void {
    this.#push(reported, retryMs, [])
  }

  /** Remembers a message. @returns true if it was reported before. */
  #isRemembered(reported: Reported): boolean {
    const key = keyOf(reported)
    if (key === undefined) return false
    const nowMs = this.#context.clock.nowMs()
    const { rememberMs } = this.#pace
    if (nowMs - (this.#remembered.get(key) ?? -Infinity) < rememberMs) return true
    this.#remembered.set(key, nowMs)
    return false
  }

  #push(reported: Reported, retryMs: readonly number[], ends: (() => void)[]): void {
    const { clock, closing, lookSoon } = this.#context
    const key = keyOf(reported)
    if (closing.aborted || key === undefined || this.#waiting.size >= MAX_WAITING) {
      if (key !== undefined) lookSoon()
      for (const end of ends) end()
      return
    }
    this.#wait(key, { reported, retryMs, dueAtMs: clock.nowMs(), ends })
    void this.#run()
  }

  /** Adds a report. One that waits already is looked up for all who reported it. */
  #wait(key: string, added: Waiting): void {
    const { retryMs = [], dueAtMs = Infinity, ends = [] } = this.#waiting.get(key) ?? {}
    this.#waiting.set(key, {
      reported: added.reported,
      retryMs: added.retryMs.length > retryMs.length ? added.retryMs : retryMs,
      dueAtMs: Math.min(dueAtMs, added.dueAtMs),
      ends: [...ends, ...added.ends],
    })
  }

  async #run(): Promise<void> {
    const { clock, logger, closing, lookSoon } = this.#context
    if (this.#isRunning) return
    this.#isRunning = true
    for (let due; (due = this.#takeDue()).length > 0;) {
      try {
        await this.#lookUp(due)
      } catch (error) {
        if (!closing.aborted) {
          logger.warn('reported transactions not looked up', { error: errorFacts(error) })
        }
        lookSoon()
        for (const [key] of due) this.#remembered.delete(key)
      }
      for (const [, { ends }] of due) for (const end of ends) end()
    }
    this.#isRunning = false
    this.#alarm.cancel()
    if (this.#waiting.size === 0 || closing.aborted) return
    const nextAtMs = Math.min(...[...this.#waiting.values()].map(({ dueAtMs }) => dueAtMs))
    this.#alarm.set(Math.max(0, Math.max(nextAtMs, this.#freeAtMs()) - clock.nowMs()))
  }

  /** Removes the reports that are due, as many as one request can hold. Those with most retries left are new. */
  #takeDue(): [string, Waiting][] {
    const nowMs = this.#context.clock.nowMs()
    if (nowMs < this.#freeAtMs()) return []
    const waiting = [...this.#waiting]
      .filter(([, { dueAtMs }]) => dueAtMs <= nowMs)
      .toSorted(([, one], [, other]) => other.retryMs.length - one.retryMs.length)
    const due = waiting.slice(0, REPORTED_PER_REQUEST)
    for (const [key] of due) this.#waiting.delete(key)
    if (due.length > 0) this.#begun.push(nowMs)
    return due
  }

  /** Returns when the next look-up may begin. */
  #freeAtMs(): number {
    const sinceMs = this.#context.clock.nowMs() - PACE_MS
    this.#begun = this.#begun.filter((beganMs) => beganMs > sinceMs)
    const [first = -Infinity] = this.#begun
    return this.#begun.length < this.#pace.most ? -Infinity : first + PACE_MS
  }

  async #lookUp(due: readonly [key: string, one: Waiting][]): Promise<void> {
    const { clock, lookUp } = this.#context
    const reported = due.map(([key, one]) => [key, one.reported] as const)
    const found = await findReported(this.#context, reported)
    const missing = new Set(await lookUp([...new Set(found.values())]))
    for (const [key, { reported: one, retryMs }] of due) {
      const hash = found.get(key)
      const [delayMs, ...later] = retryMs
      if (delayMs === undefined || (hash !== undefined && !missing.has(hash))) continue
      const dueAtMs = clock.nowMs() + delayMs
      this.#wait(key, { reported: one, retryMs: later, dueAtMs, ends: [] })
    }
  }
}

/**
 * Returns the hashes of reported transactions, in base64, by their keys. What the index does not know has none.
 * @throws what the client of API v3 throws.
 */
async function findReported(
  context: WatcherContext,
  reported: readonly (readonly [key: string, one: Reported])[],
): Promise<ReadonlyMap<string, string>> {
  const messages = reported.flatMap(([, one]) =>
    'messageHash' in one ? (toBase64Hash(one.messageHash) ?? []) : [],
  )
  const receivers = messages.length === 0 ? new Map() : await receiversOf(context, messages)
  const hashes = new Map<string, string>()
  for (const [key, one] of reported) {
    const hash = 'messageHash' in one ? receivers.get(key) : await hashOf(context, one)
    if (hash !== undefined) hashes.set(key, hash)
  }
  return hashes
}

/** Returns the transactions that received messages, by the keys of the messages, by one request. */
async function receiversOf(
  { v3, closing: signal }: WatcherContext,
  msg_hash: string[],
): Promise<Map<string, string>> {
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
async function hashOf(
  { v3, closing: signal }: WatcherContext,
  one: Exclude<Reported, { messageHash: string }>,
): Promise<string | undefined> {
  if (!('account' in one)) return toBase64Hash(one.transactionHash)
  const { account, lt } = one
  const filter = { account: [account], start_lt: lt, end_lt: lt, limit: 1 }
  const { transactions } = await v3.transactions(filter, { priority: 'low', signal })
  return transactions[0]?.hash
}

/** Returns a string that is equal for equal reports; `undefined` when the hash is invalid. */
function keyOf(one: Reported): string | undefined {
  if ('account' in one) return `${one.account} ${one.lt}`
  if (!('messageHash' in one)) return toBase64Hash(one.transactionHash)
  const hash = toBase64Hash(one.messageHash)
  return hash && `message ${hash}`
}
