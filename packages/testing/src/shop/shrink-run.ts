import type { ShopEvent } from './events.js'
import { simulateShop } from './simulate-shop.js'
import type { ShopSimulation, ShopSimulationOptions } from './simulation-options.js'

/** Simulations that shrinking runs at most. */
const MOST_RUNS = 400

/** A failing simulation with as few events as were found. */
export interface ShrunkRun {
  /** The promise that is broken, in words. */
  problem: string
  events: readonly ShopEvent[]
  seed: number
}

/**
 * Removes events from a simulation that breaks a promise, as long as it breaks the same one.
 * @param options of the simulation
 * @throws {RangeError} when the simulation breaks no promise.
 */
export async function shrinkRun(options: ShopSimulationOptions): Promise<ShrunkRun> {
  const { seed } = options
  let left = MOST_RUNS
  const run = (events?: readonly ShopEvent[]): Promise<ShopSimulation> => {
    left--
    return simulateShop({ ...options, ...(events && { events }) })
  }
  const first = await run()
  const [problem] = first.problems
  if (problem === undefined)
    throw new RangeError(`the simulation of seed ${seed} breaks no promise`)
  const kind = kindOf(problem)
  const fails = async (events: readonly ShopEvent[]): Promise<boolean> =>
    left > 0 && (await run(events)).problems.some((one) => kindOf(one) === kind)
  const fewer = await removeEvents(first.events, fails)
  const events = await simplify(fewer, fails)
  const { problems } = await run(events)
  return { problem: problems.find((one) => kindOf(one) === kind) ?? problem, events, seed }
}

/** Prints a shrunk run as a test to paste. */
export function printTest({ problem, events, seed }: ShrunkRun): string {
  const lines = events.map((event) => `      ${printEvent(event)},`)
  return [
    `it(${JSON.stringify(`holds where the seed ${seed} broke it: ${problem}`)}, async () => {`,
    '  const { problems } = await simulateShop({',
    `    seed: ${seed},`,
    '    events: [',
    ...lines,
    '    ],',
    '  })',
    '  expect(problems).toEqual([])',
    '})',
  ].join('\n')
}

function printEvent(event: ShopEvent): string {
  const fields = Object.entries(event).map(([name, value]) => `${name}: ${printValue(value)}`)
  return `{ ${fields.join(', ')} }`
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** Problems are of one kind when they differ only in names and numbers. */
function kindOf(problem: string): string {
  const words = problem.split(':', 1)[0] ?? problem
  return words.replaceAll(/\d+/g, '0').replace(/(?:order-0, |refund, )*(?:order-0|refund)$/, '')
}

type Fails = (events: readonly ShopEvent[]) => Promise<boolean>

/** Removes parts of halving size, as long as the rest fails. */
async function removeEvents(
  given: readonly ShopEvent[],
  fails: Fails,
): Promise<readonly ShopEvent[]> {
  let events = given
  for (let size = Math.ceil(events.length / 2); ; size = Math.ceil(size / 2)) {
    let hasRemoved = true
    while (hasRemoved) {
      hasRemoved = false
      for (let from = events.length - size; from > -size; from -= size) {
        const begin = Math.max(0, from)
        const rest = events.toSpliced(begin, from + size - begin)
        if (!(await fails(rest))) continue
        events = rest
        hasRemoved = true
      }
      if (size > 1) break
    }
    if (size <= 1) return events
  }
}

/** Replaces the fields of payments by simple ones, as long as the run fails. */
async function simplify(given: readonly ShopEvent[], fails: Fails): Promise<readonly ShopEvent[]> {
  let events = given
  for (const [index, event] of given.entries()) {
    for (const simpler of simplerEvents(event)) {
      const changed = events.with(index, { ...events[index], ...simpler } as ShopEvent)
      if (await fails(changed)) events = changed
    }
  }
  return events
}

function simplerEvents(event: ShopEvent): Partial<ShopEvent>[] {
  if (event.kind === 'pay') return [{ times: 1 }, { lagMs: 0 }]
  return event.kind === 'webhook' || event.kind === 'fault' ? [{ process: 0 }] : []
}
