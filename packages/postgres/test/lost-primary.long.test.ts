import { fileURLToPath } from 'node:url'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasPgBouncer, NEEDS_PGBOUNCER, openPgBouncer } from '@tonplug/test-support/pgbouncer'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseOf } from '../src/database.js'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { canMakeCluster, NEEDS_CLUSTER, openReplicatedCluster } from './crash/own-cluster.js'

/** `LOST_PRIMARY_ORDERS=10000` is a long run. */
const ORDERS = Number(process.env['LOST_PRIMARY_ORDERS'] ?? 300)
const MS_PER_ORDER = 25
const SECRET = 'whsec_lost_primary'
const CLOCKS_APART_MS = 300_000
const RETRY_MS = 500
const HANDLERS = 2

/** A delivery that got 2xx. */
interface Acknowledged {
  reference: string
  atMs: number
}

describe.skipIf(!canMakeCluster || !hasPgBouncer)(
  `a lost primary of ${NEEDS_CLUSTER}, behind ${NEEDS_PGBOUNCER}`,
  () => {
    it(
      `S48 S75 loses and doubles none of ${ORDERS} payments, although clocks are five minutes apart`,
      async () => {
        const cluster = await openReplicatedCluster()
        onTestFinished(() => cluster.close())
        const { primary, standby } = cluster.urls
        const references = Array.from({ length: ORDERS }, (_, index) => `order-${index}`)
        await createShop(primary, references, cluster.standbyPort)
        const pooler = await openPgBouncer(primary)
        const ports = [
          await startServer(pooler.url, 0),
          await startServer(pooler.url, CLOCKS_APART_MS),
        ]

        const acknowledged: Acknowledged[] = []
        const deliveries: Promise<void>[] = []
        let lostAtMs = Infinity
        let promoting: Promise<number> | undefined
        for (const [index, reference] of references.entries()) {
          // Some are delivered to both servers.
          const targets = index % 10 === 0 ? ports : [ports[index % 2] ?? 0]
          for (const port of targets) deliveries.push(deliver(port, reference, acknowledged))
          if (index === Math.floor(ORDERS / 2)) {
            lostAtMs = Date.now()
            promoting = cluster.losePrimary().finally(() => pooler.pointTo(standby))
          }
          await sleep(MS_PER_ORDER)
        }
        const endedAtMs = (await promoting) ?? Infinity
        await Promise.all(deliveries)

        const db = openPool(standby)
        await expect
          .poll(() => runsOf(db), { timeout: 300_000, interval: 500 })
          .toEqual({ keys: ORDERS * HANDLERS, handled: ORDERS * HANDLERS })
        const { rows } = await db.query(
          `SELECT count(*)::int AS completed FROM tonplug.orders WHERE status = 'completed'`,
        )
        expect(rows).toEqual([{ completed: ORDERS }])
        expect(new Set(acknowledged.map(({ reference }) => reference)).size).toBe(ORDERS)
        const later = acknowledged.flatMap(({ atMs }) => (atMs > endedAtMs ? atMs : []))
        const takenOverMs = Math.min(...later) - lostAtMs
        const before = acknowledged.length - later.length
        console.info(
          `lost primary: ${before} acknowledged before, ${later.length} after, the first after ${takenOverMs} ms`,
        )
        expect(before).toBeGreaterThan(0)
        expect(later).not.toEqual([])
      },
      240_000 + ORDERS * 100,
    )
  },
)

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4 })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  return pool
}

/** Creates the schema, the orders, and a clock that is ahead on the standby. */
async function createShop(url: string, references: string[], standbyPort: number): Promise<void> {
  const db = openPool(url)
  databaseOf(db)
  await migratePostgres(db)
  await db.query(`CREATE OR REPLACE FUNCTION tonplug.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT now() + CASE current_setting('port')
      WHEN '${standbyPort}' THEN interval '${CLOCKS_APART_MS} milliseconds' ELSE interval '0' END $$`)
  await db.query(
    'CREATE TABLE runs (reference text NOT NULL, handler text NOT NULL, key text NOT NULL)',
  )
  const orders = postgresOrderRepository(db)
  for (const reference of references) {
    await orders.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: null })
  }
}

/** Starts a server until the test ends. @returns its port */
async function startServer(url: string, aheadMs: number): Promise<number> {
  const program = fileURLToPath(new URL('lost-primary.child.mjs', import.meta.url))
  const child = fork(program, [url, SECRET, String(aheadMs)])
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return port
}

/** Delivers a webhook until the response is 2xx, as the gateway does, but sooner. */
async function deliver(
  port: number,
  reference: string,
  acknowledged: Acknowledged[],
): Promise<void> {
  const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)
  for (;;) {
    try {
      const { ok } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
      if (ok) {
        acknowledged.push({ reference, atMs: Date.now() })
        return
      }
    } catch {
      // The connection was lost.
    }
    await sleep(RETRY_MS)
  }
}

/** Returns the number of runs of handlers by their keys, and by their orders: equal when no order has two keys. */
async function runsOf(db: pg.Pool): Promise<{ keys: number; handled: number }> {
  const { rows } = await db.query<{ keys: number; handled: number }>(
    `SELECT count(DISTINCT key)::int AS keys, count(DISTINCT (reference, handler))::int AS handled
    FROM runs`,
  )
  return rows[0] ?? { keys: 0, handled: 0 }
}
