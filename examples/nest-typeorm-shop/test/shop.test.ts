import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { comment, internal } from '@ton/core'
import { getReceiverToken, getReconcilerToken } from '@tonplug/nestjs'
import type { Reconciler, WebhookReceiver } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { createChainSimulator } from '@tonplug/testing/simulator'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DataSource } from 'typeorm'
import { openDatabase } from '../src/database.js'
import { OrderEntity } from '../src/orders/order.entity.js'
import { ShopModule, type ShopSettings } from '../src/shop.module.js'
import { kinds, type TestDatabase } from './databases.js'

const SECRET = 'whsec_nest_typeorm'
// PGlite takes seconds to make a database on a busy machine, and a process has to start besides.
const TIMEOUT_MS = 120_000
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

describe.each(kinds)('a Nest shop with TypeORM on $kind', ({ isSkipped, create }) => {
  let test: TestDatabase
  beforeEach(async () => {
    if (!isSkipped) test = await create()
  }, TIMEOUT_MS)
  const shops: OpenShop[] = []
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.close()
    if (!isSkipped) await test.drop()
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
    shops.push(shop)
    return shop
  }

  it.skipIf(isSkipped)(
    'S38 completes an order once and sends one parcel when thirty deliveries of two payments meet',
    async () => {
      const { app, url } = await openShop()
      const { reference } = await buy(url)
      const payloads = ['a1', 'b2'].map((pair) =>
        transferCompleted({ reference, txHash: pair.repeat(32) }),
      )

      const statuses = await Promise.all(
        Array.from({ length: 15 }, () => payloads.map((payload) => deliver(url, payload))).flat(),
      )

      expect(statuses).toEqual(Array.from({ length: 30 }, () => 200))
      await expect
        .poll(() => view(url, reference), { timeout: 10_000 })
        .toMatchObject({
          status: 'completed',
          parcels: 1,
        })
      const receiver = app.get<WebhookReceiver>(getReceiverToken())
      expect(receiver.stats()).toEqual({ paid: 1, extra_payment: 1, duplicate: 28 })
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S49 finds a payment on the chain whose webhook was dropped',
    async () => {
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

      const reconciler = app.get<Reconciler>(getReconcilerToken())
      expect(await reconciler.run()).toMatchObject({ found: { lost_webhook: 1 } })

      await expect
        .poll(() => view(url, reference), { timeout: 60_000 })
        .toMatchObject({ status: 'completed', parcels: 1 })
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S45 takes the transition back when the process is killed before the decision, and pays at the retry',
    async () => {
      const child = fork(CHILD, [JSON.stringify({ settings: test.settings, secret: SECRET })])
      onTestFinished(() => void child.kill('SIGKILL'))
      const { url: doomed } = (await hear(child)) as { url: string }
      const { reference } = await buy(doomed)
      const payload = transferCompleted({ reference })
      const held = hear(child)
      const unanswered = deliver(doomed, payload)
      expect(await held).toEqual({ transition: 'applied' })
      const gone = once(child, 'close')
      child.kill('SIGKILL')
      await gone
      expect(await unanswered).toBeUndefined()

      const { url } = await openShop()

      expect(await view(url, reference)).toMatchObject({ status: 'pending', parcels: 0 })
      expect(await deliver(url, payload)).toBe(200)
      await expect
        .poll(() => view(url, reference), { timeout: 10_000 })
        .toMatchObject({
          status: 'completed',
          parcels: 1,
        })
    },
    TIMEOUT_MS,
  )

  it.skipIf(isSkipped)(
    'S47 keeps what it acknowledged when it is opened again',
    async () => {
      const first = await openShop()
      const { reference } = await buy(first.url)
      const payload = transferCompleted({ reference })
      expect(await deliver(first.url, payload)).toBe(200)
      await first.close()

      const { app, url } = await openShop()

      expect(await deliver(url, payload)).toBe(200)
      await expect
        .poll(() => view(url, reference), { timeout: 10_000 })
        .toMatchObject({
          status: 'completed',
          parcels: 1,
        })
      expect(app.get<WebhookReceiver>(getReceiverToken()).stats()).toEqual({ duplicate: 1 })
    },
    TIMEOUT_MS,
  )
})

/** The child's next message. */
async function hear(child: ChildProcess): Promise<unknown> {
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

/** The answer's status; `undefined` when there was none. */
async function deliver(url: string, payload: object): Promise<number | undefined> {
  const { body, headers } = signPayload(payload, SECRET)
  return fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => undefined,
  )
}
