import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Address, comment, internal, toNano, type MessageRelaxed } from '@ton/core'
import { createPayments, type Offer } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { createChainSimulator } from '@tonplug/simulator'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

const CHILD = fileURLToPath(new URL('killed-shop.child.mjs', import.meta.url))
/** `PRICED_ORDERS=10000` runs for many minutes. */
const ORDERS = Number(process.env['PRICED_ORDERS'] ?? 33)
const LONG_MS = 7_200_000
/** Orders that are paid together, and the messages in one transaction of a payer. */
const BATCH = 100
const PER_TRANSACTION = 10
const JETTON_FEES = toNano('0.1')
const BYSTANDER = new Address(0, Buffer.alloc(32, 0xb5))
const HALF = 500_000n
const PRICE = 2n * HALF

type Asset = 'TON' | 'USDT' | 'OTHER'

/** A payment of an order: its payer, its asset, and base units. */
type Part = readonly [payer: 0 | 1, asset: Asset, rawAmount: bigint]

/** Payments of one order, and their outcome. */
interface Kind {
  parts: readonly Part[]
  /** The offers of the order; the first one has the native coin. @default 3 */
  offers?: number
  isLate?: true
  /** False for an order that stays open. @default true */
  isPaid?: false
}

const KINDS: readonly Kind[] = [
  { parts: [[0, 'TON', PRICE]], offers: 1 },
  { parts: [[0, 'USDT', PRICE]], offers: 2 },
  { parts: [[1, 'OTHER', PRICE]] },
  // Two payers, two assets.
  {
    parts: [
      [0, 'TON', PRICE],
      [1, 'USDT', PRICE],
    ],
  },
  {
    parts: [
      [0, 'TON', HALF],
      [1, 'TON', HALF],
    ],
  },
  {
    parts: [
      [0, 'USDT', HALF],
      [0, 'USDT', HALF],
      [1, 'USDT', HALF],
    ],
  },
  {
    parts: [
      [0, 'USDT', HALF],
      [1, 'USDT', PRICE],
    ],
  },
  // A double payment.
  {
    parts: [
      [0, 'TON', PRICE],
      [0, 'TON', PRICE],
    ],
  },
  { parts: [[1, 'TON', PRICE]], isLate: true },
  {
    parts: [
      [0, 'TON', HALF],
      [1, 'USDT', HALF],
    ],
    isPaid: false,
  },
  { parts: [[1, 'OTHER', HALF]], isPaid: false },
]

describe.skipIf(!hasPostgres)(`a shop whose servers are killed, on ${NEEDS_POSTGRES}`, () => {
  it(
    `S127 S129 S132 completes ${ORDERS} orders with several offers once, loses none, and its books balance`,
    { timeout: LONG_MS },
    async () => {
      const shop = await openShop()
      const servers = [shop.start(), shop.start()]
      onTestFinished(() => servers.forEach((server) => void server.kill('SIGKILL')))
      let kills = 0
      const done = new AbortController()
      const kill = async (): Promise<void> => {
        const beganMs = Date.now()
        for (; kills < 2 || !done.signal.aborted; kills++) {
          const victim = servers[kills % 2]!
          await Promise.race([once(victim, 'message'), once(victim, 'exit')])
          // A new server reads the last minutes again, so that the time between kills grows with the run.
          const ms = Math.random() * Math.max(4000, (Date.now() - beganMs) / 4)
          await sleep(ms, undefined, { signal: done.signal }).catch(() => undefined)
          victim.kill('SIGKILL')
          servers[kills % 2] = shop.start()
        }
      }
      const killing = kill()
      for (let sent = 0; sent < ORDERS; sent += BATCH) {
        await shop.trade(sent, Math.min(sent + BATCH, ORDERS))
      }
      await expect
        .poll(() => shop.missing(), { timeout: LONG_MS, interval: 500 })
        .toEqual([0, 0, 0])
      done.abort()
      await killing
      console.log(`${ORDERS} orders, ${shop.count()} payments, ${kills} servers killed`)
      await shop.check()
    },
  )
})

