/** One step of the schema. Applied once, never changed afterwards; the next change is a new step. */
export interface Migration {
  version: number
  sql: string
}

/** In the order of their versions. A step may only add, since servers of the version before still run meanwhile. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
    -- A delivery and the decision about it. Keys may be longer than an index entry, so their hashes are unique.
    CREATE TABLE tonplug.deliveries (
      id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      receiver             text NOT NULL,
      key                  text NOT NULL,
      key_hash             bytea NOT NULL UNIQUE,
      reference            text NOT NULL,
      tx_hash              text NOT NULL,
      raw_body             text NOT NULL,
      signed_with          text NOT NULL,
      was_completed_before boolean NOT NULL,
      received_at          timestamptz(3) NOT NULL,
      state                text NOT NULL DEFAULT 'undecided'
                           CHECK (state IN ('undecided', 'parked', 'decided')),
      attempts             integer NOT NULL DEFAULT 0,
      -- When the sweep looks at it; null once it is decided.
      retry_at             timestamptz(3),
      decision             jsonb
    );
    CREATE INDEX deliveries_due ON tonplug.deliveries (receiver, retry_at) WHERE state <> 'decided';
    -- References may be longer than an entry of other indexes, too.
    CREATE INDEX deliveries_waiting ON tonplug.deliveries USING hash (reference)
      WHERE state <> 'decided';
    CREATE INDEX deliveries_old ON tonplug.deliveries (receiver, received_at) WHERE state = 'decided';

    -- A handler that has to run, one row per idempotency key. due_at is the end of the lease while it runs.
    CREATE TABLE tonplug.handler_tasks (
      id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      delivery_id     bigint NOT NULL REFERENCES tonplug.deliveries (id),
      receiver        text NOT NULL,
      handler         text NOT NULL,
      idempotency_key text NOT NULL,
      key_hash        bytea NOT NULL UNIQUE,
      state           text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'dead')),
      attempts        integer NOT NULL DEFAULT 0,
      due_at          timestamptz(3) NOT NULL,
      lease_id        text,
      error           text
    );
    CREATE INDEX handler_tasks_due ON tonplug.handler_tasks (receiver, due_at) WHERE state = 'open';
    CREATE INDEX handler_tasks_dead ON tonplug.handler_tasks (id) WHERE state = 'dead';
    CREATE INDEX handler_tasks_delivery ON tonplug.handler_tasks (delivery_id);

    -- Orders of shops that have no table of their own. Amounts are base units; in payment they are text.
    CREATE TABLE tonplug.orders (
      reference       text PRIMARY KEY,
      raw_amount      numeric(80, 0) NOT NULL CHECK (raw_amount >= 0),
      asset           text NOT NULL,
      recipient       text,
      status          text NOT NULL DEFAULT 'pending'
                      CHECK (status IN ('pending', 'failed', 'expired', 'cancelled', 'completed')),
      created_at      timestamptz(3) NOT NULL DEFAULT now(),
      payment_tx_hash text,
      payment         jsonb,
      failure_tx_hash text,
      failure         jsonb,
      data            jsonb,
      CHECK (status <> 'completed' OR (payment IS NOT NULL AND payment_tx_hash IS NOT NULL))
    );
    CREATE INDEX orders_open ON tonplug.orders (created_at, reference)
      WHERE status IN ('pending', 'failed', 'expired');`,
  },
  {
    version: 2,
    sql: `
    -- Which order a payment on the chain paid. Kept when its delivery is forgotten, since it can be claimed again.
    CREATE TABLE tonplug.payments (
      payment   text PRIMARY KEY,
      reference text NOT NULL
    );
    ALTER TABLE tonplug.orders ADD COLUMN body_base64_hash text;`,
  },
  {
    version: 3,
    sql: `
    CREATE INDEX orders_by_body ON tonplug.orders (body_base64_hash)
      WHERE body_base64_hash IS NOT NULL;
    -- How far reconcilers have come.
    CREATE TABLE tonplug.cursors (
      name     text PRIMARY KEY,
      position text NOT NULL
    );`,
  },
  {
    version: 4,
    sql: `
    -- When it was replayed last; null for a handler that waits since its delivery came.
    ALTER TABLE tonplug.handler_tasks ADD COLUMN replayed_at timestamptz(3);`,
  },
]
