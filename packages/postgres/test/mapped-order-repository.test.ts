import { createHash } from 'node:crypto'
import {
  createPayments,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type Order,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import {
  createFakeClock,
  createTestLogger,
  describeJoinedOrders,
  describeOrderRepository,
  signPayload,
  transferCompleted,
} from '@tonplug/testing'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { MappedOrderRepositoryOptions } from '../src/order-mapping.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import type { Queryable } from '../src/queryable.js'
import { mappedOrderRepository } from '../src/mapped-order-repository.js'
import { openPGlite, openPostgres, type TestDatabase, type TestPostgres } from './databases.js'
import { PAYMENT as A_PAYMENT } from './money.js'
import { newReport } from './reports.js'
import { CREATE_SHOP, deleteOrders, insertOrder, MAPPING } from './libraries/shop-table.js'

const KEY = { reference: 'order-1', merchant: '' }
const PAYMENT = {
  ...A_PAYMENT,
  txHash: '1'.padStart(64, '0'),
  traceId: '2'.padStart(64, '0'),
  rawAmount: 5n,
  source: 'chain',
} as const
const JETTON = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const OTHER_JETTON = `0:${'0c'.repeat(32)}`
const FAILURE = { txHash: 'f', traceId: '', status: 'error', date: '' }

/** The least that a table needs. */
const MINIMAL = {
  table: 'orders',
  columns: { reference: 'number', rawAmount: 'nanotons', status: 'state', payment: 'ton_payment' },
  asset: 'TON',
  statuses: { pending: 'new', completed: 'paid' },
} satisfies MappedOrderRepositoryOptions

describe('conformance on PGlite', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPGlite()
    await database.db.query(CREATE_SHOP)
  })
  afterAll(() => database.close())

  const makeOrders = async () => {
    const { db } = database
    await database.clear()
    await deleteOrders(db)
    const insert = (order: Order): Promise<void> => insertOrder(db, order)
    return { repository: mappedOrderRepository(db, MAPPING), insert }
  }
  const options = { offers: false, list: true, search: true }
  describeOrderRepository('a table of a shop', makeOrders, { describe, it }, options)
  describeJoinedOrders(
    'a table of a shop',
    async () => ({ ...(await makeOrders()), inbox: postgresInbox(database.db) }),
    { describe, it },
  )

  it('returns the other columns of an order that the mapping names, without losing digits', async () => {
    const { repository, insert } = await makeOrders()
    await insert({ ...KEY, rawAmount: 1n, asset: 'TON', status: 'pending' })
    const order = await mappedOrderRepository(database.db, MAPPING).find(KEY)
    expect(order).toMatchObject({
      email: 'buyer@example.com',
      weight: '90071992547409931.5',
      tags: ['a', 'b'],
    })
    expect(order?.id).toMatch(/^\d+$/)
    expect(await repository.find(KEY)).toEqual(order)
  })

  it('searches orders by the fields that the shop has named, without regard to case', async () => {
    const { repository, insert } = await makeOrders()
    for (const reference of ['order-1', 'order-2', 'order-3']) {
      await insert({ ...KEY, reference, rawAmount: 1n, asset: 'TON', status: 'pending' })
    }
    const updated = await database.db.query(
      `UPDATE "The Shop"."Order?" SET email = 'Ann@Shop.example' WHERE "the ""number""" = 'order-2'
      RETURNING id::text`,
    )
    // The row of the statement.
    const [row] = updated.rows as { id: string }[]
    const find = async (text: string, limit = 10) =>
      (await repository.search?.({ text, limit }))?.map(({ reference }) => reference)
    expect(await find('ann@SHOP')).toEqual(['order-2'])
    expect(await find('buyer@')).toEqual(['order-1', 'order-3'])
    expect(await find('buyer@', 1)).toEqual(['order-1'])
    expect(await find(String(row?.id))).toEqual(['order-2'])
    expect(await find('shop.example')).toEqual([])
  })

  it('S26 completes an order once whatever status the shop gives it later', async () => {
    const { repository, insert } = await makeOrders()
    await insert({ ...KEY, rawAmount: 1n, asset: 'TON', status: 'pending' })
    await repository.complete(KEY, PAYMENT)
    await database.db.query(`UPDATE "The Shop"."Order?" SET state = 'shipped'`)
    expect(await repository.find(KEY)).toMatchObject({ status: 'completed', payment: PAYMENT })
    expect(await repository.complete(KEY, PAYMENT)).toBe('already-applied')
    expect(await repository.complete(KEY, { ...PAYMENT, txHash: 'other' })).toBe('conflict')
  })
})

