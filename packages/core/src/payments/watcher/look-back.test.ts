import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { RetryQueue } from '../../toncenter/follow/retry-queue.js'
import { lookBack } from './look-back.js'
import type { LookBack } from './memory.js'
import { indexOrders, type WatchedOrder } from './open-orders.js'
import type { Run } from './run-state.js'
import type { Progress } from './stored-progress.js'

const WALLET = `0:${'1'.repeat(64)}`
const HEAD = 1_767_614_400
const DAY = 86_400
const DAY_MS = DAY * 1000

interface Bounds {
  start_utime: number
  end_utime: number
}

/** Opens a run that reads two lists: of each, the pages that end at these times. */
function openRun(createdMs: (number | undefined)[] = [], current: Progress = {}) {
  const clock = createFakeClock({ startMs: HEAD * 1000 })
  const logger = createTestLogger()
  const saves: Progress[] = []
  const shown: unknown[] = []
  const reads: [list: string, from: number, to: number][] = []
  const pages: string[] = []
  const lookedUp: string[] = []
  const state = {
    coins: [] as number[],
    jettons: [] as number[],
    fail: (() => undefined) as (page: string) => void,
    ended: 0,
    isAborted: true,
  }
  const listOf = (list: 'coins' | 'jettons') => ({
    paginate: (bounds: Bounds) => ({
      async *pages() {
        reads.push([list, bounds.start_utime, bounds.end_utime])
        try {
          for (const at of state[list]) {
            state.fail(`${list} ${at}`)
            pages.push(`${list} ${at - bounds.end_utime}`)
            yield list === 'coins'
              ? [{ now: at, hash: '', account: WALLET, out_msgs: [] }]
              : [
                  {
                    transaction_hash: `at ${at}`,
                    transaction_now: at,
                    transaction_aborted: state.isAborted,
                  },
                ]
          }
        } finally {
          state.ended++
        }
      },
    }),
  })
  const orders = createdMs.map((one) => ({
    reference: 'order-1',
    merchant: '',
    recipients: [WALLET],
    offers: [],
    amounts: [],
    createdMs: one,
  }))
  const looked = new Set<string>()
  const memory = {
    looked,
    seen: new Set(),
    sentRefunds: new Map(),
    scannedTo: 0,
  } as unknown as Run['memory']
  const run = {
    clock,
    logger,
    head: HEAD,
    wallets: new Set([WALLET]),
    orders: indexOrders(orders as unknown as WatchedOrder[]),
    maxOrderAgeMs: 30 * DAY_MS,
    fullScanIntervalMs: DAY_MS,
    request: {},
    memory,
    named: { load: async () => undefined },
    onProgress: (one: unknown) => void shown.push(one),
    progress: {
      current,
      retries: new RetryQueue([], { clock, logger }),
      async save(changes: Progress) {
        saves.push(changes)
        Object.assign(current, changes)
      },
    },
    indexFailures: { succeed: () => undefined },
    v3: {
      transactions: listOf('coins'),
      jettonTransfers: listOf('jettons'),
      async traces({ tx_hash }: { tx_hash: string[] }) {
        lookedUp.push(...tx_hash)
        return { traces: [] }
      },
    },
  } as unknown as Run
  return { run, memory, current, saves, shown, reads, pages, looked, lookedUp, state }
}

const TEN_MINUTES = 600

