/** Repeatable pseudo-random numbers. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number
  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  /** Returns one of the values. */
  pick<const T>(values: readonly [T, ...T[]]): T
}

/** Creates the numbers of a seed. Each purpose has its own sequence, so that a change of one does not move the others. */
export function createRandom(seed: number, purpose: string): Random {
  let state = seed | 0
  for (const char of purpose) state = Math.imul(state ^ char.charCodeAt(0), 0x5bd1e995) | 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (values) => values[Math.floor(next() * values.length)] ?? values[0],
  }
}
