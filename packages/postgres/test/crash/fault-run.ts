import { setImmediate } from 'node:timers/promises'
import { below, createRandom } from '@tonplug/test-support/random'
import { createFakeClock } from '@tonplug/testing'
import type pg from 'pg'
import { checkOrderTable } from '../../src/check-order-table.js'
import { databaseOf } from '../../src/database.js'
import { MAPPING as OPTIONS, toMapping } from '../../src/order-mapping.js'
import { orderStatements } from '../../src/sql/orders.js'
import { ownOrderTable } from '../../src/sql/own-orders.js'
import * as payments from '../../src/sql/payments.js'
import * as reports from '../../src/sql/reports.js'
import type { Statement } from '../../src/sql/statement.js'
import * as tasks from '../../src/sql/tasks.js'
import { generatePrismaClient } from '../prisma/generate-client.js'
import { instants, type Instant, type Keeper } from './fault.js'
import { openLedger, SERVER_NAME, SHOP_MAPPING, type Ledger } from './ledger.js'
import { openProxy, type Crossing } from './postgres-proxy.js'
import { planPurchase, type Purchase } from './purchases.js'
import { createServerProcesses, type Framework, type ServerProcess } from './server-process.js'
import { createTally, type Tally } from './tally.js'
import { createTraffic, isLastAttempt, type Traffic } from './traffic.js'

const SECRET = 'whsec_crash_test'
const PURCHASES_AT_ONCE = 3
/** The fault strikes after these waves if its instant has not occurred. */
const WAVES = 5
const MOST_SECONDS_BETWEEN_WAVES = 4
/** Long enough for every lease, every retry and every backoff. */
const QUIET_STEPS = 400

/** A fault of the shop. */
type Fault =
  /** The server's process is killed and replaced. */
  | { kind: 'kill' }
  /** Connections between the server and PostgreSQL break: the current one, or all. */
  | { kind: 'cut' }
  /** PostgreSQL stops and starts again. */
  | { kind: 'restart'; restart: () => Promise<void> }

export interface FaultRunOptions {
  seed: number
  framework: Framework
  keeper: Keeper
  fault: Fault
  /** The number of faults. */
  times: number
  /** The number of places, of those in random order, that other shops meet. */
  first: number
  database: { db: pg.Pool; url: string }
}

/** The results of a run. */
export interface FaultRun {
  purchases: readonly Purchase[]
  traffic: Traffic
  ledger: Ledger
  tally: Tally
}

/**
 * Lets buyers pay while a server suffers faults, then lets the remaining work finish. The purchases, their sequence and the
 * instants of the faults depend on the seed.
 */
export async function runFaults(options: FaultRunOptions): Promise<FaultRun> {
  const { seed, framework, keeper, fault, times, first, database } = options
  const random = createRandom(seed)
  const clock = createFakeClock()
  const traffic = createTraffic(clock, SECRET)
  const ledger = await openLedger(database.db, { keeper, nowMs: clock.nowMs() })
  const tally = createTally({ ledger, traffic })
  const strike = createStrike(traffic, await operationsOf(database.db))
  const proxy = await openProxy(`${database.url}?application_name=${SERVER_NAME}`, (crossing) =>
    strike.watch(crossing),
  )
  const prisma = keeper === 'Prisma' ? await generatePrismaClient() : undefined
  const processes = createServerProcesses(framework, {
    parameters: [proxy.url, SECRET, keeper, JSON.stringify(SHOP_MAPPING), prisma?.href ?? ''],
    starts: fault.kind === 'kill' ? times + 1 : 1,
  })

  const purchases: Purchase[] = []
  let server: ServerProcess
  let isCrossingCut = false
  let queue: Purchase[] = []
  let withoutOrder: Purchase[] = []

  const start = async (): Promise<void> => {
    server = await processes.start(clock.nowMs())
    await server.advance(0)
    traffic.route(server.url)
  }
  const advance = async (ms: number): Promise<void> => {
    await ledger.setTime(clock.nowMs() + ms)
    await Promise.all([clock.advance(ms), server.advance(ms)])
    // Handlers and leases must not run ahead of the database.
    do {
      await proxy.idle()
      await server.advance(0)
    } while (proxy.isBusy())
  }
  const stockUp = async (): Promise<void> => {
    const wanted = WAVES * PURCHASES_AT_ONCE - queue.length
    const added = Array.from({ length: wanted }, (_, index) =>
      planPurchase(random, purchases.length + index),
    )
    purchases.push(...added)
    queue.push(...added)
    const isOrderLate = ({ kind }: Purchase): boolean => kind === 'paid before its order'
    const begun = withoutOrder.filter((purchase) => !queue.includes(purchase))
    withoutOrder = [...withoutOrder, ...added.filter(isOrderLate)].filter(
      (purchase) => !begun.includes(purchase),
    )
    await ledger.createOrders([...begun, ...added.filter((purchase) => !isOrderLate(purchase))])
  }
  /** Makes three purchases at a time, with some seconds in between, until the fault strikes. */
  const sellUntil = async (struck: Promise<void>): Promise<void> => {
    for (let wave = 0; wave < WAVES; wave++) {
      for (const purchase of queue.splice(0, PURCHASES_AT_ONCE)) traffic.begin(purchase)
      await Promise.race([traffic.settled(), struck])
      const seconds = below(random, MOST_SECONDS_BETWEEN_WAVES)
      for (let second = 0; second < seconds && !strike.hasStruck(); second++) {
        await advance(1000)
        await Promise.race([traffic.settled(), struck])
      }
      if (strike.hasStruck()) return
    }
  }
  const act = async (crossing?: Crossing): Promise<void> => {
    switch (fault.kind) {
      case 'kill':
        traffic.route(undefined)
        return server.kill()
      case 'cut':
        isCrossingCut = !isCrossingCut
        if (isCrossingCut && crossing !== undefined) crossing.cut()
        else proxy.cutAll()
        return
      case 'restart':
        traffic.route(undefined)
        return fault.restart()
    }
  }
  const recover = async (): Promise<void> => {
    if (fault.kind === 'kill') {
      await ledger.serversGone()
      await tally.count(strike.openRequests())
      await start()
      return
    }
    // Lets the server notice which of its connections are closed.
    await server.advance(0)
    await tally.count(strike.openRequests())
    traffic.route(server.url)
  }
  const comeToTheEnd = async (): Promise<void> => {
    for (const purchase of queue.splice(0)) traffic.begin(purchase)
    await ledger.createOrders(withoutOrder.splice(0))
    for (let step = 0; step < QUIET_STEPS; step++) {
      await traffic.settled()
      if (traffic.isOver() && (await ledger.countOpen()) === 0) return
      await advance(traffic.isOver() ? 10_000 : 1000)
    }
    throw new Error(`still open after ${QUIET_STEPS} steps: ${await ledger.describeOpen()}`)
  }

  try {
    await start()
    // Of its own random numbers, so that shops with the same statements have the same order.
    const places = instants(createRandom(seed), keeper)
    for (let skipped = 0; skipped < first; skipped++) places.next()
    for (let time = 0; time < times; time++) {
      await stockUp()
      const struck = strike.arm(places.next().value, act)
      await sellUntil(struck)
      await strike.atLast()
      await recover()
    }
    await comeToTheEnd()
    return { purchases, traffic, ledger, tally }
  } finally {
    await processes.close()
    await proxy.close()
    await prisma?.remove()
  }
}

