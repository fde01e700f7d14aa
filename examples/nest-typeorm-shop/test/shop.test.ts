import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { comment, internal } from '@ton/core'
import { getPaymentsToken, getWatcherToken } from '@tonplug/nestjs'
import type { Payments, PaymentWatcher } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { createChainSimulator } from '@tonplug/simulator'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DataSource } from 'typeorm'
import { openDatabase } from '../src/database.js'
import { OrderEntity } from '../src/orders/order.entity.js'
import { ShopModule, type ShopSettings } from '../src/shop.module.js'
import { kinds, type TestDatabase } from './databases.js'

const SECRET = 'whsec_nest_typeorm'
/** Attempts of the gateway; a busy machine may respond with 503 at the deadline. */
const ATTEMPTS = 4
const CHILD = fileURLToPath(new URL('crash.child.mjs', import.meta.url))

interface OrderView {
  reference: string
  status: string
  parcels: number
}

interface OpenShop {
  app: INestApplication
  url: string
  close(): Promise<void>
}

describe.each(kinds)('a Nest shop with TypeORM on $kind', (kind) => {
  const { isSkipped, hasSessions, create } = kind
  let test: TestDatabase
  beforeAll(async () => {
    if (!isSkipped) test = await create()
  })
  afterAll(() => (isSkipped ? undefined : test.drop()))
  const open: Pick<OpenShop, 'close'>[] = []
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })

  async function openShop(settings: Partial<ShopSettings> = {}): Promise<OpenShop> {
    const database = await openDatabase(test.settings)
    const module = ShopModule.register({ secret: SECRET, database, ...settings })
    const app = await NestFactory.create(module, {
      logger: false,
      abortOnError: false,
    })
    await app.listen(0, '127.0.0.1')
    let closed: Promise<void> | undefined
    const close = () => (closed ??= app.close().then(() => database.close()))
    const shop = { app, url: await app.getUrl(), close }
    open.push(shop)
    return shop
  }

  /** Blocks the insertion of tasks: the statement completes the order, then waits with its decision. */
  async function lockTasks(): Promise<pg.Client> {
    const other = new pg.Client({ connectionString: test.settings.url })
    await other.connect()
    open.push({ close: () => other.end() })
    await other.query('BEGIN; LOCK TABLE tonplug.tasks IN SHARE MODE')
    return other
  }

  it.skipIf(isSkipped)(
    'S38 S40 completes an order once and reports the second of two payments, for thirty concurrent deliveries',
    async () => {
      const shop = await openShop()
      const { url } = shop
      const { reference } = await buy(url)
      const payloads = [paymentOf(reference), paymentOf(reference)]

      const statuses = await Promise.all(
        Array.from({ length: 15 }, () => payloads.map((payload) => deliver(url, payload))).flat(),
      )

      expect(statuses).toEqual(Array.from({ length: 30 }, () => 200))
      await untilSent(url, reference)
      expect(await decisions(shop, reference)).toEqual(['extra_payment', 'paid'])
    },
  )

  it.skipIf(isSkipped)('S49 finds a payment on the chain whose webhook was dropped', async () => {
    const nowMs = Date.now()
    const simulator = await createChainSimulator({ now: Math.floor(nowMs / 1000) })
    onTestFinished(() => simulator.close())
    const [wallet, buyer] = [await simulator.createWallet(), await simulator.createWallet()]
    const chain = { baseUrl: simulator.url, apiKey: 'key' }
    const { app, url } = await openShop({ wallet: wallet.address.toString(), chain })
    const { reference } = await buy(url)
    const createdAt = new Date(nowMs - 600_000)
    await app.get(DataSource).manager.update(OrderEntity, { reference }, { createdAt })
    const payment = { to: wallet.address, value: 10_500_000_000n, body: comment(reference) }
    await buyer.send([internal({ ...payment, bounce: false })])

    const watcher = app.get<PaymentWatcher>(getWatcherToken())
    expect(await watcher.run()).toMatchObject({ isComplete: true })

    await untilSent(url, reference)
    const order = await app.get(DataSource).manager.findOneBy(OrderEntity, { reference })
    expect(order?.payment).toMatchObject({ source: 'chain' })
  })

  it.skipIf(isSkipped || !hasSessions)(
    'S45 stores both transition and decision or neither when the process is killed, and completes on retry',
    async () => {
      const child = fork(CHILD, [JSON.stringify({ settings: test.settings, secret: SECRET })])
      onTestFinished(() => void child.kill('SIGKILL'))
      const { url: killedUrl } = (await nextMessage(child)) as { url: string }
      const { reference } = await buy(killedUrl)
      const payload = paymentOf(reference)
      const other = await lockTasks()
      const delivery = send(killedUrl, payload)
      await expect.poll(() => waitingSessions(other)).toHaveLength(1)
      const gone = once(child, 'close')
      child.kill('SIGKILL')
      await gone
      expect(await delivery).toBeUndefined()
      await other.query('COMMIT')
      await expect.poll(() => waitingSessions(other)).toEqual([])

      const shop = await openShop()
      const { url } = shop

      expect(await deliver(url, payload)).toBe(200)
      await untilSent(url, reference)
      expect(await decisions(shop, reference)).toEqual(['paid'])
    },
  )

  it.skipIf(isSkipped)('S46 S47 keeps acknowledged deliveries across a restart', async () => {
    const first = await openShop()
    const { reference } = await buy(first.url)
    const payload = paymentOf(reference)
    expect(await deliver(first.url, payload)).toBe(200)
    await first.close()

    const second = await openShop()
    const { url } = second

    expect(await deliver(url, payload)).toBe(200)
    await untilSent(url, reference)
    expect(await decisions(second, reference)).toEqual(['paid'])
  })

  it.skipIf(isSkipped || !hasSessions)(
    'S45 rolls back when the connection is lost between transition and decision',
    async () => {
      const shop = await openShop()
      const { url } = shop
      const { reference } = await buy(url)
      const payload = paymentOf(reference)
      const other = await lockTasks()
      const delivery = send(url, payload)
      await expect.poll(() => waitingSessions(other)).toHaveLength(1)
      expect(await view(url, reference)).toMatchObject({ status: 'pending' })
      const [pid] = await waitingSessions(other)
      await other.query('SELECT pg_terminate_backend($1)', [pid])

      expect(await delivery).toBe(503)
      await other.query('COMMIT')

      // For a moment the pool may hand out the lost connection.
      const unpaid = { status: 'pending', parcels: 0 }
      await expect.poll(() => view(url, reference)).toMatchObject(unpaid)
      expect(await decisions(shop, reference)).toEqual([null])
      expect(await deliver(url, payload)).toBe(200)
      await untilSent(url, reference)
    },
  )

  it.skipIf(isSkipped)(
    'S56 matches a payment that arrived before its order, without another webhook',
    async () => {
      const shop = await openShop()
      const { app, url } = shop
      const reference = 'order-of-a-slow-shop'
      expect(await deliver(url, paymentOf(reference))).toBe(200)
      expect(await decisions(shop, reference)).toEqual(['unknown_order'])

      const price = { rawAmount: 10_500_000_000n, asset: 'TON' }
      const order = { reference, item: 'cap', status: 'pending', ...price } as const
      await app.get(DataSource).manager.insert(OrderEntity, { ...order, createdAt: new Date() })
      expect(await app.get<Payments>(getPaymentsToken()).orderCreated(reference)).toBe(1)

      await untilSent(url, reference)
      expect(await decisions(shop, reference)).toEqual(['paid'])
    },
  )

  it.skipIf(isSkipped)(
    'S2 S31 does not change an order for a forged delivery, or for one of another amount',
    async () => {
      const shop = await openShop()
      const { url } = shop
      const { reference } = await buy(url)
      expect(await send(url, paymentOf(reference), 'whsec_of_another')).toBe(401)
      expect(await decisions(shop, reference)).toEqual([])

      const less = { amount: '0.3', rawAmount: '300000000' }
      expect(await deliver(url, paymentOf(reference, less))).toBe(200)

      expect(await decisions(shop, reference)).toEqual(['amount_mismatch'])
      expect(await view(url, reference)).toMatchObject({ status: 'pending', parcels: 0 })
    },
  )
})

