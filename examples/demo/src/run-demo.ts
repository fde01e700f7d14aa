import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tonplug/core'
import { openDatabase, type Queryable } from '@tonplug/postgres'
import { openStores } from './shop/stores.js'
import { startShopWithChain } from './shop-with-chain.js'
import { startShopWithoutGateway } from './shop-without-gateway.js'
import { observeKill } from './killed-shop.js'
import type { Outcome } from './outcome.js'
import type { ChainScenario, InvoiceScenario, Scenario } from './scenario.js'
import { startShopWithGateway, type ShopWithGateway } from './shop-with-gateway.js'
import { type Row, renderTable } from './table.js'

/** Options of the demo. */
export interface DemoOptions {
  scenarios: readonly Scenario[]
  print: (text: string) => void
}

/** Resources of the scenarios. */
interface Resources {
  /** Shared by all shops of this process. */
  db: Queryable
  /** Creates a folder with empty tables for a shop in another process. */
  makeFolder: (name: string) => Promise<string>
}

/** Runs all scenarios on PGlite in a new folder, and prints the table. @returns the exit code: 0 if every row is as promised. */
export async function runDemo({ scenarios, print }: DemoOptions): Promise<0 | 1> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-demo-'))
  try {
    const rows = await runAll(scenarios, folder)
    return report(rows, print)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runAll(scenarios: readonly Scenario[], folder: string): Promise<Row[]> {
  // PGlite takes seconds to create a database, and a fraction of a second to open a copy.
  const empty = join(folder, 'empty')
  await withDatabase(empty, (db) => openStores(db, { clock: systemClock }))
  const makeFolder = async (name: string): Promise<string> => {
    const copy = join(folder, name)
    await cp(empty, copy, { recursive: true })
    return copy
  }
  return withDatabase(await makeFolder('shared'), async (db) => {
    const run = (scenario: Scenario): Promise<Row> => runScenario({ db, makeFolder }, scenario)
    const rows = new Map<Scenario, Promise<Row>>()
    const start = (some: readonly Scenario[]): void => {
      for (const scenario of some) rows.set(scenario, run(scenario))
    }
    // First, because starting a chain blocks this process, and rows with a gateway measure seconds.
    start(scenarios.filter(isOnChain))
    const chains = Promise.all(rows.values())
    // Shops in processes of their own. One waits for the lease of a killed handler.
    start(scenarios.filter((scenario) => 'killedAt' in scenario))
    await chains
    start(scenarios.filter((scenario) => !rows.has(scenario)))
    return Promise.all(scenarios.flatMap((scenario) => rows.get(scenario) ?? []))
  })
}

function isOnChain(scenario: Scenario): scenario is ChainScenario | InvoiceScenario {
  return 'runOnChain' in scenario || 'runWithoutGateway' in scenario
}

async function withDatabase<Result>(
  folder: string,
  work: (db: Queryable) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase({ folder })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

function report(rows: readonly Row[], print: DemoOptions['print']): 0 | 1 {
  const broken = rows.filter(({ isAsPromised }) => !isAsPromised)
  print(renderTable(rows))
  if (broken.length === 0) {
    print(`All ${rows.length} rows are as promised.`)
    return 0
  }
  print(`${broken.length} of ${rows.length} rows are not as promised:`)
  for (const row of broken) print(describeMismatches(row))
  return 1
}

async function runScenario(resources: Resources, scenario: Scenario): Promise<Row> {
  const { sent, promised } = scenario
  const observed = await observe(resources, scenario).catch(describeCrash)
  return { sent, promised, observed, isAsPromised: listMismatches(promised, observed).length === 0 }
}

async function observe({ db, makeFolder }: Resources, scenario: Scenario): Promise<Outcome> {
  if ('killedAt' in scenario) {
    return observeKill(await makeFolder(`killed-at-${scenario.killedAt}`), scenario.killedAt)
  }
  if ('runWithoutGateway' in scenario) {
    return runAndObserve(await startShopWithoutGateway(db), scenario.runWithoutGateway)
  }
  return 'runOnChain' in scenario
    ? runAndObserve(await startShopWithChain(db), scenario.runOnChain)
    : runAndObserve(await startShopWithGateway(db, scenario.options), scenario.run)
}

async function runAndObserve<AnyShop extends Pick<ShopWithGateway, 'observe' | 'close'>>(
  shop: AnyShop,
  run: (shop: AnyShop) => Promise<string>,
): Promise<Outcome> {
  try {
    return await shop.observe(await run(shop))
  } finally {
    await shop.close()
  }
}

function describeCrash(error: unknown): Outcome {
  return { answers: String(error), decisions: '?', order: '?', handlers: '?' }
}

function describeMismatches({ sent, promised, observed }: Row): string {
  return `  ${sent}: ${listMismatches(promised, observed).join('; ')}`
}

function listMismatches(promised: Outcome, observed: Outcome): string[] {
  const aspects = ['answers', 'decisions', 'order', 'handlers'] as const
  return aspects
    .filter((aspect) => promised[aspect] !== observed[aspect])
    .map((aspect) => `${aspect} expected "${promised[aspect]}", found "${observed[aspect]}"`)
}