describe.skipIf(!hasPostgres)(`a table on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  let db: pg.Pool
  beforeAll(async () => {
    database = await openPostgres()
    db = database.db
  })
  afterAll(() => database.close())

  /** Creates a table for one test, and a way to insert into it. */
  async function createTable(columns: string): Promise<void> {
    await db.query(`CREATE TABLE orders (${columns})`)
    onTestFinished(async () => {
      await db.query('DROP TABLE orders')
    })
  }

  async function problemOf<Extra extends object>(
    options: MappedOrderRepositoryOptions<Extra>,
  ): Promise<string> {
    const checked = mappedOrderRepository(db, options).checkAccess()
    return checked.then(
      () => 'none',
      (error: Error) => error.message,
    )
  }

  it('has orders that are completed once with the least columns', async () => {
    await createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb`)
    const orders = mappedOrderRepository(db, MINIMAL)
    await orders.checkAccess()
    expect('findByBodyHashes' in orders).toBe(false)
    await db.query(`INSERT INTO orders VALUES ('order-1', 5, 'new')`)
    expect(await orders.find(KEY)).toMatchObject({ rawAmount: 5n, asset: 'TON', status: 'pending' })
    expect(await orders.fail(KEY, FAILURE)).toBe('applied')
    expect((await orders.find(KEY))?.status).toBe('pending')
    expect(await orders.complete(KEY, PAYMENT)).toBe('applied')
    expect(await orders.complete(KEY, PAYMENT)).toBe('already-applied')
    expect(await orders.fail(KEY, FAILURE)).toBe('conflict')
    const { rows } = await db.query('SELECT state FROM orders')
    expect(rows).toEqual([{ state: 'paid' }])
  })

  it('reports the indexes that searches need, with SQL that works', async () => {
    await createTable(
      `number varchar(40) UNIQUE, nanotons bigint, state text, ton_payment jsonb, "E mail" varchar(99), customer bigint, weight numeric`,
    )
    const extra = { email: 'E mail', customer: 'customer', weight: 'weight' }
    const mapping: MappedOrderRepositoryOptions<typeof extra> = {
      ...MINIMAL,
      extra,
      search: ['email', 'customer'],
    }
    const problem = await problemOf(mapping)
    const statements = problem.match(/CREATE INDEX.*;/g) ?? []
    expect(statements).toEqual([
      'CREATE INDEX CONCURRENTLY ON "public"."orders" ("number" text_pattern_ops);',
      'CREATE INDEX CONCURRENTLY ON "public"."orders" (left(lower("E mail"), 200) text_pattern_ops);',
      'CREATE INDEX CONCURRENTLY ON "public"."orders" ("customer");',
    ])
    for (const sql of statements.slice(1)) await db.query(sql)
    await db.query('CREATE INDEX ON orders (number)')
    expect((await problemOf(mapping)).match(/CREATE INDEX/g)).toHaveLength(1)
    await db.query(statements[0] ?? '')
    expect(await problemOf(mapping)).toBe('none')
    expect(await problemOf({ ...mapping, search: ['weight'] })).toContain(
      '"weight" of `search` is numeric',
    )
    expect(() => mappedOrderRepository(db, { ...MINIMAL, search: ['email' as never] })).toThrow(
      'search: must list names of `extra`',
    )
    expect(mappedOrderRepository(db, MINIMAL)).not.toHaveProperty('search')
  })

  it('searches a long field by an index that accepts it', async () => {
    await createTable(
      `number varchar(40) UNIQUE, nanotons bigint, state text, ton_payment jsonb, note text`,
    )
    const options = { ...MINIMAL, extra: { note: 'note' }, search: ['note'] } as const
    for (const sql of (await problemOf(options)).match(/CREATE INDEX.*;/g) ?? []) {
      await db.query(sql)
    }
    // Text that PostgreSQL cannot compress, and of two bytes for each letter.
    const long = Array.from({ length: 100 }, (_, n) => createHash('sha512').update(`${n}`))
      .map((hash) => hash.digest('hex').replaceAll('a', 'Ж'))
      .join('')
    await db.query(
      `INSERT INTO orders VALUES ('a', 5, 'new', NULL, $1), ('b', 5, 'new', NULL, $2)`,
      [long, `${long.slice(0, 400)}!`],
    )
    const orders = mappedOrderRepository(db, options)
    await orders.checkAccess()
    const find = async (text: string) =>
      (await orders.search?.({ text, limit: 5 }))?.map(({ reference }) => reference)
    expect(await find(long.slice(0, 100).toUpperCase())).toEqual(['a', 'b'])
    expect(await find(long.slice(0, 400).toLowerCase())).toEqual(['a', 'b'])
    expect(await find(long.slice(0, 401))).toEqual(['a'])
    expect(await find(`${long.slice(0, 400)}!`)).toEqual(['b'])
  })

  it('S127 has orders with offers in one column, and none without them', async () => {
    await createTable(`number text UNIQUE, offers jsonb, state text, ton_payment jsonb`)
    const columns = {
      reference: 'number',
      offers: 'offers',
      status: 'state',
      payment: 'ton_payment',
    }
    const mapping = { table: 'orders', columns, statuses: MINIMAL.statuses }
    const orders = mappedOrderRepository(db, mapping)
    await orders.checkAccess()
    const end = new Date(9)
    const rate = { price: '5', currency: 'USD', at: new Date(5), orderPrice: '12.50' }
    const offers = [
      { rawAmount: 2n ** 120n + 1n, asset: 'TON', rate, expiresAt: end },
      { rawAmount: 5n, asset: JETTON, expiresAt: end },
    ]
    const stored = memoryOrderRepository([{ ...KEY, offers, status: 'pending' }]).all()[0]
    await db.query(
      `INSERT INTO orders VALUES ('order-1', $1, 'new'), ('order-2', NULL, 'new'), ('order-3', '[{"rawAmount": 5}]', 'new')`,
      [JSON.stringify(stored?.offers)],
    )
    expect(await orders.find(KEY)).toMatchObject({ offers, expiresAt: end, status: 'pending' })
    expect(await orders.find({ reference: 'order-2' })).toBeNull()
    const open: unknown[] = []
    for await (const order of orders.listOpen({ limit: 10 })) open.push(order.offers?.length)
    expect(open).toEqual([2, 0])
    const offer = { rawAmount: '5', asset: JETTON }
    expect(await orders.complete(KEY, { ...PAYMENT, offer })).toBe('applied')
    expect((await orders.find(KEY))?.payment).toMatchObject({ offer })
  })

  it.each([
    [{ offers: 'offers', rawAmount: 'nanotons' }, undefined, /columns.rawAmount: must be left out/],
    [{ offers: 'offers' }, 'TON', /asset: must be left out/],
    [{ offers: 'offers', asset: 'asset' }, undefined, /columns.asset: must be left out/],
    [{}, 'TON', /columns.rawAmount: must be the column/],
  ])('is refused with the columns %j and the asset %s', (amounts, asset, message) => {
    const columns = { reference: 'number', status: 'state', payment: 'ton_payment', ...amounts }
    const create = () => mappedOrderRepository(db, { table: 'orders', columns, asset })
    expect(create).toThrow(message)
  })

  it('S113 states that an order was settled in another way, and keeps it so', async () => {
    await createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb`)
    await db.query(`INSERT INTO orders VALUES ('order-1', 5, 'paid', 'null')`)
    const orders = mappedOrderRepository(db, MINIMAL)
    expect(await orders.find(KEY)).toMatchObject({ status: 'completed', payment: undefined })
    expect(await orders.complete(KEY, PAYMENT)).toBe('conflict')
    const joined = postgresInbox(db).joinOrders?.(orders)
    const row = newReport({ reference: 'order-1', key: 'settled' })
    const stored = await joined?.storeAndFind?.(row)
    expect(stored).toMatchObject({
      report: { wasCompletedBefore: true },
      order: { status: 'completed' },
    })
  })

  describe('S110 a creation time without a time zone', () => {
    const WITH_TIME = { ...MINIMAL, columns: { ...MINIMAL.columns, createdAt: 'created' } }
    const createDated = (column: string) =>
      createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb, ${column}`)
    /** Sets the zone of later sessions for one test. */
    async function useZone(zone: string): Promise<void> {
      const [{ name = '' } = {}] = (await db.query('SELECT current_database() AS name')).rows
      await db.query(`ALTER DATABASE "${name}" SET timezone = '${zone}'`)
      onTestFinished(async () => {
        await db.query(`ALTER DATABASE "${name}" RESET timezone`)
      })
    }

    it.each(['now()', 'CURRENT_TIMESTAMP', 'LOCALTIMESTAMP(3)', 'clock_timestamp()'])(
      'is rejected with the default %s in a zone that is not UTC, with the SQL that corrects it',
      async (value) => {
        await createDated(`created timestamp DEFAULT ${value}`)
        await useZone('Asia/Tbilisi')
        const problem = await problemOf(WITH_TIME)
        expect(problem).toContain('time zone of the session (Asia/Tbilisi); it must be in UTC')
        await db.query(problem.slice(problem.indexOf('ALTER TABLE')))
        expect(await problemOf(WITH_TIME)).toBe('none')
      },
    )
    it('is rejected in a zone that is UTC in winter only', async () => {
      await createDated(`created timestamp(3) DEFAULT now()`)
      await useZone('Europe/London')
      expect(await problemOf(WITH_TIME)).toContain('(Europe/London)')
    })
    it('is rejected with a default in a fixed zone that is not UTC', async () => {
      await createDated(`created timestamp DEFAULT (now() AT TIME ZONE 'Europe/Berlin')`)
      expect(await problemOf(WITH_TIME)).toContain('(Europe/Berlin)')
    })
    it.each([
      ['in UTC', `created timestamp DEFAULT (now() AT TIME ZONE 'utc')`, 'Asia/Tbilisi'],
      ['in sessions in UTC', 'created timestamp DEFAULT now()', 'Etc/UTC'],
      ['with a time zone', 'created timestamptz DEFAULT now()', 'Asia/Tbilisi'],
      ['without a default', 'created timestamp', 'Asia/Tbilisi'],
      ['that is constant', `created timestamp DEFAULT '2026-01-05'`, 'Asia/Tbilisi'],
    ])('is accepted with a default %s', async (_, column, zone) => {
      await createDated(column)
      await useZone(zone)
      expect(await problemOf(WITH_TIME)).toBe('none')
    })
    it('does not keep payments from being recorded', async () => {
      await createDated('created timestamp DEFAULT now()')
      await useZone('Asia/Tbilisi')
      await db.query(`INSERT INTO orders VALUES ('order-1', 5, 'new')`)
      expect(await mappedOrderRepository(db, WITH_TIME).complete(KEY, PAYMENT)).toBe('applied')
    })
  })

  it('S66 has no order of any merchant without a column for merchants', async () => {
    await createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb`)
    await db.query(`INSERT INTO orders VALUES ('order-1', 5, 'new')`)
    const orders = mappedOrderRepository(db, MINIMAL)
    const key = { reference: 'order-1', merchant: 'shop-b' }
    expect(await orders.find(key)).toBeNull()
    expect(await orders.complete(key, PAYMENT)).toBe('not-found')
  })

  it('lists open orders without a creation time, whatever time is asked for', async () => {
    await createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb`)
    await db.query(
      `INSERT INTO orders SELECT 'order-' || n, 5, 'new' FROM generate_series(1, 450) n`,
    )
    const found = new Set<string>()
    for await (const order of mappedOrderRepository(db, MINIMAL).listOpen({
      createdAfter: new Date(),
      limit: 1000,
    })) {
      found.add(order.reference)
    }
    expect(found.size).toBe(450)
  })

  it('has no order before its reference, amount and status are stored', async () => {
    await createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb`)
    await db.query(`INSERT INTO orders VALUES ('a', NULL, 'new'), (NULL, 5, 'new'), ('c', 5, NULL)`)
    const orders = mappedOrderRepository(db, MINIMAL)
    for (const reference of ['a', 'c']) {
      expect(await orders.find({ reference })).toBeNull()
      expect(await orders.complete({ reference }, PAYMENT)).toBe('not-found')
    }
    for await (const order of orders.listOpen({ limit: 10 })) expect(order).toBeUndefined()
  })

  it('S66 has no order before its merchant is stored', async () => {
    await createTable(
      `number text UNIQUE, shop text, nanotons bigint, state text, ton_payment jsonb`,
    )
    await db.query(`INSERT INTO orders VALUES ('order-1', NULL, 5, 'new')`)
    const columns = { ...MINIMAL.columns, merchant: 'shop' }
    const orders = mappedOrderRepository(db, { ...MINIMAL, columns })
    expect(await orders.find(KEY)).toBeNull()
    for await (const order of orders.listOpen({ limit: 10 })) expect(order).toBeUndefined()
  })

  it('reads a whole amount that was computed with decimals', async () => {
    await createTable(`number text UNIQUE, nanotons numeric, state text, ton_payment jsonb`)
    await db.query(`INSERT INTO orders VALUES ('order-1', 10.50 * 1000000000, 'new')`)
    const orders = mappedOrderRepository(db, MINIMAL)
    expect(await orders.find(KEY)).toMatchObject({ rawAmount: 10_500_000_000n })
  })

  it.each(['jsonb', 'json', 'text'])(
    'reads the JSON null in a column of %s as none',
    async (type) => {
      await createTable(
        `number text UNIQUE, nanotons bigint, state text, ton_payment ${type}, ton_failure ${type}`,
      )
      await db.query(`INSERT INTO orders VALUES
      ('order-1', 5, 'new', 'null', 'null'), ('order-2', 5, 'on hold', 'null', 'null')`)
      const columns = { ...MINIMAL.columns, failure: 'ton_failure' }
      const orders = mappedOrderRepository(db, { ...MINIMAL, columns })
      const none = { payment: undefined, failure: undefined }
      expect(await orders.find(KEY)).toMatchObject({ status: 'pending', ...none })
      expect(await orders.find({ reference: 'order-2' })).toMatchObject({
        status: 'cancelled',
        ...none,
      })
      const open: string[] = []
      for await (const { reference } of orders.listOpen({ limit: 10 })) open.push(reference)
      expect(open).toEqual(['order-1'])
      expect(await orders.fail(KEY, FAILURE)).toBe('applied')
      expect(await orders.complete(KEY, PAYMENT)).toBe('applied')
      expect(await orders.complete(KEY, PAYMENT)).toBe('already-applied')
    },
  )

  it('S42 treats a status that is not listed as cancelled until a payment is stored', async () => {
    await createTable(`number text UNIQUE, nanotons bigint, state text, ton_payment jsonb`)
    await db.query(`INSERT INTO orders VALUES ('order-1', 5, 'on hold')`)
    const orders = mappedOrderRepository(db, MINIMAL)
    expect((await orders.find(KEY))?.status).toBe('cancelled')
    expect(await orders.complete(KEY, PAYMENT)).toBe('conflict')
  })

  it.each([
    ['uuid', '3b241101-e2bb-4255-8caf-4136c566a962', '3B241101-E2BB-4255-8CAF-4136C566A962'],
    ['bigint', '9007199254740993', '09007199254740993'],
  ])(
    'finds orders whose reference is %s by its canonical text only',
    async (type, reference, other) => {
      await createTable(
        `number ${type} PRIMARY KEY, nanotons bigint, state text, ton_payment jsonb`,
      )
      await db.query(`INSERT INTO orders VALUES ($1, 5, 'new')`, [reference])
      const orders = mappedOrderRepository(db, MINIMAL)
      const unknown = [other, 'order-1', '', '9'.repeat(40), "'"]
      expect(await orders.find({ reference })).toMatchObject({ reference })
      for (const one of unknown) expect(await orders.find({ reference: one })).toBeNull()
      expect(await orders.findByReferences([reference, ...unknown])).toHaveLength(1)
      expect(await orders.complete({ reference }, PAYMENT)).toBe('applied')
    },
  )

  it('orders by microseconds, and reads a time without a zone as UTC', async () => {
    await createTable(
      'number text UNIQUE, nanotons bigint, state text, ton_payment jsonb, made timestamp',
    )
    await db.query(`INSERT INTO orders SELECT 'order-' || n, 5, 'new', NULL,
      timestamp '2026-01-05 12:00:00' + n * interval '1 microsecond' FROM generate_series(0, 449) n`)
    const columns = { ...MINIMAL.columns, createdAt: 'made' }
    const found: Order[] = []
    for await (const order of mappedOrderRepository(db, { ...MINIMAL, columns }).listOpen({
      limit: 1000,
    })) {
      found.push(order)
    }
    const expected = Array.from({ length: 450 }, (_, index) => `order-${index}`)
    expect(found.map(({ reference }) => reference)).toEqual(expected)
    expect(found[0]?.createdAt).toEqual(new Date('2026-01-05T12:00:00Z'))
  })

  it('reports every difference from its mapping, with SQL that adds what is missing', async () => {
    await createTable(`number text, price integer, state text, made date`)
    const options: MappedOrderRepositoryOptions = {
      table: 'orders',
      columns: {
        reference: 'number',
        rawAmount: 'price',
        asset: 'asset',
        status: 'state',
        payment: 'ton_payment',
        createdAt: 'made',
      },
      extra: { email: 'email' },
    }
    const problem = await problemOf(options)
    expect(problem).toContain(
      'the column "price" of `rawAmount` is integer; it must be numeric(78, 0) with whole base units',
    )
    expect(problem).toContain('the column "asset" of `asset` does not exist')
    expect(problem).toContain('the column "ton_payment" of `payment` does not exist')
    expect(problem).toContain('the column "made" of `createdAt` is date; it must be timestamptz')
    expect(problem).toContain('the column "email" of `extra` does not exist')
    expect(problem).toContain('no unique index on "number" exists')
    const [, sql = ''] = problem.split('run this SQL:\n')
    expect(sql).not.toContain('ALTER COLUMN')
    // Several statements in one query are one transaction.
    await expect(db.query(sql)).rejects.toThrow(/CONCURRENTLY cannot/)
    for (const one of sql.split(';\n')) await db.query(one)
    await db.query(`ALTER TABLE orders DROP COLUMN made, ADD email text,
        ALTER COLUMN price TYPE numeric(78, 0);
      ALTER TABLE orders ADD made timestamptz NOT NULL DEFAULT now()`)
    expect(await problemOf(options)).toBe('none')
  })

  it('proposes a unique index that lets payments be written while it is built', async () => {
    await createTable('number text, nanotons bigint, state text, ton_payment jsonb')
    const [, sql = ''] = (await problemOf(MINIMAL)).split('run this SQL:\n')
    // An open transaction that has read the table does not end before the payment is written.
    const [reader, builder] = [await db.connect(), await db.connect()]
    await reader.query('BEGIN; SELECT count(*) FROM orders')
    await reader.query(`INSERT INTO orders (number) VALUES ('order-1')`)
    const build = builder.query(sql)
    await expect
      .poll(async () => {
        const { rows } = await db.query(
          `SELECT wait_event_type FROM pg_stat_activity WHERE query LIKE '%CREATE UNIQUE INDEX%' AND wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBe(1)
    await db.query(`INSERT INTO orders (number) VALUES ('order-2')`)
    await reader.query('COMMIT')
    await build
    reader.release()
    builder.release()
    expect(await problemOf(MINIMAL)).toBe('none')
  })

  it('proposes an index for a partitioned table, which has none that is built concurrently', async () => {
    await db.query(`CREATE TABLE orders (number text, nanotons bigint, state text, ton_payment jsonb)
      PARTITION BY HASH (number)`)
    onTestFinished(async () => {
      await db.query('DROP TABLE orders')
    })
    const [, sql = ''] = (await problemOf(MINIMAL)).split('run this SQL:\n')
    await db.query(sql)
    expect(await problemOf(MINIMAL)).toBe('none')
  })

  it.each([
    ['double precision', 'TON'],
    ['real', 'TON'],
    ['integer', 'TON'],
    ['numeric(18,0)', 'TON'],
    ['text', 'TON'],
    ['bigint', '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'],
    ['numeric(36,0)', '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'],
  ])('rejects amounts of type %s of %s', async (type, asset) => {
    await createTable(`number text UNIQUE, nanotons ${type}, state text, ton_payment jsonb`)
    const problem = await problemOf({ ...MINIMAL, asset })
    expect(problem).toContain(
      `the column "nanotons" of \`rawAmount\` is ${type}; it must be numeric`,
    )
    expect(problem).toContain('Map another column, of type numeric(78, 0)')
    // The column may have amounts in another unit, for example cents.
    expect(problem).not.toContain('ALTER COLUMN')
  })

  it.each([
    ['integer', '1250', 10_000n, 'total_cents'],
    ['bigint', '1250', 10_000n, 'total_cents'],
    ['numeric(10,2)', '12.50', 1_000_000n, 'total'],
    ['money', '12.50', 1_000_000n, 'total'],
    ['integer', '12500', 1_000n, 'total'],
  ])('S139 reads %s %s with the factor %s as 12.5 USDT', async (type, value, per, column) => {
    await createTable(`number text UNIQUE, ${column} ${type}, state text, ton_payment jsonb`)
    await db.query(`INSERT INTO orders VALUES ('order-1', '${value}', 'new')`)
    const columns = { ...MINIMAL.columns, rawAmount: { column, per } }
    const orders = mappedOrderRepository(db, { ...MINIMAL, asset: JETTON, columns })
    await orders.checkAccess()
    expect(await orders.find(KEY)).toMatchObject({ rawAmount: 12_500_000n })
    expect(await orders.complete(KEY, PAYMENT)).toBe('applied')
  })

  it.each([
    ['integer', 'total_cents', 100n, /`per` is 100n; it must be 10000n by the decimals/],
    ['bigint', 'total_cents', 1_000_000n, /it must be 10000n by the decimals/],
    ['numeric(10,2)', 'total', 10_000n, /it must be 1000000n by the decimals/],
    ['money', 'total', 10_000n, /it must be 1000000n by the decimals/],
    [
      'integer',
      'total',
      10_000_000n,
      /it must be at least 1n and at most 1000000n, one whole coin/,
    ],
    ['numeric', 'total', 10_000n, /with `per` it must be an integer, money, or numeric with a/],
    ['text', 'total', 10_000n, /with `per` it must be an integer, money, or numeric with a scale/],
  ])(
    'S139 refuses a column of %s named %s with the factor %s',
    async (type, column, per, expected) => {
      await createTable(`number text UNIQUE, ${column} ${type}, state text, ton_payment jsonb`)
      const columns = { ...MINIMAL.columns, rawAmount: { column, per } }
      expect(await problemOf({ ...MINIMAL, asset: JETTON, columns })).toMatch(expected)
    },
  )

  it.each(['integer', 'bigint', 'numeric(12,2)', 'money'])(
    'S139 proposes a column in base units for a column of cents of type %s, with SQL that works',
    async (type) => {
      const isCents = type === 'integer' || type === 'bigint'
      const column = isCents ? 'total_cents' : 'total'
      await createTable(`number text UNIQUE, ${column} ${type}, state text, ton_payment jsonb`)
      await db.query(`INSERT INTO orders VALUES ('order-1', '${isCents ? 1250 : '12.50'}', 'new')`)
      const mapping = { ...MINIMAL, asset: JETTON }
      const columns = { ...MINIMAL.columns, rawAmount: column }
      const problem = await problemOf({ ...mapping, columns })
      expect(problem).toContain(`per: ${isCents ? '10000n' : '1000000n'} }`)
      expect(problem).not.toContain('ALTER COLUMN')
      await db.query(problem.slice(problem.indexOf('ALTER TABLE')))
      const added = { ...columns, rawAmount: `${column}_base_units` }
      expect(await problemOf({ ...mapping, columns: added })).toBe('none')
      const orders = mappedOrderRepository(db, { ...mapping, columns: added })
      expect(await orders.find(KEY)).toMatchObject({ rawAmount: 12_500_000n })
    },
  )

  it.each([
    ['integer', 1250, 'total', JETTON, '10000'],
    ['bigint', 1250, 'price', JETTON, '10000'],
    ['integer', 1250, 'total', 'TON', '10000000'],
    ['numeric(12,0)', 1250, 'total', JETTON, '10000'],
    ['money', '12.50', 'total', OTHER_JETTON, '1000000'],
    ['numeric(10,2)', '12.50', 'total', OTHER_JETTON, '1000000'],
  ])(
    'S139 asks for the factor of a column of %s with %s named %s, and proposes a column in base units',
    async (type, value, column, asset, factor) => {
      const rest = 'state text, ton_payment jsonb, factor integer'
      await createTable(`number text UNIQUE, ${column} ${type}, ${rest}`)
      await db.query(`INSERT INTO orders VALUES ('order-1', '${value}', 'new')`)
      const columns = { ...MINIMAL.columns, rawAmount: column }
      const problem = await problemOf({ ...MINIMAL, asset, columns })
      expect(problem).not.toContain('ALTER COLUMN')
      const sql = problem.slice(problem.indexOf('ALTER TABLE'))
      await expect(db.query(sql)).rejects.toThrow('syntax error')
      await db.query(sql.replace('<FACTOR>', factor))
      const added = { ...columns, rawAmount: `${column}_base_units` }
      expect(await problemOf({ ...MINIMAL, asset, columns: added })).toBe('none')
      const orders = mappedOrderRepository(db, { ...MINIMAL, asset, columns: added })
      const rawAmount = asset === 'TON' ? 12_500_000_000n : 12_500_000n
      expect(await orders.find(KEY)).toMatchObject({ rawAmount })
    },
  )

  it.each(['recent_total', 'percentDue', 'accent_amount', 'RECENT_TOTAL', 'CenterTotal'])(
    'S139 reads base units from a column of bigint named %s',
    async (column) => {
      await createTable(`number text UNIQUE, "${column}" bigint, state text, ton_payment jsonb`)
      const columns = { ...MINIMAL.columns, rawAmount: column }
      expect(await problemOf({ ...MINIMAL, columns })).toBe('none')
    },
  )

  it.each([
    'cents',
    'cents_total',
    'totalCents',
    'shareCents',
    'TOTAL_CENTS',
    'amountCent',
    'totalcents',
    'price_eurocent',
  ])(
    'S139 proposes the factor of cents for a column of bigint named %s, also in TON',
    async (column) => {
      await createTable(`number text UNIQUE, "${column}" bigint, state text, ton_payment jsonb`)
      const columns = { ...MINIMAL.columns, rawAmount: column }
      expect(await problemOf({ ...MINIMAL, columns })).toContain('per: 10000000n }')
    },
  )

  it('S139 proposes a column that the shop fills where each order has its asset', async () => {
    await createTable(
      'number text UNIQUE, total_cents integer, coin text, state text, ton_payment jsonb',
    )
    const columns = { ...MINIMAL.columns, rawAmount: 'total_cents', asset: 'coin' }
    const problem = await problemOf({ ...MINIMAL, asset: undefined, columns })
    const sql = problem.slice(problem.indexOf('-- Fill it'))
    expect(sql).toContain('by the decimals of its asset')
    await db.query(sql)
    const added = { ...columns, rawAmount: 'total_cents_base_units' }
    expect(await problemOf({ ...MINIMAL, asset: undefined, columns: added })).toBe('none')
  })

  it.each([[10_001n], [0n], [-10n], [10]])('S139 refuses the factor %s', (per) => {
    const columns = { ...MINIMAL.columns, rawAmount: { column: 'total', per: per as bigint } }
    expect(() => mappedOrderRepository(db, { ...MINIMAL, columns })).toThrow(/columns.rawAmount/)
  })

  it.each([
    ['an index on two columns', 'CREATE UNIQUE INDEX ON orders (number, state)'],
    ['a partial index', `CREATE UNIQUE INDEX ON orders (number) WHERE state = 'new'`],
    ['an index on an expression', 'CREATE UNIQUE INDEX ON orders (lower(number))'],
    ['an index that is not unique', 'CREATE INDEX ON orders (number)'],
  ])('S38 rejects a reference that is unique by %s only', async (_, index) => {
    await createTable('number text, nanotons bigint, state text, ton_payment jsonb')
    await db.query(index)
    expect(await problemOf(MINIMAL)).toContain(
      'CREATE UNIQUE INDEX CONCURRENTLY ON "public"."orders" ("number");',
    )
  })

  it('names the values that an enum lacks', async () => {
    await db.query(`CREATE TYPE order_state AS ENUM ('new')`)
    await createTable('number text UNIQUE, nanotons bigint, state order_state, ton_payment jsonb')
    const problem = await problemOf(MINIMAL)
    expect(problem).toContain("ALTER TYPE order_state ADD VALUE 'paid';")
  })

  it('states that a table does not exist', async () => {
    expect(await problemOf({ ...MINIMAL, schema: 'shop' })).toContain(
      'the table does not exist, or its schema is not in the search_path',
    )
  })

  it('S80 names a missing privilege', async () => {
    await createTable('number text UNIQUE, nanotons bigint, state text, ton_payment jsonb')
    const role = 'tonplug_reader'
    await db.query(`DO $$ BEGIN
      IF to_regrole('${role}') IS NULL THEN CREATE ROLE ${role}; END IF;
    END $$; GRANT SELECT ON orders TO ${role}`)
    const reader = new pg.Pool({ connectionString: database.url, options: `-c role=${role}` })
    onTestFinished(async () => {
      await reader.end()
      await db.query(`DROP OWNED BY ${role}`)
    })
    await expect(mappedOrderRepository(reader, MINIMAL).checkAccess()).rejects.toThrow(
      `has no UPDATE privilege on "public"."orders". Run: GRANT UPDATE`,
    )
  })

  it('S80 answers 503 until the table fits, and pays the order then without a restart', async () => {
    await database.clear()
    await createTable('number text UNIQUE, nanotons bigint, state text')
    await db.query(`INSERT INTO orders VALUES ('order-1', 10500000000, 'new')`)
    const shop = openShop(db)
    expect((await shop.send()).status).toBe(503)
    expect((await shop.health()).message).toContain('ADD COLUMN "ton_payment" jsonb;')
    const { rows } = await db.query('SELECT state FROM tonplug.reports')
    expect(rows).toEqual([{ state: 'undecided' }])
    await db.query('ALTER TABLE orders ADD COLUMN ton_payment jsonb')
    expect(await shop.send()).toMatchObject({ status: 200, decision: { kind: 'paid' } })
  })

  it('S99 keeps a transfer without a reference that arrived before the table fits', async () => {
    await database.clear()
    await createTable('number text UNIQUE, nanotons bigint, state text')
    const shop = openShop(db)
    const { data: transfer, ...payload } = transferCompleted({ reference: '' })
    const rawBody = JSON.stringify({ ...payload, data: transfer })
    const submit = () => shop.payments.submit({ source: 'chain', rawBody, transfer })
    await expect(submit()).rejects.toThrow('does not fit its mapping')
    await db.query('ALTER TABLE orders ADD COLUMN ton_payment jsonb')
    const { txHash } = transfer
    expect(await submit()).toMatchObject({ kind: 'unknown_order', txHash })
    expect(
      await createOperator({ payments: shop.payments }).list({ transactionHash: txHash }),
    ).toHaveLength(1)
  })

  it('creates no tables of tonplug in the database of the shop', async () => {
    const other = await openPostgres()
    onTestFinished(() => other.close())
    await other.db.query(
      'CREATE TABLE orders (number text UNIQUE, nanotons bigint, state text, ton_payment jsonb)',
    )
    await other.db.query(`INSERT INTO orders VALUES ('order-1', 10500000000, 'new')`)
    const clock = createFakeClock()
    const orders = mappedOrderRepository(other.db, MINIMAL)
    const payments = createPayments({
      orders,
      inbox: memoryInbox({ clock }),
      clock,
      logger: createTestLogger(),
    })
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    expect(await receive(receiver)).toMatchObject({ decision: { kind: 'paid' } })
    const { rows } = await other.db.query(`SELECT to_regnamespace('tonplug') AS schema`)
    expect(rows).toEqual([{ schema: null }])
  })

  it('S45 is joined by an inbox on the same database, and not by one on another', async () => {
    const orders = mappedOrderRepository(db, MINIMAL)
    expect(postgresInbox(db).joinOrders?.(orders)).toBeDefined()
    const other: Queryable = { query: (text, values) => db.query(text, values) }
    expect(postgresInbox(other).joinOrders?.(orders)).toBeUndefined()
  })
})

const SECRET = 'whsec_test'

function receive(receiver: ReturnType<typeof createWebhookReceiver>) {
  const { body, headers } = signPayload(transferCompleted({ reference: 'order-1' }), SECRET)
  return receiver.receive({ rawBody: Buffer.from(body), headers })
}

function openShop(db: Queryable) {
  const clock = createFakeClock()
  const orders = mappedOrderRepository(db, MINIMAL)
  const payments = createPayments({
    orders,
    inbox: postgresInbox(db),
    clock,
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  return { payments, send: () => receive(receiver), health: () => payments.health() }
}
