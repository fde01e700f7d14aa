/** One step of the schema. Applied once and never changed; every later change is a new step. */
export interface Migration {
  version: number
  sql: string
}

/** Ordered by version. A step may only add, since processes of the previous version continue to run. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
    -- The time of every due time and lease. The start of the statement, so that indexes on due times apply.
    CREATE FUNCTION tonplug.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
      AS 'SELECT pg_catalog.statement_timestamp()';

    -- Rolls back the statement that claims a payment of another order.
    CREATE FUNCTION tonplug.reject_claim() RETURNS text LANGUAGE plpgsql AS $claim$
    BEGIN
      RAISE SQLSTATE 'TP001' USING MESSAGE = 'another order has claimed this payment';
    END
    $claim$;

    GRANT EXECUTE ON FUNCTION tonplug.now(), tonplug.reject_claim() TO PUBLIC;

    -- A transfer as one source reported it, and the decision about it. Of its key only the hash is stored.
    CREATE TABLE tonplug.reports (
      id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name                 text NOT NULL,
      merchant             text NOT NULL,
      key_hash             bytea NOT NULL,
      source               text NOT NULL CHECK (source IN ('webhook', 'chain', 'gateway', 'operator')),
      signed_with          text NOT NULL,
      reference            text NOT NULL,
      tx_hash              text NOT NULL,
      trace_id             bytea,
      -- As reported; null when unreadable.
      sender_addr          text,
      raw_amount           text,
      -- Unless it is the reference.
      comment              text,
      raw_body             text NOT NULL,
      payments             jsonb NOT NULL,
      problem              text,
      was_completed_before boolean NOT NULL,
      received_at          timestamptz(3) NOT NULL,
      state                text NOT NULL
                           CHECK (state IN ('undecided', 'parked', 'decided', 'unreadable')),
      attempts             integer NOT NULL DEFAULT 0,
      -- When the sweep claims it; null unless it is undecided or parked.
      retry_at             timestamptz,
      decision             jsonb,
      UNIQUE (name, key_hash)
    );
    CREATE INDEX reports_due ON tonplug.reports (name, retry_at, id)
      WHERE state IN ('undecided', 'parked');
    CREATE INDEX reports_unreadable ON tonplug.reports (name, id) WHERE state = 'unreadable';
    CREATE INDEX reports_old ON tonplug.reports (name, received_at, id)
      WHERE state = 'decided';
    -- For lists of the transfers that need an operator: few among many.
    CREATE INDEX reports_decision ON tonplug.reports (name, (decision->>'kind'), id)
      WHERE decision->>'kind' NOT IN ('paid', 'duplicate');
    -- Many transfers have the same amount or payer, so the newest of each kind are read from these indexes. Their entries are
    -- limited in length.
    CREATE INDEX reports_amount
      ON tonplug.reports (name, raw_amount, state, coalesce(decision->>'kind', ''), id)
      WHERE length(raw_amount) <= 78;
    CREATE INDEX reports_sender
      ON tonplug.reports (name, sender_addr text_pattern_ops, state, coalesce(decision->>'kind', ''), id)
      WHERE length(sender_addr) <= 200;
    -- Hash indexes, since a report may have values that are longer than an entry of any other index.
    CREATE INDEX reports_reference ON tonplug.reports USING hash (reference);
    CREATE INDEX reports_transaction ON tonplug.reports USING hash (tx_hash);
    CREATE INDEX reports_trace ON tonplug.reports USING hash (trace_id);
    -- For searches of operators: comments without regard to case, and the beginning of a hash. Many payments have no comment,
    -- or the same one.
    CREATE INDEX reports_comment
      ON tonplug.reports (left(lower(coalesce(comment, reference)), 200) text_pattern_ops)
      WHERE coalesce(comment, reference) <> '';
    CREATE INDEX reports_transaction_start ON tonplug.reports (name, tx_hash text_pattern_ops)
      WHERE length(tx_hash) <= 88;

    -- What operators did about reports.
    CREATE TABLE tonplug.actions (
      id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      report_id bigint NOT NULL REFERENCES tonplug.reports (id) ON DELETE CASCADE,
      action    text NOT NULL,
      operator  text NOT NULL,
      note      text NOT NULL,
      acted_at  timestamptz(3) NOT NULL
    );
    CREATE INDEX actions_report ON tonplug.actions (report_id);

    -- A scheduled handler run, one row per idempotency key. While it runs, due_at is the end of its lease.
    CREATE TABLE tonplug.tasks (
      id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      report_id       bigint NOT NULL REFERENCES tonplug.reports (id),
      name            text NOT NULL,
      merchant        text NOT NULL,
      handler         text NOT NULL,
      idempotency_key text NOT NULL,
      key_hash        bytea NOT NULL UNIQUE,
      state           text NOT NULL DEFAULT 'open'
                      CHECK (state IN ('open', 'relayed', 'done', 'dead')),
      attempts        integer NOT NULL DEFAULT 0,
      due_at          timestamptz NOT NULL,
      lease_id        text,
      error           text,
      replayed_at     timestamptz,
      -- When a queue engine accepted it last.
      relayed_at      timestamptz
    );
    CREATE INDEX tasks_due ON tonplug.tasks (name, handler, due_at, id) WHERE state = 'open';
    -- For queue engines, which take the tasks of all handlers.
    CREATE INDEX tasks_relay ON tonplug.tasks (name, due_at, id)
      WHERE state = 'open' AND handler <> 'verifyOnChain';
    CREATE INDEX tasks_relayed ON tonplug.tasks (name, relayed_at, id) WHERE state = 'relayed';
    CREATE INDEX tasks_dead ON tonplug.tasks (id) WHERE state = 'dead';
    CREATE INDEX tasks_report ON tonplug.tasks (report_id);

    -- The handlers that get a task for each decision of their event.
    CREATE TABLE tonplug.subscriptions (
      name       text NOT NULL,
      handler    text NOT NULL,
      event      text NOT NULL,
      last_seen  timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (name, handler)
    );

    -- The policy by which processes of one name decide parked reports.
    CREATE TABLE tonplug.policies (
      name       text PRIMARY KEY,
      policy     text NOT NULL,
      last_seen  timestamptz NOT NULL,
      -- When a process with a watcher has registered last.
      watched_at timestamptz
    );

    -- Money that arrived: one transaction of an account, in one asset. Never deleted. Without an amount it was used before
    -- the chain had shown it, and all of it is used.
    CREATE TABLE tonplug.credits (
      id         text PRIMARY KEY,
      account    text,
      wallet     text,
      tx_hash    text,
      asset      text,
      raw_amount numeric(80, 0) CHECK (raw_amount >= 0),
      used       numeric(80, 0) NOT NULL DEFAULT 0 CHECK (used >= 0 AND used <= raw_amount),
      trace_id   text,
      utime      bigint,
      -- The messages that led to it.
      facts      jsonb,
      -- The order that it names.
      name       text,
      merchant   text,
      reference  text,
      seen_at    timestamptz(3) NOT NULL
    );
    CREATE INDEX credits_reference ON tonplug.credits USING hash (reference);
    CREATE INDEX credits_wallet ON tonplug.credits (wallet, account, asset, utime, id);
    CREATE INDEX credits_utime ON tonplug.credits (utime, id);

    -- The trace of each credit, and the transactions that led to it.
    CREATE TABLE tonplug.credit_hashes (
      hash      text NOT NULL,
      credit_id text NOT NULL REFERENCES tonplug.credits (id),
      PRIMARY KEY (hash, credit_id)
    );

    -- What credits were used for. Never deleted. Without an amount all of the credit is used.
    CREATE TABLE tonplug.uses (
      credit_id  text NOT NULL REFERENCES tonplug.credits (id),
      -- A hash of the kind and the order.
      owner_hash bytea NOT NULL,
      -- A hash of the order, its payment and the part of that payment: a part is one credit.
      link_hash  bytea,
      kind       text NOT NULL CHECK (kind IN ('order', 'refund')),
      name       text NOT NULL,
      merchant   text NOT NULL,
      reference  text NOT NULL,
      payment    text,
      raw_amount numeric(80, 0) CHECK (raw_amount >= 0),
      used_at    timestamptz(3) NOT NULL,
      -- When a refund that was not sent was released, or a refund took the money of an order that was cancelled or
      -- completed by another payment. It uses nothing since then, and can claim nothing more.
      released_at timestamptz(3),
      PRIMARY KEY (credit_id, owner_hash),
      UNIQUE (link_hash)
    );
    CREATE INDEX uses_reference ON tonplug.uses USING hash (reference);

    -- The decision about money that fits no order, and the report whose handlers it runs: one for each credit and name.
    -- Never deleted.
    CREATE TABLE tonplug.credit_decisions (
      credit_id text NOT NULL,
      name      text NOT NULL,
      report_id bigint NOT NULL,
      kind      text NOT NULL,
      PRIMARY KEY (credit_id, name)
    );

    -- The order that each transaction has paid which a source has named. Kept when its report is deleted.
    CREATE TABLE tonplug.payments (
      key_hash  bytea PRIMARY KEY,
      name      text NOT NULL,
      merchant  text NOT NULL,
      payment   text NOT NULL,
      -- '' after the release of a refund: it is free again.
      reference text NOT NULL
    );
    CREATE INDEX payments_refund ON tonplug.payments (reference) WHERE starts_with(reference, '["refund",');

    -- Orders of shops without a table of their own. Amounts are base units; in JSON they are strings. An order has an amount
    -- in one asset, or offers.
    CREATE TABLE tonplug.orders (
      name             text NOT NULL,
      merchant         text NOT NULL,
      reference        text NOT NULL,
      raw_amount       numeric(80, 0) CHECK (raw_amount >= 0),
      asset            text,
      offers           jsonb,
      recipient        text,
      body_base64_hash text,
      status           text NOT NULL DEFAULT 'pending'
                       CHECK (status IN ('pending', 'failed', 'expired', 'cancelled', 'completed')),
      created_at       timestamptz(3) NOT NULL,
      payment_tx_hash  text,
      payment          jsonb,
      failure_tx_hash  text,
      failure          jsonb,
      data             jsonb,
      PRIMARY KEY (name, reference, merchant),
      CHECK ((raw_amount IS NULL) = (asset IS NULL) AND (asset IS NULL) = (offers IS NOT NULL)),
      -- A completed order without a payment was settled in another way.
      CHECK ((payment IS NULL) = (payment_tx_hash IS NULL))
    );
    CREATE INDEX orders_open ON tonplug.orders (name, created_at, merchant, reference)
      WHERE status IN ('pending', 'failed', 'expired');
    -- For lists and searches of operators.
    CREATE INDEX orders_created ON tonplug.orders (name, created_at, merchant, reference);
    CREATE INDEX orders_reference ON tonplug.orders (name, reference text_pattern_ops);
    CREATE INDEX orders_by_body ON tonplug.orders (body_base64_hash)
      WHERE body_base64_hash IS NOT NULL;

    -- The positions of watchers, and which of them is at work.
    CREATE TABLE tonplug.cursors (
      name         text PRIMARY KEY,
      position     text,
      holder       text,
      leased_until timestamptz
    );

    -- The newest proven key block of each network. Never replaced by an older one.
    CREATE TABLE tonplug.anchors (
      global_id integer PRIMARY KEY,
      seqno     bigint NOT NULL,
      root_hash bytea NOT NULL,
      file_hash bytea NOT NULL
    );

    -- The newest proven transaction of each account that was credited. Never replaced by an older one.
    CREATE TABLE tonplug.proven_transactions (
      global_id integer NOT NULL,
      account   text NOT NULL,
      lt        numeric(20, 0) NOT NULL,
      hash      bytea NOT NULL,
      PRIMARY KEY (global_id, account)
    );`,
  },
]
