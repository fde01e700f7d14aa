import type { Outcome } from './outcome.js'
import type { Scene } from './scene.js'
import { createStage } from './stage.js'
import { type Row, renderTable } from './table.js'

/** What to play, and where to write. */
export interface DemoOptions {
  scenes: readonly Scene[]
  print: (text: string) => void
}

/** Plays all scenes at once and prints the table. @returns the exit code: 0 when every row is as promised. */
export async function runDemo({ scenes, print }: DemoOptions): Promise<0 | 1> {
  const rows = await Promise.all(scenes.map(playScene))
  const broken = rows.filter(({ isKept }) => !isKept)
  print(renderTable(rows))
  if (broken.length === 0) {
    print(`All ${rows.length} rows are as promised.`)
    return 0
  }
  print(`${broken.length} of ${rows.length} rows are not as promised:`)
  for (const row of broken) print(describeBreach(row))
  return 1
}

async function playScene({ sent, stage: options, promised, play }: Scene): Promise<Row> {
  const observed = await observe(options, play).catch(describeCrash)
  return { sent, promised, observed, isKept: listBreaches(promised, observed).length === 0 }
}

async function observe(options: Scene['stage'], play: Scene['play']): Promise<Outcome> {
  const stage = await createStage(options)
  try {
    return await stage.observe(await play(stage))
  } finally {
    await stage.close()
  }
}

function describeCrash(error: unknown): Outcome {
  return { answers: String(error), decisions: '?', order: '?', handlers: '?' }
}

function describeBreach({ sent, promised, observed }: Row): string {
  return `  ${sent}: ${listBreaches(promised, observed).join('; ')}`
}

function listBreaches(promised: Outcome, observed: Outcome): string[] {
  const aspects = ['answers', 'decisions', 'order', 'handlers'] as const
  return aspects
    .filter((aspect) => promised[aspect] !== observed[aspect])
    .map((aspect) => `${aspect} expected "${promised[aspect]}", found "${observed[aspect]}"`)
}
