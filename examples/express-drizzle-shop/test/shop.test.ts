import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { comment, internal } from '@ton/core'
import { createV3Client, type Reconciler, type WebhookReceiver } from '@tonplug/core'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { createChainSimulator } from '@tonplug/testing/simulator'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase, type Database } from '../src/database.js'
import type { ShopOrder } from '../src/order-repository.js'
import { orders } from '../src/schema.js'
import { createShop, type ShopOptions } from '../src/shop.js'
import { kinds, type TestDatabase } from './databases.js'

const SECRET = 'whsec_express_drizzle'
// PGlite takes seconds to make or open a database on a busy machine.
const TIMEOUT_MS = 60_000
// A handler runs after the answer.
const SOON = { timeout: 20_000 }
/** As often as the gateway tries; a busy machine may answer 503 at the deadline. */
const ATTEMPTS = 4

interface OrderView {
  reference: string
  status: string
  parcels: number
}

interface OpenShop {
  database: Database
  receiver: WebhookReceiver<ShopOrder>
  reconciler: Reconciler | undefined
  url: string
  close(): Promise<void>
}

describe.each(kinds)('an Express shop with Drizzle on $kind', (kind) => {
  const { isSkipped, hasSessions, create } = kind
  let test: TestDatabase
  beforeAll(async () => {
    if (!isSkipped) test = await create()
  }, TIMEOUT_MS)
  afterAll(() => (isSkipped ? undefined : test.drop()))

  async function openShop(options: Partial<ShopOptions> = {}): Promise<OpenShop> {
    const database = await openDatabase(test.settings)
    const logger = recordingLogger()
    const shop = createShop({ database, secret: SECRET, logger, ...options })
    const server = createServer(shop.app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const end = async (): Promise<void> => {
      server.close()
      await shop.close()
      server.closeAllConnections()
      await database.close()
    }
    let ended: Promise<void> | undefined
    const close = (): Promise<void> => (ended ??= end())
    onTestFinished(close)
    // A listening TCP server has an address object.
    const { port } = server.address() as AddressInfo
    const { receiver, reconciler } = shop
    return { database, receiver, reconciler, url: `http://127.0.0.1:${port}`, close }
  }

  it.skipIf(isSkipped)(
    'S38 completes an order once and sends one parcel when fifty deliveries meet',
    async () => {
      const { url, database } = await openShop()
      const { reference } = await buy(url)
      const payload = transferCompleted({ reference })

      const statuses = await Promise.all(Array.from({ length: 50 }, () => deliver(url, payload)))

      expect(statuses).toEqual(Array.from({ length: 50 }, () => 200))
      await untilSent(url, reference)
      expect(await decisions(database, reference)).toEqual(['paid'])
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S40 raises the second of two payments, however often both are told',
    async () => {
      const { url, database } = await openShop()
      const { reference } = await buy(url)
      const payloads = ['a1', 'b2'].map((pair) =>
        transferCompleted({ reference, txHash: pair.repeat(32) }),
      )

      const statuses = await Promise.all(
        Array.from({ length: 10 }, () => payloads.map((payload) => deliver(url, payload))).flat(),
      )

      expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
      await untilSent(url, reference)
      expect(await decisions(database, reference)).toEqual(['extra_payment', 'paid'])
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped || !hasSessions)(
    'S45 leaves nothing half done when the connection is cut between transition and decision',
    async () => {
      const { url, database } = await openShop()
      const { reference } = await buy(url)
      const payload = transferCompleted({ reference })
      const other = new pg.Client({ connectionString: test.settings.url })
      await other.connect()
      onTestFinished(() => other.end())
      // Nobody may arrange a handler: the transaction completes the order, then waits with its decision.
      await other.query('BEGIN; LOCK TABLE tonplug.handler_tasks IN SHARE MODE')
      const answered = send(url, payload)
      await expect.poll(() => waitingSessions(other), SOON).toHaveLength(1)
      expect(await view(url, reference)).toMatchObject({ status: 'pending' })
      const [pid] = await waitingSessions(other)
      await other.query('SELECT pg_terminate_backend($1)', [pid])

      expect(await answered).toBe(503)
      await other.query('COMMIT')

      expect(await view(url, reference)).toMatchObject({ status: 'pending', parcels: 0 })
      expect(await decisions(database, reference)).toEqual([null])
      expect(await deliver(url, payload)).toBe(200)
      await untilSent(url, reference)
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S46 keeps what it acknowledged when it is opened again',
    async () => {
      const first = await openShop()
      const { reference } = await buy(first.url)
      const payload = transferCompleted({ reference })
      expect(await deliver(first.url, payload)).toBe(200)
      await first.close()

      const { url, database } = await openShop()

      expect(await deliver(url, payload)).toBe(200)
      await untilSent(url, reference)
      expect(await decisions(database, reference)).toEqual(['paid'])
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S56 matches a payment that came before its order, without another webhook',
    async () => {
      const { url, database, receiver } = await openShop()
      const reference = 'order-of-a-slow-shop'
      expect(await deliver(url, transferCompleted({ reference }))).toBe(200)
      expect(await decisions(database, reference)).toEqual(['unmatched'])

      const price = { rawAmount: 10_500_000_000n, asset: 'TON' }
      const order = { reference, item: 'cap', status: 'pending', ...price } as const
      await database.db.insert(orders).values(order)
      expect(await receiver.matchReference(reference)).toBe(1)

      await untilSent(url, reference)
      expect(await decisions(database, reference)).toEqual(['paid'])
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S49 finds a payment on the chain whose webhook was dropped',
    async () => {
      const nowMs = Date.now()
      const chain = await createChainSimulator({ now: Math.floor(nowMs / 1000) })
      onTestFinished(() => chain.close())
      const [wallet, buyer] = [await chain.createWallet(), await chain.createWallet()]
      const v3 = createV3Client({ baseUrl: chain.url, apiKey: 'key' })
      const { url, database, reconciler } = await openShop({
        wallet: wallet.address.toString(),
        v3,
      })
      const { reference } = await buy(url)
      const createdAt = new Date(nowMs - 600_000)
      await database.db.update(orders).set({ createdAt }).where(eq(orders.reference, reference))
      const payment = { to: wallet.address, value: 10_500_000_000n, body: comment(reference) }
      await buyer.send([internal({ ...payment, bounce: false })])

      expect(await reconciler?.run()).toMatchObject({ found: { lost_webhook: 1 } })

      await untilSent(url, reference)
      expect(await decisions(database, reference)).toEqual(['paid'])
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S2 S31 leaves an order alone after a forged delivery, and after one of another amount',
    async () => {
      const { url, database } = await openShop()
      const { reference } = await buy(url)
      const payload = transferCompleted({ reference })
      expect(await send(url, payload, 'whsec_of_another')).toBe(401)
      expect(await decisions(database, reference)).toEqual([])

      const less = { amount: '0.3', rawAmount: '300000000' }
      expect(await deliver(url, transferCompleted({ reference, ...less }))).toBe(200)

      expect(await decisions(database, reference)).toEqual(['amount_mismatch'])
      expect(await view(url, reference)).toMatchObject({ status: 'pending', parcels: 0 })
    },
    TIMEOUT_MS,
  )
})

/** The order is completed, and one parcel was sent. */
async function untilSent(url: string, reference: string): Promise<void> {
  const sent = { reference, item: 'cap', status: 'completed', parcels: 1 }
  await expect.poll(() => view(url, reference), SOON).toEqual(sent)
}

/** What was decided about each delivery of the order; null where nothing was. */
async function decisions({ db }: Database, reference: string): Promise<(string | null)[]> {
  const { rows } = await db.execute<{ kind: string | null }>(
    sql`SELECT decision->>'kind' AS kind FROM tonplug.deliveries
      WHERE reference = ${reference} ORDER BY kind`,
  )
  return rows.map(({ kind }) => kind)
}

/** The server's sessions that wait for a lock. */
async function waitingSessions(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.map(({ pid }) => pid)
}

async function buy(url: string): Promise<OrderView> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ item: 'cap' })
  const answer = await fetch(`${url}/orders`, { method: 'POST', headers, body })
  // See order-routes.ts.
  return (await answer.json()) as OrderView
}

async function view(url: string, reference: string): Promise<OrderView> {
  // See order-routes.ts.
  return (await (await fetch(`${url}/orders/${reference}`)).json()) as OrderView
}

/** One attempt. @returns the answer's status. */
async function send(url: string, payload: object, secret = SECRET): Promise<number> {
  const { body, headers } = signPayload(payload, secret)
  const { status } = await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body })
  return status
}

/** What the gateway does: it tries again. @returns the last answer's status. */
async function deliver(url: string, payload: object): Promise<number> {
  let status = 503
  for (let attempt = 0; attempt < ATTEMPTS && status === 503; attempt++) {
    status = await send(url, payload)
  }
  return status
}
