import { createRandom as createSequence } from '../../packages/testing/src/shop/random.js'

/** Creates a repeatable stream of numbers from 0 to below 1, by the generator of simulated shops. */
export function createRandom(seed: number): () => number {
  const sequence = createSequence(seed, '')
  return () => sequence.next()
}

/** Returns a whole number from 0 to below `end`. */
export function below(random: () => number, end: number): number {
  return Math.floor(random() * end)
}

/** Returns the same items in another order. */
export function shuffle<Item>(random: () => number, items: readonly Item[]): Item[] {
  const rest = [...items]
  return items.flatMap(() => rest.splice(below(random, rest.length), 1))
}
