import { createFakeClock, type FakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { isTonplugError } from '../../../src/shared/tonplug-error.js'
import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import { createV3Client, type V3Client } from '../../../src/toncenter/v3/client.js'
import type { Watch } from '../../../src/toncenter/follow/watch.js'
import type { ListName } from '../../../src/toncenter/v3/paging/lists.js'
import type { TimedListName } from '../../../src/toncenter/v3/paging/timed-lists.js'
import { createRandom } from '@tonplug/test-support/random'
import { watch, POLL_MS } from './watches.js'
import type { IndexRow } from './index-rows.js'
import type { Fault, MockIndex } from './mock-index.js'
import {
  DIRECTORIES,
  idOf,
  idsUpTo,
  paginate,
  rowOf,
  serve,
  sorted,
  START_UTIME,
  TIMED,
} from './pagination.js'

// An index that does all at once what it may do: it shows rows late, gives several of them one lt and one second, lets
// some that are not final go away, answers fewer rows than it is asked for, fails, and has a second server that is
// behind. The reader crashes at any row, before or after storing it with the cursor, and resumes from there.

const SEEDS = [11, 22]
const FAULTS: Fault[] = ['drop', 'cut', 'timeout', 'unavailable', 'failed']
const OVERLAP_SECONDS = 40
const LATEST_SECONDS = 30
const LAG_SECONDS = 15
/** More than rows share a second: a page must get past them. */
const LEAST_ROWS = 8

type Random = () => number

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}

function faultOf(random: Random, chance: number): Fault | undefined {
  return random() < chance ? FAULTS[below(random, FAULTS.length)] : undefined
}

/** The reader's database: rows, and the cursor that was stored with the last one. */
interface Stored {
  ids: number[]
  cursor: Cursor | undefined
}

/** The process dies. */
class Crash extends Error {}

/** Stores each row with the cursor, and dies now and then. */
async function store<Row>(
  loop: Pick<Watch<Row>, 'cursor'> & AsyncIterable<Row>,
  stored: Stored,
  { idsOf, random }: { idsOf: (row: Row) => number[]; random: Random },
): Promise<void> {
  for await (const row of loop) {
    const fate = random()
    if (fate < 0.01) throw new Crash()
    stored.ids.push(...idsOf(row))
    stored.cursor = JSON.parse(JSON.stringify(loop.cursor())) as Cursor
    if (fate > 0.97) throw new Crash()
  }
}

/** Something that the servers show when their heads reach it. */
interface Change {
  at: number
  apply(server: MockIndex): void
}

/** The newest masterchain block of a server. */
interface Head {
  seqno: number
  utime: number
}

/** Two servers, the second one behind, and a client that goes to the second one while the first one is down. */
async function serveTwo(random: Random, start: Head) {
  const clock = createFakeClock()
  const heads = [{ ...start }, { ...start }] as const
  let isDown = false
  let chance = 0.05
  const mostRows = (): number => LEAST_ROWS + below(random, 30)
  const fault = (): Fault | undefined => faultOf(random, chance)
  const first = await serve({
    head: heads[0],
    mostRows,
    fault: () => (isDown ? 'unavailable' : fault()),
  })
  const second = await serve({ head: heads[1], mostRows, fault })
  const v3 = createV3Client({
    baseUrl: [first.server.baseUrl, second.server.baseUrl],
    rps: Infinity,
    clock,
    random: () => 0,
    retry: { maxAttempts: 2 },
    // Not to be taken for a rest between two polls.
    timeoutMs: 7777,
    deadlineMs: 77_777,
  })
  const servers = [first.server, second.server] as const
  const pending: [Change[], Change[]] = [[], []]
  const show = (): void => {
    for (const [index, server] of servers.entries()) {
      const { utime } = server.head
      const due = pending[index]?.filter(({ at }) => at <= utime) ?? []
      for (const change of due) change.apply(server)
      pending[index as 0 | 1] = pending[index]?.filter(({ at }) => at > utime) ?? []
    }
  }
  return {
    clock,
    v3,
    servers,
    add: (...changes: Change[]): void => {
      for (const list of pending) list.push(...changes)
    },
    /** The first server's head comes to `head`, the second one's to `behind`. */
    moveTo: (head: Head, behind: Head): void => {
      Object.assign(heads[0], head)
      if (behind.utime > heads[1].utime) Object.assign(heads[1], behind)
      show()
    },
    stir: (isCalm: boolean): void => {
      isDown = !isCalm && random() < 0.3
      chance = isCalm ? 0 : 0.05
    },
  }
}

