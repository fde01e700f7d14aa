// Must be imported before the packages' sources.
import { takeCoverage } from './coverage.js'
import { createRandom } from '@tonplug/test-support/random'
import { keep, readCorpus } from './corpus.js'
import { mutate, pick, type Chance } from './mutate.js'
import type { Target } from './target.js'

// Taking the coverage takes as long as running thousands of inputs, so inputs run in batches.
const FEWEST_AT_ONCE = 1000
const MOST_AT_ONCE = 8000
const MOST_KEPT_BYTES = 600

/** Options of {@link fuzz}. */
export interface FuzzOptions {
  seed: number
  /** A number of inputs, without coverage guidance; or a number of milliseconds, with it. */
  limit: { inputs: number } | { ms: number }
  /** Adds inputs that reach new code to the corpus. */
  isGrowing: boolean
}

/**
 * Passes random mutations of the kept inputs to a target. With a time limit, also mutates inputs that reach new code.
 * @returns the number of inputs, and the number of inputs that reached new code.
 * @throws {FuzzFailure} for the first input that violates a property; the input is added to the corpus.
 */
export async function fuzz(
  target: Target,
  { seed, limit, isGrowing }: FuzzOptions,
): Promise<{ inputs: number; reached: number }> {
  const kept = readCorpus(target).map(({ input }) => input)
  const pool: Uint8Array[] = kept.length === 0 ? [new Uint8Array()] : kept
  const chance: Chance = {
    random: createRandom(seed),
    pool,
    words: target.words.map((word) => Buffer.from(word, isBinary(target) ? 'latin1' : 'utf8')),
  }
  for (const input of pool) await run(target, input, seed)
  const next = (): Uint8Array => mutate(pick(chance, pool) ?? new Uint8Array(), chance)
  if ('inputs' in limit) {
    for (let count = 0; count < limit.inputs; count++) await run(target, next(), seed)
    return { inputs: limit.inputs, reached: 0 }
  }
  return goOn(Date.now() + limit.ms)

  async function goOn(endMs: number): Promise<{ inputs: number; reached: number }> {
    const before = await takeCoverage()
    const search: Search = { target, seed, endMs, seen: new Set(before.map(({ place }) => place)) }
    const tally = { inputs: 0, reached: 0 }
    for (let atOnce = FEWEST_AT_ONCE; Date.now() < endMs;) {
      const reaching = await findReaching(search, Array.from({ length: atOnce }, next))
      tally.inputs += atOnce
      tally.reached += reaching.length
      pool.push(...reaching)
      for (const input of reaching) {
        if (isGrowing && input.length <= MOST_KEPT_BYTES) keep(target, 'reached', input)
      }
      atOnce = reaching.length > 0 ? FEWEST_AT_ONCE : Math.min(2 * atOnce, MOST_AT_ONCE)
    }
    return tally
  }
}

/** A search for inputs that reach new code. */
interface Search {
  target: Target
  seed: number
  /** The time at which the search stops, even in the middle of a batch. */
  endMs: number
  /** The blocks reached so far. */
  seen: Set<string>
}

/** Returns the inputs that reach new code. Finds them by bisection, because taking the coverage is slower than running. */
async function findReaching(search: Search, inputs: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const { target, seed, endMs, seen } = search
  for (const input of inputs) await run(target, input, seed)
  const fresh = (await takeCoverage()).filter(({ place }) => !seen.has(place))
  if (fresh.length === 0 || Date.now() > endMs) return []
  if (inputs.length <= 1) {
    for (const { place } of fresh) seen.add(place)
    return [...inputs]
  }
  const middle = inputs.length >> 1
  const first = await findReaching(search, inputs.slice(0, middle))
  return [...first, ...(await findReaching(search, inputs.slice(middle)))]
}

/** Thrown for an input that violates a property. */
class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure'

  constructor(facts: { target: string; seed: number; file: string; cause: unknown }) {
    super(
      `${facts.target} does not hold for ${facts.file}: ${String(facts.cause)}\nThe next test run checks it again; FUZZ_SEED=${facts.seed} generates it again`,
      { cause: facts.cause },
    )
  }
}

async function run(target: Target, input: Uint8Array, seed: number): Promise<void> {
  try {
    await target.check(input)
  } catch {
    const smallest = await shrink(target, input)
    const file = keep(target, 'failed', smallest)
    throw new FuzzFailure({
      target: target.name,
      seed,
      file,
      cause: await failureOf(target, smallest),
    })
  }
}

/** Removes parts of an input as long as it still fails. */
async function shrink(target: Target, failing: Uint8Array): Promise<Uint8Array> {
  let smallest = Buffer.from(failing)
  for (let length = smallest.length >> 1; length > 0; length >>= 1) {
    for (let at = 0; at < smallest.length;) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + length)])
      if ((await failureOf(target, shorter)) === undefined) at += length
      else smallest = shorter
    }
  }
  return smallest
}

async function failureOf(target: Target, input: Uint8Array): Promise<unknown> {
  try {
    await target.check(input)
    return undefined
  } catch (error) {
    return error
  }
}

/** Returns true when the words of a target are bytes, encoded as Latin-1. */
function isBinary({ words }: Target): boolean {
  return words.some((word) => word.includes('\xff'))
}
