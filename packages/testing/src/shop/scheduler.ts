import { createHash } from 'node:crypto'
import type { Random } from './random.js'

interface Entry {
  dueMs: number
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
  readonly #hash = createHash('sha256')
  /** A binary heap. */
  readonly #entries: Entry[] = []

  constructor(beganMs: number, random: Random) {
    this.nowMs = beganMs
    this.#beganMs = beganMs
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
    const line = `${this.elapsedMs} ${text}`
    this.#lines.push(line)
    this.#hash.update(`${line}\n`)
  }

  /** Returns the hash of the trace. */
  digest(): string {
    return this.#hash.digest('hex')
  }

  /** Runs `step` after a time. @returns a function that cancels it */
  after(delayMs: number, step: () => unknown): () => void {
    const dueMs = this.nowMs + Math.max(0, Math.ceil(delayMs))
    const entry: Entry = { dueMs, tie: this.#random.next(), run: step }
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
      pop(this.#entries)
      if (next.run === undefined) continue
      this.nowMs = next.dueMs
      await next.run()
      await nextTurn()
    }
    this.nowMs = untilMs
  }
}

/** Resolves when all promise jobs have ended. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
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