/** Rows of one second, as the servers show them; those that go away are not among the `kept`. */
function rowsOfSecond(
  random: Random,
  { path, utime, firstId, hasFinality }: SecondOfRows,
): { changes: Change[]; kept: number[]; last: number } {
  const changes: Change[] = []
  const kept: number[] = []
  const count = below(random, 6)
  for (let index = 0; index < count; index++) {
    const id = firstId + index
    const lt = (utime - START_UTIME) * 1000 + below(random, 2)
    const row: IndexRow = { id, lt, utime, account: id }
    const at = utime + below(random, LATEST_SECONDS)
    const isOpen = hasFinality && random() < 0.3
    const finality = random() < 0.5 ? 'pending' : 'confirmed'
    changes.push({
      at,
      apply: (server) => server.table(path).insert(isOpen ? { ...row, finality } : row),
    })
    if (!isOpen) {
      kept.push(id)
      continue
    }
    const isTaken = random() < 0.5
    if (isTaken) kept.push(id)
    changes.push({
      at: at + 5 + below(random, 20),
      apply(server) {
        server.table(path).remove(id)
        if (isTaken) server.table(path).insert(row)
      },
    })
  }
  return { changes, kept, last: firstId + count }
}

interface SecondOfRows {
  path: string
  utime: number
  firstId: number
  hasFinality: boolean
}

/** A reader in the background, which is started again when it has crashed. */
function startReader<Row>(
  clock: FakeClock,
  begin: (cursor: Cursor | undefined) => Watch<Row>,
  how: { idsOf: (row: Row) => number[]; random: Random },
) {
  const stored: Stored = { ids: [], cursor: undefined }
  let failure: unknown
  let isRunning = false
  let current: Promise<void> = Promise.resolve()
  const start = (): void => {
    isRunning = true
    current = store(begin(stored.cursor), stored, how)
      .catch((error: unknown) => {
        if (!(error instanceof Crash)) failure = error
      })
      .finally(() => {
        isRunning = false
      })
  }
  return {
    stored,
    /** Until it rests, however often it crashes before. */
    async rest(pollMs: number): Promise<void> {
      for (;;) {
        if (failure !== undefined) throw new Error('the reader failed', { cause: failure })
        if (!isRunning) start()
        const isRest = ({ delayMs }: { delayMs: number }): boolean =>
          delayMs % pollMs === 0 && delayMs <= 60_000
        await Promise.race([clock.waitForTimer(isRest), current])
        if (isRunning) return
      }
    },
  }
}

const FOLLOWED = (Object.keys(TIMED) as TimedListName[]).flatMap((name) =>
  SEEDS.map((seed) => [name, seed] as const),
)

describe('a subscription to an index with many faults', () => {
  it.each(FOLLOWED)('delivers every row of %s once, seed %i', async (name, seed) => {
    const random = createRandom(seed * 1000 + name.length)
    const path = TIMED[name]
    const hasFinality = name === 'transactions' || name === 'actions'
    const { v3, clock, add, moveTo, stir } = await serveTwo(random, {
      seqno: 1,
      utime: START_UTIME,
    })
    const reader = startReader<object>(
      clock,
      (cursor) =>
        watch(
          v3,
          name,
          {},
          {
            from: START_UTIME,
            overlapSeconds: OVERLAP_SECONDS,
            pageSize: 10 + below(random, 20),
            cursor,
          },
        ),
      { idsOf: (row) => [idOf(row)], random },
    )
    const kept: number[] = []
    let firstId = 1
    let utime = START_UTIME
    for (let step = 0; step < 30; step++) {
      for (let second = 0; second < 5; second++) {
        const added = rowsOfSecond(random, { path, utime: ++utime, firstId, hasFinality })
        add(...added.changes)
        kept.push(...added.kept)
        firstId = added.last
      }
      stir(false)
      const late = utime - LAG_SECONDS
      moveTo({ seqno: utime, utime }, { seqno: late, utime: late })
      await reader.rest(POLL_MS)
      await clock.advance(60_000)
    }
    stir(true)
    for (let step = 0; step < 4; step++) {
      utime += 40
      moveTo({ seqno: utime, utime }, { seqno: utime, utime })
      await reader.rest(POLL_MS)
      await clock.advance(60_000)
    }
    await reader.rest(POLL_MS)
    expect(kept.length).toBeGreaterThan(200)
    expect(sorted(reader.stored.ids)).toEqual(kept)
  })

  it.each(SEEDS)('blocks with their transactions: delivers all in order, seed %i', async (seed) => {
    const random = createRandom(seed)
    const pollMs = 1000
    const { v3, clock, servers, moveTo, stir } = await serveTwo(random, { seqno: 1, utime: 1 })
    const rows = idsUpTo(60).flatMap((mc) =>
      Array.from({ length: below(random, 40) }, (_, index) => ({
        id: mc * 100 + index,
        lt: mc * 1000 + below(random, 4),
        utime: mc,
        account: index,
        mc,
      })),
    )
    for (const server of servers) server.table('/transactions').insert(...rows)
    const seqnos: number[] = []
    const reader = startReader(
      clock,
      (cursor) => v3.transactionsByMasterchainBlock.watch({ seqno: 1 }, { cursor, pollMs }),
      {
        idsOf({ seqno, transactions }) {
          seqnos.push(seqno)
          return transactions.map((row) => idOf(row))
        },
        random,
      },
    )
    for (let seqno = 2; seqno <= 60; seqno++) {
      stir(seqno > 55)
      const late = Math.max(1, seqno - 3)
      moveTo({ seqno, utime: seqno }, { seqno: late, utime: late })
      await reader.rest(pollMs)
      await clock.advance(60_000)
    }
    await reader.rest(pollMs)
    expect(seqnos).toEqual(idsUpTo(60))
    expect(sorted(reader.stored.ids)).toEqual(sorted(rows.map(({ id }) => id)))
  })
})