describe('a look back', () => {
  it.each<[string, (number | undefined)[], number]>([
    ['the newest block without orders', [], HEAD],
    ['the oldest order', [HEAD * 1000 - 5000, HEAD * 1000 - 9001], HEAD - 10],
    ['a week ago with an undated order', [HEAD * 1000 - 5000, undefined], HEAD - 7 * DAY],
    ['the newest block with orders of the future', [HEAD * 1000 + 5000], HEAD],
  ])('begins ten minutes before %s', async (_, createdMs, first) => {
    const { run, reads, saves, current } = openRun(createdMs)
    await lookBack(run)
    expect(reads).toEqual([
      ['coins', first - TEN_MINUTES, HEAD],
      ['jettons', first - TEN_MINUTES, HEAD],
    ])
    expect(saves[0]).toEqual({ scannedTo: first, fullAtMs: HEAD * 1000 })
    expect(current.scannedTo).toBe(HEAD)
    expect(run.memory).toMatchObject({ lookBack: undefined, scannedTo: HEAD, followedTo: HEAD })
  })

  it('begins at the greatest age of orders', async () => {
    const { run, reads } = openRun([(HEAD - 40 * DAY) * 1000])
    await lookBack({ ...run, maxOrderAgeMs: DAY_MS + 1 })
    expect(reads[0]).toEqual(['coins', HEAD - DAY - 1, HEAD])
  })

  it('is full once a day, and otherwise begins at the stored position', async () => {
    const created = [(HEAD - DAY) * 1000]
    const fullAtMs = HEAD * 1000 - DAY_MS
    const part = openRun(created, { scannedTo: HEAD - 60, fullAtMs: fullAtMs + 1 })
    await lookBack(part.run)
    expect(part.reads[0]).toEqual(['coins', HEAD - 60 - TEN_MINUTES, HEAD])
    const full = openRun(created, { scannedTo: HEAD - 60, fullAtMs })
    await lookBack(full.run)
    expect(full.reads[0]).toEqual(['coins', HEAD - DAY - TEN_MINUTES, HEAD])
    expect(full.saves[0]).toEqual({ scannedTo: HEAD - DAY, fullAtMs: HEAD * 1000 })
    const behind = openRun(created, { scannedTo: HEAD - 2 * DAY, fullAtMs })
    await lookBack(behind.run)
    expect(behind.reads[0]).toEqual(['coins', HEAD - 2 * DAY - TEN_MINUTES, HEAD])
  })

  it('is full without a stored position', async () => {
    const { run, reads } = openRun([(HEAD - DAY) * 1000], { fullAtMs: HEAD * 1000 })
    await lookBack(run)
    expect(reads[0]).toEqual(['coins', HEAD - DAY - TEN_MINUTES, HEAD])
  })

  it('has the transfers of its pages looked up', async () => {
    const { run, lookedUp, state } = openRun()
    state.isAborted = false
    state.jettons = [HEAD - 2, HEAD - 1]
    await lookBack(run)
    expect(lookedUp).toEqual([`at ${HEAD - 2}`, `at ${HEAD - 1}`])
  })

  it('does not begin after the newest block, and moves no position back', async () => {
    const fullAtMs = HEAD * 1000
    const { run, reads, current } = openRun([], { scannedTo: HEAD + 100, fullAtMs })
    await lookBack(run)
    expect(reads[0]).toEqual(['coins', HEAD - TEN_MINUTES, HEAD])
    expect(current.scannedTo).toBe(HEAD + 100)
  })

  it('reads the list that is behind, and saves and shows how far both are', async () => {
    const stored = { scannedTo: HEAD - 400, fullAtMs: HEAD * 1000 }
    const { run, pages, shown, saves, state } = openRun([], stored)
    state.coins = [HEAD - 500, HEAD - 300, HEAD - 100]
    state.jettons = [HEAD - 200]
    await lookBack(run)
    expect(pages).toEqual(['coins -500', 'jettons -200', 'coins -300', 'coins -100'])
    expect(saves.map(({ scannedTo = 0 }) => scannedTo - HEAD)).toEqual([-300, -200, -100, 0, 0])
    const from = HEAD - 400 - TEN_MINUTES
    expect(shown[0]).toEqual({ scannedTo: HEAD - 500, from, to: HEAD })
    expect(shown.at(-1)).toEqual({ scannedTo: HEAD, from, to: HEAD })
  })

  it('continues each list where it stopped', async () => {
    const stored = { scannedTo: HEAD - 400, fullAtMs: HEAD * 1000 }
    const { run, memory, reads, state } = openRun([], stored)
    state.coins = [HEAD - 500, HEAD - 100]
    state.jettons = [HEAD - 450]
    state.fail = (page) => {
      if (page === `coins ${HEAD - 100}`) throw new Error('no connection')
    }
    await expect(lookBack(run)).rejects.toThrow('no connection')
    expect(memory.lookBack).toMatchObject({ to: HEAD, at: [HEAD - 500, HEAD - 450] })
    // Both lists are closed.
    expect(state.ended).toBe(2)
    run.memory.looked.add('explained')
    state.fail = () => undefined
    await lookBack({ ...run, head: HEAD + 10 })
    expect(reads.slice(2)).toEqual([
      ['coins', HEAD - 500, HEAD],
      ['jettons', HEAD - 450, HEAD],
    ])
    expect(memory).toMatchObject({ lookBack: undefined, scannedTo: HEAD })
    expect(memory.looked.size).toBe(1)
  })

  it('begins again when another server has read further', async () => {
    const stored = { scannedTo: HEAD - 400, fullAtMs: HEAD * 1000 }
    const unfinished: LookBack = { from: 1, to: HEAD - 400, wallets: [WALLET], at: [5, 5] }
    const same = openRun([], { ...stored })
    same.memory.lookBack = { ...unfinished, at: [...unfinished.at] }
    await lookBack(same.run)
    expect(same.reads[0]).toEqual(['coins', 5, HEAD - 400])
    const further = openRun([], { ...stored, scannedTo: HEAD - 399 })
    further.memory.lookBack = unfinished
    further.looked.add('explained')
    await lookBack(further.run)
    expect(further.reads[0]).toEqual(['coins', HEAD - 399 - TEN_MINUTES, HEAD])
    expect(further.looked.size).toBe(0)
  })

  it.each([
    { behind: 90, isKept: true },
    { behind: 91, isKept: false },
  ])('keeps the followed wallets $behind s behind it: $isKept', async ({ behind, isKept }) => {
    const { run, memory } = openRun()
    memory.followed = { to: HEAD - behind } as typeof memory.followed
    await lookBack(run)
    expect(memory.followed !== undefined).toBe(isKept)
  })

  it.each([
    [50_000, 50_000],
    [50_001, 0],
  ])('forgets what is explained when it is too much: %i, then %i', async (count, left) => {
    const { run, looked, state } = openRun()
    state.coins = [HEAD - 1]
    state.fail = () => {
      for (let number = 0; number < count; number++) looked.add(`${number}`)
    }
    await lookBack(run)
    expect(looked.size).toBe(left)
  })
})