/** Opens a shop on a simulated chain, with a database for two servers. */
async function openShop() {
  const database = await createPostgresDatabase()
  const db = new pg.Pool({ connectionString: database.url, max: 5 })
  const chain = await createChainSimulator({
    maxTransactions: 10_000_000,
    now: () => Math.floor(Date.now() / 1000),
  })
  onTestFinished(async () => {
    await chain.close()
    await db.end()
    await database.drop()
  })
  const merchant = await chain.createWallet({ balance: 0n })
  const jettons = {
    USDT: await chain.deployJetton(),
    OTHER: await chain.deployJetton({ symbol: 'OTHER' }),
  }
  const payers = [await chain.createWallet(), await chain.createWallet()] as const
  for (const payer of payers) {
    await chain.fund(payer.address, toNano(1_000_000))
    for (const jetton of Object.values(jettons)) await jetton.mint(payer.address, 10n ** 15n)
  }
  const orders = postgresOrderRepository(db)
  const inbox = postgresInbox(db)
  await inbox.stats()
  await db.query('CREATE TABLE runs (reference text NOT NULL, key text NOT NULL)')
  const masterOf = (asset: Asset): string =>
    asset === 'TON' ? 'TON' : jettons[asset].master.toRawString()

  const create = async (number: number): Promise<void> => {
    const { offers = 3, isLate } = kindOf(number)
    const nowMs = Date.now()
    // The end of a late order is before its payment, by whole seconds of the chain.
    const expiresAt = new Date(nowMs + (isLate === true ? -5000 : 3_600_000))
    const rate = { price: '1', currency: 'USD', at: new Date(nowMs), orderPrice: '1' }
    const all = (['TON', 'USDT', 'OTHER'] as const).map((asset): Offer => {
      return { asset: masterOf(asset), rawAmount: PRICE, rate, expiresAt }
    })
    const order = { reference: `order-${number}`, offers: all.slice(0, offers), data: null }
    // The chain keeps this process busy, so a statement may time out.
    for (let attempt = 0; (await orders.find(order).catch(() => null)) === null; attempt++) {
      await orders.create(order).catch((error: unknown) => {
        if (attempt === 5) throw error
      })
    }
  }
  const transferOf = (reference: string, [payer, asset, rawAmount]: Part): MessageRelaxed => {
    const body = comment(reference)
    if (asset === 'TON') {
      return internal({ to: merchant.address, value: rawAmount, bounce: false, body })
    }
    const { address: from } = payers[payer]
    const transfer = { from, to: merchant.address, response: from, amount: rawAmount }
    return jettons[asset].transferMessage({
      ...transfer,
      forwardCoins: 1n,
      value: JETTON_FEES,
      forwardPayload: body,
    })
  }
  const expected = { TON: 0n, USDT: 0n, OTHER: 0n }
  let payments = 0
  const query = async (sql: string): Promise<number> => {
    const { rows } = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`)
    return rows[0]?.count ?? 0
  }
  const numbers = Array.from({ length: ORDERS }, (_, number) => number)
  const payable = numbers.filter((number) => kindOf(number).isPaid !== false)

  return {
    start: (): ChildProcess =>
      fork(CHILD, [database.url, chain.url, merchant.address.toRawString()]),
    count: () => payments,

    /** Creates orders, and pays them in any order: parts of one order in different transactions. */
    async trade(from: number, to: number): Promise<void> {
      const sent: [Part, string][] = []
      for (let number = from; number < to; number++) {
        await create(number)
        for (const part of kindOf(number).parts) sent.push([part, `order-${number}`])
      }
      sent.sort(() => Math.random() - 0.5)
      for (const [index, payer] of payers.entries()) {
        const own = sent.filter(([part]) => part[0] === index)
        for (let start = 0; start < own.length; start += PER_TRANSACTION) {
          const some = own.slice(start, start + PER_TRANSACTION)
          await payer.send(some.map(([part, reference]) => transferOf(reference, part)))
        }
      }
      for (const [[, asset, rawAmount]] of sent) expected[asset] += rawAmount
      payments += sent.length
    },

    /** Returns how many payments, orders and handlers are missing. */
    async missing(): Promise<number[]> {
      // A block, so that the time of the index passes.
      await chain.fund(BYSTANDER, 1n)
      return [
        payments - (await query('tonplug.credits WHERE raw_amount IS NOT NULL')),
        payable.length - (await query(`tonplug.orders WHERE status = 'completed'`)),
        payable.length - (await query('(SELECT DISTINCT reference FROM runs) AS paid')),
      ]
    },

    /** Compares orders, ledger and chain. */
    async check(): Promise<void> {
      const { rows } = await db.query<Record<'reference' | 'status' | 'amount' | 'used', string>>(
        `SELECT reference, status, payment->>'rawAmount' AS amount,
          (SELECT sum(u.raw_amount)::text FROM tonplug.uses u WHERE u.reference = o.reference) AS used
        FROM tonplug.orders o`,
      )
      const byReference = new Map(rows.map((row) => [row.reference, row]))
      const wrong = numbers.filter((number) => {
        const { status, amount, used } = byReference.get(`order-${number}`) ?? {}
        if (kindOf(number).isPaid === false) return status !== 'pending' || used !== null
        const isSum = amount === `${PRICE}` || amount === `${PRICE + HALF}`
        return status !== 'completed' || !isSum || used !== `${PRICE}`
      })
      expect(wrong.map((number) => byReference.get(`order-${number}`))).toEqual([])
      // A handler runs again after a crash, with the same key.
      expect(await query('(SELECT DISTINCT key FROM runs) AS keys')).toBe(payable.length)
      expect(await query('tonplug.credits WHERE used > raw_amount')).toBe(0)
      const v3 = createV3Client({
        transport: createTransport({ baseUrl: chain.url, rps: Infinity }),
      })
      const operator = createOperator({
        payments: createPayments({ orders, inbox, autoStart: false }),
        v3,
      })
      const books = await operator.balance(merchant.address.toRawString())
      expect(books.accounts.flatMap(({ alarms }) => alarms)).toEqual([])
      expect(books.state).toBe('balanced')
      for (const asset of ['TON', 'USDT', 'OTHER'] as const) {
        const found = books.accounts.find((one) => one.asset === masterOf(asset))
        expect(found).toMatchObject({ credits: expected[asset], difference: 0n })
      }
    },
  }
}

function kindOf(number: number): Kind {
  return KINDS[number % KINDS.length]!
}
