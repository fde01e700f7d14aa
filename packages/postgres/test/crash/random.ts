/** A repeatable source of choices. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** The same items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[]
}

/** xorshift32; a seed of zero would stay there. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e37_79b1) || 1
  const below = (end: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % end
  }
  return {
    below,
    shuffle(items) {
      const rest = [...items]
      return items.flatMap(() => rest.splice(below(rest.length), 1))
    },
  }
}
