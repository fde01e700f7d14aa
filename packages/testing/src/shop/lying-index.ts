import type { ChainTrace, ChainTransaction, SimulatedChain } from './chain.js'

/** An index that shows another chain: it withholds traces, and shows false ones. */
export class LyingIndex {
  readonly #chain: SimulatedChain
  readonly #withheld = new Set<ChainTrace>()
  readonly #invented: ChainTransaction[] = []
  #shown: { of: number; transactions: readonly ChainTransaction[] } | undefined

  constructor(chain: SimulatedChain) {
    this.#chain = chain
  }

  /** The transactions that it states. */
  get transactions(): readonly ChainTransaction[] {
    const { transactions: all } = this.#chain
    if (this.#withheld.size + this.#invented.length === 0) return all
    if (this.#shown?.of !== all.length) {
      const kept = all.filter(({ trace }) => !this.#withheld.has(trace))
      this.#shown = { of: all.length, transactions: [...kept, ...this.#invented] }
    }
    return this.#shown.transactions
  }

  withhold(trace: ChainTrace): void {
    this.#withheld.add(trace)
    this.#shown = undefined
  }

  invent(trace: ChainTrace): void {
    this.#invented.push(...trace.transactions)
    this.#shown = undefined
  }

  /** Shows a false trace with the hashes and logical times of a true one, which has as many transactions. */
  replace(trace: ChainTrace, invented: ChainTrace): void {
    invented.id = trace.id
    for (const [place, one] of invented.transactions.entries()) {
      const real = trace.transactions[place]
      if (real === undefined) throw new RangeError('both traces have as many transactions')
      const { hash, lt, previous } = real
      Object.assign(one, { hash, lt, previous })
      one.received.hash = real.received.hash
      one.received.createdLt = real.received.createdLt
    }
    this.withhold(trace)
    this.invent(invented)
  }
}
