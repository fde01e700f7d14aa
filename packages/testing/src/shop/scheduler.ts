import { createHash } from 'node:crypto'
import type { Random } from './random.js'

/** Callbacks that are requested for one turn of the event loop. */
const TURNS = 100

/** Processes that nothing has happened to for this time are suspended, until this time before something happens. */
const [QUIET_MS, AWAKE_MS] = [60_000, 30_000]

interface Entry {
  dueMs: number
  /** True for a step of a process, which waits while processes are suspended. */
  isOfProcess: boolean
  /** Decides between entries that are due at the same time. */
  tie: number
  run: (() => unknown) | undefined
}

/**
 * Runs everything of a simulation, one step at a time, on a virtual clock. The promise jobs of a step end before the next
 * step begins, so the seed decides about every order of events.
 */
export class Scheduler {
  nowMs: number
  readonly #beganMs: number
  readonly #random: Random
  readonly #lines: string[] = []
  /** A binary heap. */
  #entries: Entry[] = []
  #suspends = false
  /** When something has happened last. */
  #touchedMs: number

  constructor(beganMs: number, random: Random) {
    this.nowMs = beganMs
    this.#beganMs = beganMs
    this.#touchedMs = beganMs
    this.#random = random
  }

  /** Milliseconds since the start of the simulation. */
  get elapsedMs(): number {
    return this.nowMs - this.#beganMs
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Adds a line to the trace. */
  note(text: string): void {
    this.#lines.push(`${this.elapsedMs} ${text}`)
  }

  /** Returns the hash of the trace. */
  digest(): string {
    const text = this.#lines.map((line) => `${line}\n`).join('')
    return createHash('sha256').update(text).digest('hex')
  }

  /** Lets the processes be suspended while nothing happens, or not. */
  suspendProcesses(isAllowed: boolean): void {
    this.#suspends = isAllowed
  }

  /** Keeps the processes awake for some minutes, since something has happened. */
  touch(): void {
    this.#touchedMs = this.nowMs
  }

  /** Runs `step` after a time. @returns a function that cancels it */
  after(delayMs: number, step: () => unknown, isOfProcess = false): () => void {
    const dueMs = this.nowMs + Math.max(0, Math.ceil(delayMs))
    const entry: Entry = { dueMs, isOfProcess, tie: this.#random.next(), run: step }
    push(this.#entries, entry)
    return () => {
      entry.run = undefined
    }
  }

  /** Runs all steps that are due within a time. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms
    await nextTurn()
    for (let next = this.#entries[0]; next && next.dueMs <= untilMs; next = this.#entries[0]) {
      if (this.#suspendUntil(untilMs)) continue
      pop(this.#entries)
      if (next.run === undefined) continue
      this.nowMs = next.dueMs
      const pending = next.run()
      if (pending instanceof Promise) await pending
      await nextTurn()
    }
    this.nowMs = untilMs
  }

  /** Delays the steps of quiet processes until a time before the next other step, or the end. @returns true if it did */
  #suspendUntil(untilMs: number): boolean {
    const first = this.#entries[0]
    if (!this.#suspends || first === undefined || first.dueMs < this.#touchedMs + QUIET_MS)
      return false
    const others = this.#entries.filter((one) => !one.isOfProcess && one.run !== undefined)
    const nextMs = others.reduce((least, { dueMs }) => Math.min(least, dueMs), untilMs)
    this.#touchedMs = nextMs
    const wakeMs = nextMs - AWAKE_MS
    if (first.dueMs >= wakeMs) return false
    const entries = this.#entries.filter(({ run }) => run !== undefined)
    this.#entries = []
    for (const one of entries) {
      if (one.isOfProcess) one.dueMs = Math.max(one.dueMs, wakeMs)
      push(this.#entries, one)
    }
    return true
  }
}

/** The callers of {@link nextTurn} that wait, the first one first. */
const waiting: (() => void)[] = []
let turnsLeft = 0

/**
 * Resolves when all promise jobs have ended. They also end between two callbacks of `setImmediate`, and many callbacks in
 * one turn of the event loop cost less than many turns.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (turnsLeft === 0) requestTurns()
  })
}

function requestTurns(): void {
  while (turnsLeft < TURNS) {
    turnsLeft++
    setImmediate(endTurn)
  }
}

function endTurn(): void {
  turnsLeft--
  waiting.shift()?.()
  if (turnsLeft === 0 && waiting.length > 0) requestTurns()
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.tie < other.tie)
}

function push(heap: Entry[], entry: Entry): void {
  let place = heap.length
  while (place > 0) {
    const above = (place - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(entry, parent)) break
    heap[place] = parent
    place = above
  }
  heap[place] = entry
}

/** Removes the first entry. */
function pop(heap: Entry[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let place = 0
  for (;;) {
    const left = 2 * place + 1
    const [one, other] = [heap[left], heap[left + 1]]
    const child = one && other && isBefore(other, one) ? left + 1 : left
    const least = heap[child]
    if (least === undefined || !isBefore(least, last)) break
    heap[place] = least
    place = child
  }
  heap[place] = last
}
