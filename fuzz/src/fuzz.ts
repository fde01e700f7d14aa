// Ahead of the sources.
import { takeCoverage } from './coverage.js'
import { createRandom } from '../../packages/core/test/random.js'
import { keep, readCorpus } from './corpus.js'
import { mutate, pick, type Chance } from './mutate.js'
import type { Target } from './target.js'

// To ask what ran takes as long as to run thousands of inputs.
const FEWEST_AT_ONCE = 1000
const MOST_AT_ONCE = 8000
const MOST_KEPT_BYTES = 600

/** How a target is fuzzed. */
export interface FuzzOptions {
  seed: number
  /** So many inputs, none the better for what another reached; or so many milliseconds, led by what runs. */
  limit: { inputs: number } | { ms: number }
  /** Whether inputs that reach code which no kept one reaches are kept in the corpus. */
  isGrowing: boolean
}

/**
 * Changes kept inputs at random and gives them to a target. Given time, it goes on from those that reach new code.
 * @returns how many inputs there were, and how many reached new code.
 * @throws {FuzzFailure} for the first input for which something does not hold; it is in the corpus from then on.
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
  /** When it is given up, in the middle too. */
  endMs: number
  /** The blocks that were reached. */
  seen: Set<string>
}

/** Those that reach new code. They are halved until it is known which, since asking what ran takes longer than to run. */
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

/** An input for which something does not hold. */
class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure'

  constructor(facts: { target: string; seed: number; file: string; cause: unknown }) {
    super(
      `${facts.target} does not hold for ${facts.file}: ${String(facts.cause)}\nThe next test run reads it again; FUZZ_SEED=${facts.seed} comes to it anew`,
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

/** Takes out pieces for as long as it fails without them. */
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

/** Whether the words of a target stand for bytes. */
function isBinary({ words }: Target): boolean {
  return words.some((word) => word.includes('\xff'))
}