type Act = (crossing?: Crossing) => Promise<void>

/** Returns the operation of each statement, by its name and by its SQL. */
async function operationsOf(db: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { run } = databaseOf(db)
  const shopTable = await checkOrderTable(run, toMapping(OPTIONS.parse(SHOP_MAPPING)))
  const ofTables = [ownOrderTable('default'), shopTable].map(orderStatements)
  const statements = [reports, payments, tasks, ...ofTables].flatMap<unknown>(Object.values)
  return new Map(
    statements.filter(isStatement).flatMap(({ name, text, operation }) => [
      [name, operation],
      [withoutNumbers(text), operation],
    ]),
  )
}

/** Drizzle numbers parameters itself. */
function withoutNumbers(statement: string): string {
  return statement.replaceAll(/\$\d+/g, '$')
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'operation' in value
}

/** Waits in the proxy for the instant of a fault. */
function createStrike(traffic: Traffic, operations: ReadonlyMap<string, string>) {
  let armed: { instant: Instant; act: Act; toSkip: number; onStruck: () => void } | undefined
  let acting: Promise<void> = Promise.resolve()
  let open = traffic.open()

  const now = (crossing?: Crossing): void => {
    if (armed === undefined) return
    const { act, onStruck } = armed
    armed = undefined
    open = traffic.open()
    acting = act(crossing)
    onStruck()
  }
  const afterTurns = async (turns: number, crossing: Crossing): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    if (!traffic.open().some(isLastAttempt)) now(crossing)
  }
  return {
    /** @returns a promise that resolves when it strikes. */
    arm(instant: Instant, act: Act): Promise<void> {
      return new Promise((resolve) => {
        armed = { instant, act, toSkip: instant.skip, onStruck: resolve }
      })
    },
    hasStruck: () => armed === undefined,
    /** Strikes if it has not; resolves when the fault is over. */
    async atLast(): Promise<void> {
      now()
      await acting
    },
    /** Returns the requests without a response when it struck. */
    openRequests: () => open,
    watch(crossing: Crossing): 'pass' | 'hold' {
      if (armed === undefined) return 'pass'
      const { moment, operation, turns } = armed.instant
      const direction = moment === 'before' || moment === 'during' ? 'there' : 'back'
      const name = operations.get(withoutNumbers(crossing.statement)) ?? crossing.statement
      if (crossing.direction !== direction || name !== operation) return 'pass'
      if (armed.toSkip-- > 0 || traffic.open().some(isLastAttempt)) return 'pass'
      if (moment === 'before' || moment === 'answered') {
        now(crossing)
        return 'hold'
      }
      // The statement, or its result, is passed on first.
      void afterTurns(moment === 'during' ? 1 : turns, crossing)
      return 'pass'
    },
  }
}