/** Parameters that a walk needs. */
const PARAMS: Partial<Record<ListName, object>> = {
  dnsActiveAuctions: { bidder: `0:${'1'.repeat(64)}` },
  dnsRecords: { wallet: `0:${'1'.repeat(64)}` },
  masterchainBlockShards: { seqno: 1 },
  transactionsByMasterchainBlock: { seqno: 1 },
  transactionsByMessage: { opcode: 5 },
  vesting: { contract_address: `0:${'1'.repeat(64)}` },
}

const FIXED = {
  masterchainBlockShards: '/masterchainBlockShards',
  transactionsByMasterchainBlock: '/transactions',
}

const WALKED = [
  ...Object.entries(TIMED).flatMap(([name, path]) => [
    [name, path, { sort: 'asc' }] as const,
    [name, path, { sort: 'desc' }] as const,
    [name, path, { sort: 'asc', start_utime: START_UTIME }] as const,
  ]),
  ...Object.entries(DIRECTORIES).map(([name, path]) => [name, path, {}] as const),
  ...Object.entries(FIXED).map(([name, path]) => [name, path, {}] as const),
  ['transactionsByMessage', '/transactionsByMessage', {}] as const,
] as [ListName, string, object][]

describe('an iteration over an index with many faults', () => {
  it.each(WALKED)('delivers every row once: %s %s %o', async (name, path, given) => {
    for (const seed of SEEDS) {
      const random = createRandom(seed)
      const isDirectory = Object.hasOwn(DIRECTORIES, name)
      const isFixed = Object.hasOwn(FIXED, name)
      let newest = 200
      const { server, v3 } = await serve(
        {
          rows: { [path]: idsUpTo(200).map((id) => ({ ...rowOf(id), mc: 1 })) },
          mostRows: () => LEAST_ROWS + 4 + below(random, 30),
          fault: () => faultOf(random, 0.1),
          beforeResponse: () => {
            if (isFixed || random() < 0.5) return
            const row = rowOf(++newest)
            const old = rowOf(1 + below(random, 200))
            // Behind all others, or among the old.
            const isLate = !isDirectory && random() < 0.5
            server.table(path).insert(isLate ? { ...row, lt: old.lt, utime: old.utime } : row)
          },
        },
        { retry: { maxAttempts: 1 }, random: () => 0 },
      )
      const params = {
        ...given,
        ...PARAMS[name],
        ...(name === 'messages' && random() < 0.5 && { exclude_externals: true }),
      }
      const ids = await walkWhole(v3, { name, params, random })
      expect(new Set(ids).size).toBe(ids.length)
      expect(sorted(ids).slice(0, 200)).toEqual(idsUpTo(200))
    }
  })
})

/** Walks until the end, over failures and crashes. */
async function walkWhole(
  v3: V3Client,
  { name, params, random }: { name: ListName; params: object; random: Random },
): Promise<number[]> {
  const stored: Stored = { ids: [], cursor: undefined }
  for (let life = 0; life < 1000; life++) {
    const { cursor } = stored
    const options = { cursor, pageSize: 4 + below(random, 40), prefetch: random() < 0.5 }
    const walk = paginate(v3, name, params, options)
    try {
      await store(walk, stored, { idsOf: (row) => [idOf(row)], random })
      return stored.ids
    } catch (error) {
      if (!(error instanceof Crash) && !(isTonplugError(error) && error.retryable)) {
        if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_SERVER') throw error
      }
    }
  }
  throw new Error('the walk does not come to its end')
}
