import type { Transition } from '@tonplug/core'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { createRandom } from '@tonplug/test-support/random'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInbox } from '../../src/postgres-inbox.js'
import { postgresOrderRepository } from '../../src/postgres-order-repository.js'
import { openPostgres, type TestPostgres } from '../databases.js'
import { isLinearizable, type Call, type Model } from './linearizable.js'

/** `HISTORY_CALLS=1000000` runs for minutes. */
const CALLS = Number(process.env['HISTORY_CALLS'] ?? 3000)
// Few calls of few objects: races are about the first calls of each.
const CALLS_PER_ROUND = 48
const OBJECTS = 4
const WORKERS = 12
const MS_PER_CALL = 20
const CUT_EVERY_MS = 30

const FAILURE = { traceId: '', status: 'failed', date: '' }
const PAYMENT = {
  traceId: '',
  bodyBase64Hash: '',
  rawAmount: 5n,
  asset: 'TON',
  senderAddr: '',
  recipientAddr: '',
  date: '',
  isLate: false,
}

type OrderInput = readonly ['complete' | 'fail', string]
type OrderState = readonly [status: 'pending' | 'failed' | 'completed', txHash: string]

const orderModel: Model<OrderState, OrderInput, Transition> = {
  initial: ['pending', ''],
  apply([status, txHash], [method, given]) {
    if (status === 'completed') {
      const isRepeated = method === 'complete' && given === txHash
      return { state: [status, txHash], output: isRepeated ? 'already-applied' : 'conflict' }
    }
    if (method === 'fail' && status === 'failed' && given === txHash) {
      return { state: [status, txHash], output: 'already-applied' }
    }
    return { state: [method === 'fail' ? 'failed' : 'completed', given], output: 'applied' }
  },
}

/** The state is the order or refund that has the credit. */
const creditModel: Model<string, string, boolean> = {
  initial: '',
  apply: (owner, input) => ({ state: owner || input, output: owner === '' || owner === input }),
}

describe.skipIf(!hasPostgres)(`histories on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  let servers: { pool: pg.Pool; stores: ReturnType<typeof openStores> }[]
  beforeAll(async () => {
    database = await openPostgres(20)
    servers = ['first', 'second'].map((name) => {
      const pool = new pg.Pool({
        connectionString: database.url,
        max: 8,
        application_name: name,
      })
      return { pool, stores: openStores(pool) }
    })
  })
  afterAll(async () => {
    for (const { pool } of servers) await pool.end()
    await database.close()
  })

  it(
    `S82 S117 explains ${CALLS} concurrent calls of two servers by one sequence for each order and credit, although one loses its connections`,
    async () => {
      const seed = Number(process.env['HISTORY_SEED'] ?? Date.now() % 1_000_000_000)
      const random = createRandom(seed)
      let lost = 0
      for (let round = 0; round < CALLS / CALLS_PER_ROUND; round++) {
        const { orders, credits } = await runRound(round, random)
        const all = [...orders.values(), ...credits.values()].flat()
        lost += all.filter(({ output }) => output === undefined).length
        const unexplained = [
          ...[...orders].filter(([, calls]) => !isLinearizable(calls, orderModel)),
          ...[...credits].filter(([, calls]) => !isLinearizable(calls, creditModel)),
        ]
        expect({ seed, unexplained }).toEqual({ seed, unexplained: [] })
      }
      expect(lost).toBeGreaterThan(0)
    },
    60_000 + CALLS * MS_PER_CALL,
  )

  async function runRound(round: number, random: () => number) {
    const pick = (count: number): number => Math.floor(random() * count)
    const names = Array.from({ length: OBJECTS }, (_, index) => `${round}-${index}`)
    const { orders } = openStores(database.db)
    await Promise.all(
      names.map((reference) =>
        orders.create({ reference, rawAmount: 5n, asset: 'TON', data: null }),
      ),
    )
    const history = {
      orders: new Calls<OrderInput, Transition>(),
      credits: new Calls<string, boolean>(),
    }
    let left = CALLS_PER_ROUND

    async function work(): Promise<void> {
      while (left-- > 0) {
        const name = names[pick(OBJECTS)] ?? ''
        const { stores } = servers[pick(servers.length)] ?? { stores: openStores(database.db) }
        const value = `tx-${pick(3)}`
        if (random() < 0.5) {
          const input = [random() < 0.7 ? 'complete' : 'fail', value] as const
          await history.orders.record(name, input, () => stores.move(name, input))
        } else {
          const input = `${random() < 0.5 ? 'order' : 'refund'} ${value}`
          await history.credits.record(name, input, () => stores.claim(name, input))
        }
      }
    }

    let isWorking = true
    const cutting = cutConnections(() => isWorking)
    await Promise.all(Array.from({ length: WORKERS }, work))
    isWorking = false
    await cutting
    return { orders: history.orders.byName, credits: history.credits.byName }
  }

  /** Ends the connections of the second server again and again, whatever they are doing. */
  async function cutConnections(isWorking: () => boolean): Promise<void> {
    while (isWorking()) {
      await database.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'second'`,
      )
      await sleep(CUT_EVERY_MS)
    }
  }
})

function openStores(db: pg.Pool) {
  const orders = postgresOrderRepository(db)
  const { credits } = postgresInbox(db)
  return {
    orders,
    move: (reference: string, [method, txHash]: OrderInput): Promise<Transition> =>
      method === 'complete'
        ? orders.complete({ reference, merchant: '' }, { ...PAYMENT, txHash })
        : orders.fail({ reference, merchant: '' }, { ...FAILURE, txHash }),
    claim(credit: string, owner: string): Promise<boolean> {
      const [kind = '', reference = ''] = owner.split(' ')
      return credits.claim({
        name: 'default',
        merchant: '',
        reference,
        kind: kind === 'refund' ? 'refund' : 'order',
        payments: [`credit:${credit}`],
      })
    },
  }
}

/** The calls of each object, in one sequence of starts and ends. */
class Calls<Input, Output> {
  readonly byName = new Map<string, Call<Input, Output>[]>()
  #position = 0

  async record(name: string, input: Input, run: () => Promise<Output>): Promise<void> {
    const call: Call<Input, Output> = {
      input,
      output: undefined,
      start: this.#position++,
      end: Infinity,
    }
    this.byName.set(name, [...(this.byName.get(name) ?? []), call])
    try {
      call.output = await run()
      call.end = this.#position++
    } catch {
      // The connection was lost: the call may have had an effect.
    }
  }
}
