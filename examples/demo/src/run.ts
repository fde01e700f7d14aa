import { openWorld, type World } from './world.js'

/** One situation and its promised outcome. */
export interface Row {
  title: string
  /** Decisions · order · handlers, as {@link World.outcome} describes them. */
  promised: string
  /** Lets it happen; returns the reference of the order. */
  run: (world: World) => Promise<string>
}

/** Runs the rows one after another in one shop, and prints each. @returns how many were not as promised. */
export async function run(rows: readonly Row[], print: (line: string) => void): Promise<number> {
  const world = await openWorld()
  try {
    let failed = 0
    for (const row of rows) if (!(await runRow(world, row, print))) failed += 1
    return failed
  } finally {
    await world.close()
  }
}

async function runRow(
  world: World,
  { title, promised, run }: Row,
  print: (line: string) => void,
): Promise<boolean> {
  const observed = await run(world).then((reference) => world.outcome(reference), String)
  const isAsPromised = observed === promised
  print(`${isAsPromised ? '✔' : '✘'} ${title}\n  ${observed}\n`)
  if (!isAsPromised) print(`  promised: ${promised}\n`)
  return isAsPromised
}
