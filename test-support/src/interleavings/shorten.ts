import { play, type Played, type PlayOptions } from './play.js'
import { planSteps, type Step } from './steps.js'

/** A broken promise, with the fewest steps that were found. */
export interface Broken {
  seed: number
  problem: string
  steps: readonly Step[]
}

/** Plays the steps of a seed. @returns `undefined` when all promises hold */
export async function findBroken(
  seed: number,
  options: PlayOptions = {},
): Promise<Broken | undefined> {
  const { plan = planSteps(seed) } = options
  const again = (steps: readonly Step[]): Promise<Played> =>
    play(seed, { ...options, plan: { ...plan, steps } })
  const [problem] = (await again(plan.steps)).problems
  if (problem === undefined) return undefined
  const isSame = async (steps: readonly Step[]): Promise<boolean> =>
    (await again(steps)).problems.some((one) => kindOf(one) === kindOf(problem))
  let steps = plan.steps
  for (let hasRemoved = true; hasRemoved;) {
    hasRemoved = false
    for (const step of steps) {
      const rest = steps.filter((one) => one !== step)
      if (!(await isSame(rest))) continue
      steps = rest
      hasRemoved = true
    }
  }
  return { seed, problem, steps }
}

/** Prints the steps as JavaScript. */
export function printBroken({ seed, problem, steps }: Broken): string {
  const lines = steps.map(
    (step) =>
      `  ${JSON.stringify(step, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))},`,
  )
  return [`INTERLEAVING_SEED=${seed}: ${problem}`, ...lines].join('\n')
}

/** Problems are of one kind when they differ only in names and numbers. */
function kindOf(problem: string): string {
  return problem.replaceAll(/\(.*?\)|\d+/g, '')
}