/** Returns the decision about each report of the order; null for an undecided one. */
async function decisions({ app }: OpenShop, reference: string): Promise<(string | null)[]> {
  const rows = await app.get(DataSource).query<{ kind: string | null }[]>(
    `SELECT decision->>'kind' AS kind FROM tonplug.reports
      WHERE reference = $1 ORDER BY kind`,
    [reference],
  )
  return rows.map(({ kind }) => kind)
}

/** Returns a payment of a cap, with its own transaction: the tests share a database. */
function paymentOf(reference: string, changes: { amount?: string; rawAmount?: string } = {}) {
  const txHash = randomBytes(32).toString('hex')
  return transferCompleted({ reference, txHash, ...changes })
}

/** Waits until the order is completed and one parcel was sent. */
async function untilSent(url: string, reference: string): Promise<void> {
  const sent = { reference, item: 'cap', status: 'completed', parcels: 1 }
  await expect.poll(() => view(url, reference)).toEqual(sent)
}

/** Returns the sessions that wait for a lock. */
async function waitingSessions(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.map(({ pid }) => pid)
}

/** Resolves with the next message of the child. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The child ended (${code}) without a message`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown]
  ended.catch(() => undefined)
  return message
}

async function buy(url: string): Promise<OrderView> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ item: 'cap' })
  const answer = await fetch(`${url}/orders`, { method: 'POST', headers, body })
  // See OrdersController.
  return (await answer.json()) as OrderView
}

async function view(url: string, reference: string): Promise<OrderView> {
  // See OrdersController.
  return (await (await fetch(`${url}/orders/${reference}`)).json()) as OrderView
}

/** Delivers once. @returns the status; undefined without a response. */
async function send(url: string, payload: object, secret = SECRET): Promise<number | undefined> {
  const { body, headers } = signPayload(payload, secret)
  return fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => undefined,
  )
}

/** Delivers and retries, as the gateway does. @returns the last status. */
async function deliver(url: string, payload: object): Promise<number | undefined> {
  let status: number | undefined = 503
  for (let attempt = 0; attempt < ATTEMPTS && status === 503; attempt++) {
    status = await send(url, payload)
  }
  return status
}
