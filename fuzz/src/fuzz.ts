import { createRandom } from '../../packages/core/test/random.js'
import { keep, readCorpus } from './corpus.js'
import { startCoverage, type Coverage } from './coverage.js'
import { mutate, pick, type Chance } from './mutate.js'
import type { Target } from './target.js'

const BATCH = 200
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
    const coverage = await startCoverage()
    const seen = new Set<string>()
    const tally = { inputs: 0, reached: 0 }
    try {
      for (const input of pool) await target.check(input)
      await findNew(coverage, seen)
      for (; Date.now() < endMs; tally.inputs += BATCH) {
        const batch = Array.from({ length: BATCH }, next)
        for (const input of batch) await run(target, input, seed)
        if ((await findNew(coverage, new Set(seen))) === 0) continue
        // Which of them it was takes a look at each.
        for (const input of batch) {
          await target.check(input)
          if ((await findNew(coverage, seen)) === 0) continue
          tally.reached++
          pool.push(input)
          if (isGrowing && input.length <= MOST_KEPT_BYTES) keep(target, 'reached', input)
        }
      }
    } finally {
      coverage.stop()
    }
    return tally
  }
}

/** An input for which something does not hold. */
export class FuzzFailure extends Error {
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

/** How many blocks have run for the first time; they are added to `seen`. */
async function findNew(coverage: Coverage, seen: Set<string>): Promise<number> {
  const before = seen.size
  for (const { place } of await coverage.take()) seen.add(place)
  return seen.size - before
}

/** Whether the words of a target stand for bytes. */
function isBinary({ words }: Target): boolean {
  return words.some((word) => word.includes('\xff'))
}
