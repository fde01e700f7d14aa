import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tonplug/core'
import { openDatabase } from '@tonplug/postgres'
import { openStores, type ShopStores } from '@tonplug-examples/express-shop/stores'
import { createChainStage } from './chain-stage.js'
import { observeKill } from './killed-shop.js'
import type { Outcome } from './outcome.js'
import type { ChainScene, Scene } from './scene.js'
import { createStage, type Stage } from './stage.js'
import { type Row, renderTable } from './table.js'

/** What to play, and where to write. */
export interface DemoOptions {
  scenes: readonly Scene[]
  print: (text: string) => void
}

/** Where scenes are played. */
interface Theatre {
  /** Shared by all shops that live in this process. */
  stores: ShopStores
  /** A folder with empty tables for a shop that has a process of its own. */
  makeFolder: (name: string) => Promise<string>
}

/** Plays all scenes on PGlite in a new folder, and prints the table. @returns the exit code: 0 when every row is as promised. */
export async function runDemo({ scenes, print }: DemoOptions): Promise<0 | 1> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-demo-'))
  try {
    const rows = await playAll(scenes, folder)
    return report(rows, print)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function playAll(scenes: readonly Scene[], folder: string): Promise<Row[]> {
  // PGlite takes seconds to make a database, and a fraction of one to open a copy.
  const empty = join(folder, 'empty')
  await withStores(empty, () => Promise.resolve())
  const makeFolder = async (name: string): Promise<string> => {
    const copy = join(folder, name)
    await cp(empty, copy, { recursive: true })
    return copy
  }
  return withStores(await makeFolder('shared'), async (stores) => {
    const play = (scene: Scene): Promise<Row> => playScene({ stores, makeFolder }, scene)
    // Starting a chain keeps this process from all else, and other rows count seconds.
    const onChain = await Promise.all(scenes.filter(isOnChain).map(play))
    const others = await Promise.all(scenes.filter((scene) => !isOnChain(scene)).map(play))
    return [...onChain, ...others]
  })
}

function isOnChain(scene: Scene): scene is ChainScene {
  return 'playOnChain' in scene
}

async function withStores<Result>(
  folder: string,
  work: (stores: ShopStores) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase({ folder })
  try {
    return await work(await openStores(db, { clock: systemClock }))
  } finally {
    await close()
  }
}

function report(rows: readonly Row[], print: DemoOptions['print']): 0 | 1 {
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

async function playScene(theatre: Theatre, scene: Scene): Promise<Row> {
  const { sent, promised } = scene
  const observed = await observe(theatre, scene).catch(describeCrash)
  return { sent, promised, observed, isKept: listBreaches(promised, observed).length === 0 }
}

async function observe({ stores, makeFolder }: Theatre, scene: Scene): Promise<Outcome> {
  if ('killed' in scene) {
    return observeKill(await makeFolder(`killed-at-${scene.killed.at}`), scene.killed)
  }
  return isOnChain(scene)
    ? perform(await createChainStage(stores), scene.playOnChain)
    : perform(await createStage(stores, scene.stage), scene.play)
}

async function perform<AnyStage extends Pick<Stage, 'observe' | 'close'>>(
  stage: AnyStage,
  play: (stage: AnyStage) => Promise<string>,
): Promise<Outcome> {
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
