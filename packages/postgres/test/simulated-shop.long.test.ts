import type { Order } from '@tonplug/core'
import { printTest, shrinkRun, simulateShop, type ShopSimulationOptions } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { followClock } from './database-clock.js'
import { openPGlite, type TestDatabase } from './databases.js'

const HOURS = 0.1
/** `SHOP_SEEDS=100` is a long run. */
const SEEDS = Number(process.env['SHOP_SEEDS'] ?? 2)

describe('a simulated shop on PGlite', () => {
  let database: TestDatabase
  let db: Queryable
  let clock = { nowMs: () => 0 }

  beforeAll(async () => {
    database = await openPGlite()
    db = await followClock(database.db, { nowMs: () => clock.nowMs() })
  })
  afterAll(() => database.close())

  const optionsOf = (seed: number): ShopSimulationOptions => ({
    seed,
    hours: HOURS,
    async repository() {
      await database.clear()
      return { repository: postgresOrderRepository(db), insert }
    },
    inbox(given) {
      clock = given
      return postgresInbox(db)
    },
  })

  /** Stores a pending order. */
  async function insert({ reference, merchant, ...order }: Order): Promise<void> {
    await postgresOrderRepository(db).create({
      reference,
      merchant,
      rawAmount: order.rawAmount,
      asset: order.asset,
      createdAt: order.createdAt ?? undefined,
      bodyBase64Hash: order.bodyBase64Hash ?? undefined,
      data: {},
    })
  }

  it('S124 breaks no promise from a fresh seed on; SHOP_SEED is the first one, SHOP_SEEDS their number', async () => {
    const first = Number(process.env['SHOP_SEED'] ?? Math.floor(Math.random() * 1e9))
    console.info(`SHOP_SEED=${first}`)
    for (let seed = first; seed < first + SEEDS; seed++) {
      const { problems } = await simulateShop(optionsOf(seed))
      expect(problems.length > 0 ? await reduced(seed) : '').toBe('')
    }
  }, 3_600_000)

  it('S124 completes an order that is stored after its payment, with the steps that share a transaction', async () => {
    const [reference, rawAmount] = ['order-1', '2000000000']
    const { problems, trace } = await simulateShop({
      ...optionsOf(1),
      events: [
        { kind: 'pay', atMs: 202_865, payment: 'p1', reference, rawAmount, times: 1, lagMs: 0 },
        { kind: 'order', atMs: 207_865, reference, rawAmount, isBound: true },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.some((line) => line.endsWith('joined.completeAndDecide'))).toBe(true)
  })

  async function reduced(seed: number): Promise<string> {
    return `seed ${seed}:\n${printTest(await shrinkRun(optionsOf(seed)))}`
  }
})
