interface Entry<Row> {
  /** Absent once the row was moved or deleted: the entry is skipped when its time comes. */
  row: Row | undefined
  dueMs: number
}

/** Rows by the time when they are due: a binary heap, so that many waiting rows do not slow down each new one. */
export class DueQueue<Row> {
  /** The entries `2 * i + 1` and `2 * i + 2` are due no earlier than the entry `i`. */
  readonly #heap: Entry<Row>[] = []
  readonly #entries = new Map<Row, Entry<Row>>()

  /** Adds or moves a row. */
  set(row: Row, dueMs: number): void {
    this.delete(row)
    const entry = { row, dueMs }
    this.#entries.set(row, entry)
    const heap = this.#heap
    let place = heap.push(entry) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = heap[parent]
      if (above === undefined || above.dueMs <= dueMs) break
      heap[place] = above
      place = parent
    }
    heap[place] = entry
  }

  delete(row: Row): void {
    const entry = this.#entries.get(row)
    if (entry !== undefined) entry.row = undefined
    this.#entries.delete(row)
  }

  has(row: Row): boolean {
    return this.#entries.has(row)
  }

  /** Returns all rows; those set last come last. */
  rows(): Iterable<Row> {
    return this.#entries.keys()
  }

  /** Returns when the first row is due. */
  nextMs(): number | undefined {
    return this.#first()?.dueMs
  }

  /** Removes and returns rows that are due, the earliest first. */
  take(nowMs: number, limit: number): Row[] {
    const taken: Row[] = []
    while (taken.length < limit) {
      const { row, dueMs = Infinity } = this.#first() ?? {}
      if (row === undefined || dueMs > nowMs) break
      this.delete(row)
      taken.push(row)
    }
    return taken
  }

  #first(): Entry<Row> | undefined {
    let top = this.#heap[0]
    while (top !== undefined && top.row === undefined) {
      this.#removeTop()
      top = this.#heap[0]
    }
    return top
  }

  #removeTop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    let below = this.#earlierBelow(place)
    while (below !== undefined && below.entry.dueMs < last.dueMs) {
      heap[place] = below.entry
      place = below.place
      below = this.#earlierBelow(place)
    }
    heap[place] = last
  }

  /** Returns the entry below a place that is due first. */
  #earlierBelow(place: number): { entry: Entry<Row>; place: number } | undefined {
    const [left, right] = [this.#heap[2 * place + 1], this.#heap[2 * place + 2]]
    if (left === undefined) return undefined
    if (right === undefined || left.dueMs <= right.dueMs) {
      return { entry: left, place: 2 * place + 1 }
    }
    return { entry: right, place: 2 * place + 2 }
  }
}
