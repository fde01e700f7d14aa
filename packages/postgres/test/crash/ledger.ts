import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { postgresOrderRepository } from '../../src/postgres-order-repository.js'
import { replaceNow, setTime } from '../database-clock.js'
import type { Keeper } from './fault.js'
import { ORDER, type Purchase } from './purchases.js'
import type { OpenRequest } from './traffic.js'

/** The contents of PostgreSQL, read directly. */
export interface Ledger {
  /** Sets the database's time; resolves when the database is up. */
  setTime(nowMs: number): Promise<void>
  createOrders(purchases: readonly Purchase[]): Promise<void>
  /** Resolves when PostgreSQL has closed every connection of killed servers. */
  serversGone(): Promise<void>
  /** Returns the state of a request's transfer, and whether its order is completed. */
  standing(request: OpenRequest): Promise<Standing>
  /** Returns transfers without a decision. */
  undecided(): Promise<Transfer[]>
  /** Returns handlers with a lease; `hasRun` when their run has left its row. */
  leased(): Promise<{ leaseId: string; hasRun: boolean }[]>
  /** Counts unfinished reports and handlers. */
  countOpen(): Promise<number>
  /** Describes unfinished reports and handlers. */
  describeOpen(): Promise<string>
}

type Transfer = Pick<OpenRequest, 'reference' | 'txHash'>

interface Standing {
  state: 'absent' | 'undecided' | 'parked' | 'decided'
  isCompleted: boolean
}

/** The shop's table, for `mappedOrderRepository`. */
export const SHOP_MAPPING = {
  table: 'shop_orders',
  columns: {
    reference: 'reference',
    rawAmount: 'raw_amount',
    asset: 'asset',
    status: 'status',
    payment: 'payment',
    paymentTxHash: 'payment_tx_hash',
    failure: 'failure',
  },
}

/** The application name of the servers. */
export const SERVER_NAME = 'crash_test_server'

/** Creates the tables. A trigger records every completion of an order. */
export async function openLedger(
  db: pg.Pool,
  { keeper, nowMs }: { keeper: Keeper; nowMs: number },
): Promise<Ledger> {
  await replaceNow(db, nowMs)
  const table = keeper === 'tonplug' ? 'tonplug.orders' : 'shop_orders'
  await db.query(`
    CREATE TABLE runs (key text NOT NULL, reference text NOT NULL, attempt integer NOT NULL);
    CREATE TABLE completions (reference text NOT NULL, tx_hash text NOT NULL);
    CREATE TABLE shop_orders (
      reference text PRIMARY KEY, raw_amount numeric NOT NULL, asset text NOT NULL,
      status text NOT NULL DEFAULT 'pending', payment_tx_hash text, payment jsonb,
      failure_tx_hash text, failure jsonb
    );
    CREATE FUNCTION note_completion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO completions VALUES (NEW.reference, NEW.payment_tx_hash);
      RETURN NEW;
    END $$;
    CREATE TRIGGER completed AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (NEW.status = 'completed') EXECUTE FUNCTION note_completion();`)
  const orders = postgresOrderRepository(db)

  return {
    async setTime(ms) {
      for (;;) {
        try {
          return await setTime(db, ms)
        } catch (error) {
          if (!isDown(error)) throw error
          await setImmediate()
        }
      }
    },
    async createOrders(purchases) {
      if (keeper === 'tonplug') {
        for (const { reference } of purchases) {
          await orders.create({ reference, ...ORDER, data: null })
        }
        return
      }
      const references = purchases.map(({ reference }) => reference)
      await db.query(
        `INSERT INTO shop_orders (reference, raw_amount, asset)
        SELECT unnest($1::text[]), $2::numeric, $3::text`,
        [references, ORDER.rawAmount.toString(), ORDER.asset],
      )
    },
    async serversGone() {
      const isGone = `SELECT NOT EXISTS (
        SELECT FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()
      ) AS is_gone`
      for (;;) {
        const { rows } = await db.query<{ is_gone: boolean }>(isGone, [SERVER_NAME])
        if (rows[0]?.is_gone === true) return
      }
    },
    async standing({ reference, txHash }) {
      const { rows } = await db.query<{ state: Standing['state']; is_completed: boolean }>(
        `SELECT
          coalesce((
            SELECT state FROM tonplug.reports WHERE reference = $1 AND tx_hash = $2
          ), 'absent') AS state,
          EXISTS (SELECT FROM completions WHERE reference = $1 AND tx_hash = $2) AS is_completed`,
        [reference, txHash],
      )
      const [row] = rows
      return { state: row?.state ?? 'absent', isCompleted: row?.is_completed === true }
    },
    async undecided() {
      const { rows } = await db.query<Transfer>(
        `SELECT reference, tx_hash AS "txHash" FROM tonplug.reports WHERE state = 'undecided'`,
      )
      return rows
    },
    async leased() {
      const { rows } = await db.query<{ leaseId: string; hasRun: boolean }>(
        `SELECT lease_id AS "leaseId", EXISTS (
          SELECT FROM runs WHERE key = t.idempotency_key AND attempt = t.attempts
        ) AS "hasRun"
        FROM tonplug.tasks t WHERE state = 'open' AND lease_id IS NOT NULL`,
      )
      return rows
    },
    async countOpen() {
      const { rows } = await db.query<{ count: string }>(
        `SELECT (SELECT count(*) FROM tonplug.reports WHERE state <> 'decided')
          + (SELECT count(*) FROM tonplug.tasks WHERE state = 'open') AS count`,
      )
      return Number(rows[0]?.count)
    },
    async describeOpen() {
      const { rows } = await db.query<{ row: string }>(
        `SELECT concat_ws(' ', reference, tx_hash, state, attempts, retry_at) AS row
        FROM tonplug.reports WHERE state <> 'decided'
        UNION ALL SELECT concat_ws(' ', idempotency_key, state, attempts, due_at, error)
        FROM tonplug.tasks WHERE state <> 'done'`,
      )
      return rows.map(({ row }) => row).join('; ')
    },
  }
}

/** Returns true for errors of a database that stops or starts. */
function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(?:ECONN|57P|08)/.test(code) || error.message.startsWith('Connection terminated')
}
