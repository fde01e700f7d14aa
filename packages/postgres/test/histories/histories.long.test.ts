import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { createRandom } from '@tonplug/test-support/random'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, type TestPostgres } from '../databases.js'
import { isLinearizable, type Call } from './linearizable.js'
import { openStores, referenceOf } from './stores.js'
import { hashOf, twoOrders, type Input, type Output } from './two-orders.js'

/** `HISTORY_CALLS=1000000` runs for an hour or two. */
const CALLS = Number(process.env['HISTORY_CALLS'] ?? 3000)
// Few calls of few objects: races are about the first calls of each.
const CALLS_PER_ROUND = 48
/** Groups of two orders and two credits. */
const GROUPS = 2
const WORKERS = 12
const MS_PER_CALL = 20
const CUT_EVERY_CALLS = 24
const RESTARTS = 0.2

/** A server of a shop. */
interface Server {
  pool: pg.Pool
  stores: ReturnType<typeof openStores>
}

describe.skipIf(!hasPostgres)(`histories on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  let first: Server
  let second: Server
  beforeAll(async () => {
    database = await openPostgres(20)
    first = openServer('first')
    second = openServer('second')
  })
  afterAll(async () => {
    for (const { pool } of [first, second]) await pool.end()
    await database.close()
  })

  it(
    `S82 S117 S119 explains ${CALLS} concurrent calls of two servers and their operators by one sequence, although one server restarts`,
    async () => {
      const seed = Number(process.env['HISTORY_SEED'] ?? Date.now() % 1_000_000_000)
      const random = createRandom(seed)
      const beganMs = performance.now()
      const counts: Record<string, number> = {}
      for (let round = 0; round < CALLS / CALLS_PER_ROUND; round++) {
        const groups = [...(await runRound(round, random))]
        const unexplained = groups.filter(([, calls]) => !isLinearizable(calls, twoOrders))
        expect({ seed, unexplained }).toEqual({ seed, unexplained: [] })
        for (const { input, output = 'lost' } of groups.flatMap(([, calls]) => calls)) {
          const outcome = `${input[0]} ${output}`
          counts[outcome] = (counts[outcome] ?? 0) + 1
        }
      }
      const seconds = Math.round((performance.now() - beganMs) / 1000)
      console.info(`HISTORY_SEED=${seed}: ${CALLS} calls in ${seconds} s`, counts)
      const outcomes = ['assign applied', 'assign reused', 'accept applied', 'accept reused']
      expect(Object.keys(counts)).toEqual(
        expect.arrayContaining([...outcomes, 'refund free', 'refund reused', 'claim lost']),
      )
    },
    60_000 + CALLS * MS_PER_CALL,
  )

  function openServer(name: string): Server {
    const pool = new pg.Pool({
      connectionString: database.url,
      max: 8,
      application_name: name,
      // No server crashes here.
      options: '-c synchronous_commit=off',
    })
    return { pool, stores: openStores(pool) }
  }

  async function runRound(round: number, random: () => number) {
    const pick = (count: number): number => Math.floor(random() * count)
    const groups = Array.from({ length: GROUPS }, (_, index) => `${round}-${index}`)
    const { orders } = openStores(database.db)
    await Promise.all(
      groups
        .flatMap((group) => [referenceOf(group, 0), referenceOf(group, 1)])
        .map((reference) => orders.create({ reference, rawAmount: 5n, asset: 'TON', data: null })),
    )
    const history = new Calls<Input, Output>()
    let left = CALLS_PER_ROUND

    const cuts: Promise<Server | undefined>[] = []
    async function work(): Promise<void> {
      while (left-- > 0) {
        if (left % CUT_EVERY_CALLS === 0) cuts.push(cutSecond(random))
        const group = groups[pick(GROUPS)] ?? ''
        const input = pickInput(pick)
        const { stores } = pick(2) === 0 ? first : second
        await history.record(group, input, () => stores.run(group, input))
      }
    }

    await Promise.all(Array.from({ length: WORKERS }, work))
    for (const replaced of await Promise.all(cuts)) await replaced?.pool.end()
    return history.byName
  }

  /**
   * Ends the connections of the second server, whatever they are doing. Sometimes another one replaces it.
   * @returns the server that was replaced
   */
  async function cutSecond(random: () => number): Promise<Server | undefined> {
    const isReplaced = random() < RESTARTS
    const replaced = isReplaced ? second : undefined
    if (isReplaced) second = openServer('second')
    await database.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'second'`,
    )
    return replaced
  }
})

function pickInput(pick: (count: number) => number): Input {
  const [one, other] = [pick(2), pick(2)]
  const inputs: readonly Input[] = [
    ['complete', one, hashOf(other)],
    ['fail', one, `tx-${pick(3)}`],
    ['claim', one, other],
    ['assign', one, other],
    ['assign', one, other],
    ['accept', one],
    ['refund', one, other],
    ['refund', one, other],
    ['release', one, other],
    ['show', one],
  ]
  return inputs[pick(inputs.length)] ?? ['accept', one]
}

/** The calls of each group, in one sequence of starts and ends. */
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
