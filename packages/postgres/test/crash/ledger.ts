import type pg from 'pg'
import { migratePostgres } from '../../src/migrate-postgres.js'
import { postgresOrderRepository } from '../../src/postgres-order-repository.js'
import type { Keeper } from './fault.js'
import { ORDER, type Purchase } from './purchases.js'
import type { OpenRequest } from './traffic.js'

/** What PostgreSQL holds, as the test sees it, past every server and proxy. */
export interface Ledger {
  createOrders(purchases: readonly Purchase[]): Promise<void>
  /** Resolves when PostgreSQL has ended every connection of a server that is gone. */
  serversGone(): Promise<void>
  /** How far the transfer of a request got, and whether its order is completed. */
  standing(request: OpenRequest): Promise<Standing>
  /** Transfers without a decision, not even that no order has their reference. */
  undecided(): Promise<Transfer[]>
  /** Handlers that hold a lease; `hasRun` when the run under it has left its row. */
  leased(): Promise<{ leaseId: string; hasRun: boolean }[]>
  /** How many deliveries and handlers wait for something. */
  countOpen(): Promise<number>
  /** The same row by row, for a message. */
  describeOpen(): Promise<string>
}

type Transfer = Pick<OpenRequest, 'reference' | 'txHash'>

interface Standing {
  state: 'absent' | 'undecided' | 'parked' | 'decided'
  isCompleted: boolean
}

/** The name under which the servers connect. */
export const SERVER_NAME = 'crash_test_server'

/** Makes the tables. Every completion of an order leaves a row, by a trigger of the database's own. */
export async function openLedger(db: pg.Pool, keeper: Keeper): Promise<Ledger> {
  await migratePostgres(db)
  const table = keeper === 'tonplug' ? 'tonplug.orders' : 'shop_orders'
  await db.query(`
    CREATE TABLE runs (key text NOT NULL, reference text NOT NULL, attempt integer NOT NULL);
    CREATE TABLE completions (reference text NOT NULL, tx_hash text NOT NULL);
    CREATE TABLE shop_orders (
      reference text PRIMARY KEY, raw_amount numeric NOT NULL, asset text NOT NULL,
      status text NOT NULL DEFAULT 'pending', payment_tx_hash text, payment jsonb
    );
    CREATE FUNCTION note_completion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO completions VALUES (NEW.reference, NEW.payment_tx_hash);
      RETURN NEW;
    END $$;
    CREATE TRIGGER completed AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (NEW.status = 'completed') EXECUTE FUNCTION note_completion();`)
  const orders = postgresOrderRepository(db)

  return {
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
            SELECT state FROM tonplug.deliveries WHERE reference = $1 AND tx_hash = $2
          ), 'absent') AS state,
          EXISTS (SELECT FROM completions WHERE reference = $1 AND tx_hash = $2) AS is_completed`,
        [reference, txHash],
      )
      const [row] = rows
      return { state: row?.state ?? 'absent', isCompleted: row?.is_completed === true }
    },
    async undecided() {
      const { rows } = await db.query<Transfer>(
        `SELECT reference, tx_hash AS "txHash" FROM tonplug.deliveries WHERE state = 'undecided'`,
      )
      return rows
    },
    async leased() {
      const { rows } = await db.query<{ leaseId: string; hasRun: boolean }>(
        `SELECT lease_id AS "leaseId", EXISTS (
          SELECT FROM runs WHERE key = t.idempotency_key AND attempt = t.attempts
        ) AS "hasRun"
        FROM tonplug.handler_tasks t WHERE state = 'open' AND lease_id IS NOT NULL`,
      )
      return rows
    },
    async countOpen() {
      const { rows } = await db.query<{ count: string }>(
        `SELECT (SELECT count(*) FROM tonplug.deliveries WHERE state <> 'decided')
          + (SELECT count(*) FROM tonplug.handler_tasks WHERE state = 'open') AS count`,
      )
      return Number(rows[0]?.count)
    },
    async describeOpen() {
      const { rows } = await db.query<{ row: string }>(
        `SELECT concat_ws(' ', reference, tx_hash, state, attempts, retry_at) AS row
        FROM tonplug.deliveries WHERE state <> 'decided'
        UNION ALL SELECT concat_ws(' ', idempotency_key, state, attempts, due_at, error)
        FROM tonplug.handler_tasks WHERE state <> 'done'`,
      )
      return rows.map(({ row }) => row).join('; ')
    },
  }
}
