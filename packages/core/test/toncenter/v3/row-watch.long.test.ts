import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../src/shared/configuration-error.js'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import { NotFinalError } from '../../../src/toncenter/follow/errors.js'
import type { TonplugError } from '../../../src/shared/tonplug-error.js'
import type { TimedListName } from '../../../src/toncenter/v3/paging/timed-lists.js'
import { createRandom } from '@tonplug/test-support/random'
import { watch, OVERLAP, POLL_MS, run, serveWatch } from './watches.js'
import { addressOf, hashOf, type IndexRow } from './index-rows.js'
import type { Fault } from './mock-index.js'
import { idOf, idsUpTo, rowsUpTo, serve, sorted, START_UTIME, stored, TIMED } from './pagination.js'

const NAMES = Object.entries(TIMED) as [TimedListName, string][]
const path = '/transactions'

/** A row that belongs to a second and is shown later. */
interface LateRow {
  row: IndexRow
  shownAt: number
}

/** Rows of some seconds. Each shares its lt and its second with others, and is shown up to `delay` seconds late. */
function lateRows(random: () => number, firstId: number, second: number, delay: number): LateRow[] {
  const count = Math.floor(random() * 6)
  return Array.from({ length: count }, (_, index) => {
    const lt = (second - START_UTIME) * 1000 + (index % 2)
    const row = { id: firstId + index, lt, utime: second, account: index }
    return { row, shownAt: second + Math.floor(random() * delay) }
  })
}

describe.each(NAMES)('%s.watch', (name, list) => {
  it('delivers every row once, however late and out of order it appears, over faults and crashes', async () => {
    const random = createRandom(list.length)
    const faults: (Fault | undefined)[] = ['drop', 'timeout', 'unavailable', 'limited', 'cut']
    const head = { seqno: 1, utime: START_UTIME }
    let isFaulty = false
    const { server, v3, clock } = await serveWatch({
      head,
      fault: () => (isFaulty && random() < 0.2 ? faults[Math.floor(random() * 5)] : undefined),
    })
    let hidden: LateRow[] = []
    let newest = 0
    let process = new AbortController()
    const options = { overlapSeconds: OVERLAP, from: START_UTIME, pageSize: 7 }
    let current = watch(v3, name, {}, { ...options, signal: process.signal })
    let running = run(current, clock)
    const delivered: number[] = []
    for (let step = 0; step < 60; step++) {
      const isLastLap = step >= 40
      for (let second = 0; second < 5; second++) {
        head.utime++
        head.seqno++
        const added = isLastLap ? [] : lateRows(random, newest + 1, head.utime, OVERLAP - 10)
        newest += added.length
        hidden.push(...added)
      }
      for (const { row, shownAt } of hidden)
        if (shownAt <= head.utime) server.table(list).insert(row)
      hidden = hidden.filter(({ shownAt }) => shownAt > head.utime)
      await running.rest()
      // One faulty poll at a time: it is followed by the same wait as a good one.
      isFaulty = step % 3 === 0
      await clock.advance(POLL_MS)
      isFaulty = false
      await running.rest()
      if (step % 6 !== 5) continue
      // The process dies, and another one resumes.
      const cursor = stored(current)
      delivered.push(...running.ids)
      process.abort()
      process = new AbortController()
      current = watch(v3, name, {}, { ...options, cursor, signal: process.signal })
      running = run(current, clock)
    }
    await running.poll()
    delivered.push(...running.ids)
    expect(delivered).toHaveLength(newest)
    expect(sorted(delivered)).toEqual(idsUpTo(newest))
    expect(newest).toBeGreaterThan(300)
    // Blocks of the newest second are kept: an answer without any may have broken off.
    const seen = current.cursor().position?.['seen']
    expect(Array.isArray(seen) ? seen.length : -1).toBeLessThanOrEqual(name === 'blocks' ? 6 : 0)
  })
})

describe('transactions.watch', () => {
  it('begins at the newest masterchain block, and delivers nothing older', async () => {
    const head = { seqno: 1, utime: START_UTIME + 3 }
    const { v3, clock } = await serveWatch({ rows: { [path]: rowsUpTo(60) }, head })
    const running = run(v3.transactions.watch({}, { pollMs: POLL_MS }), clock)
    await running.rest()
    // Ten a second: the rows of the head's second, and none of the seconds after it.
    expect(sorted(running.ids)).toEqual(idsUpTo(39).slice(29))
    head.utime = START_UTIME + 4
    await running.poll()
    expect(sorted(running.ids)).toEqual(idsUpTo(49).slice(29))
  })

  it('begins at the given time', async () => {
    const head = { seqno: 1, utime: START_UTIME + 100 }
    const { v3, clock } = await serveWatch({ rows: { [path]: rowsUpTo(60) }, head })
    const from = new Date((START_UTIME + 2) * 1000)
    const running = run(v3.transactions.watch({}, { pollMs: POLL_MS, from, pageSize: 4 }), clock)
    await running.rest()
    expect(running.ids).toEqual(sorted(running.ids))
    expect(sorted(running.ids)).toEqual(idsUpTo(60).slice(19))
  })

  it('waits for a server that is behind', async () => {
    const head = { seqno: 9, utime: START_UTIME + 5 }
    const { v3, clock, server } = await serveWatch({ rows: { [path]: rowsUpTo(59) }, head })
    const options = { pollMs: POLL_MS, from: START_UTIME, overlapSeconds: 0 }
    const running = run(v3.transactions.watch({}, options), clock)
    await running.rest()
    expect(running.ids).toHaveLength(59)
    head.utime = START_UTIME + 4
    server.requests.length = 0
    await running.poll()
    expect(server.requests.map((asked) => asked.path)).toEqual(['/masterchainInfo'])
    head.utime = START_UTIME + 6
    server.table(path).insert({ id: 60, lt: 1, utime: START_UTIME + 6, account: 1 })
    await running.poll()
    expect(running.ids.slice(59)).toEqual([60])
  })

  const withFinality = (id: number, finality: string): IndexRow => ({
    id,
    lt: id,
    utime: START_UTIME + id,
    account: id,
    finality,
  })

  it.each(['pending', 'confirmed'])('delivers a %s row when it is final', async (finality) => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveWatch({ head })
    const table = server.table(path)
    table.insert(withFinality(1, 'finalized'), withFinality(2, finality), withFinality(3, finality))
    const current = v3.transactions.watch({}, { pollMs: POLL_MS, from: START_UTIME })
    const running = run(current, clock)
    await running.rest()
    head.utime += 20
    await running.poll()
    expect(running.ids).toEqual([1])
    // One becomes final, and the other one goes away.
    table.remove(2)
    table.remove(3)
    table.insert(withFinality(2, 'finalized'))
    await running.poll()
    expect(running.ids).toEqual([1, 2])
    head.utime += 1000
    await running.poll()
    expect(stored(current).position).toEqual({ from: head.utime - OVERLAP, seen: [] })
  })

  it('delivers rows that stay confirmed and listed', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveWatch({ head })
    server.table(path).insert(withFinality(1, 'confirmed'))
    const running = run(
      v3.transactions.watch({}, { pollMs: POLL_MS, from: START_UTIME, overlapSeconds: 5 }),
      clock,
    )
    await running.rest()
    head.utime = START_UTIME + 61
    await running.poll()
    expect(running.ids).toEqual([])
    head.utime++
    await running.poll()
    expect(running.ids).toEqual([1])
  })

  it('waits ten minutes of chain time for pending rows, reports them, and continues', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveWatch({ head })
    server.table(path).insert(withFinality(1, 'pending'), withFinality(2, 'finalized'))
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const options = { pollMs: POLL_MS, from: START_UTIME, onError }
    const current = v3.transactions.watch({}, options)
    const running = run(current, clock)
    await running.rest()
    head.utime = START_UTIME + 601
    await running.poll()
    expect(running.ids).toEqual([2])
    expect(stored(current).position?.['from']).toBe(START_UTIME + 1)
    head.utime++
    await running.poll()
    await running.poll()
    expect(errors).toEqual([expect.any(NotFinalError)])
    expect(errors[0]?.details).toMatchObject({ row: hashOf(1), waitedSeconds: 601 })
    expect(stored(current).position).toEqual({ from: head.utime - OVERLAP, seen: [] })
    expect(running.ids).toEqual([2])
  })

  it.each(['signed', 'final'])('treats a row of unknown finality, %s, as final', async (word) => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const clock = createFakeClock()
    const { server, v3 } = await serve({ head }, { clock })
    server.table(path).insert(withFinality(1, word))
    const running = run(v3.transactions.watch({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    expect(running.ids).toEqual([1])
  })

  it('remembers no more than the overlap and a page', async () => {
    const head = { seqno: 1, utime: START_UTIME + 1000 }
    const { v3, clock } = await serveWatch({ rows: { [path]: rowsUpTo(9000) }, head })
    const options = { pollMs: POLL_MS, from: START_UTIME, pageSize: 100, overlapSeconds: 20 }
    const current = v3.transactions.watch({}, options)
    let most = 0
    const running = run(current, clock, (id) => {
      if (id % 50 === 0) most = Math.max(most, JSON.stringify(stored(current)).length)
    })
    await running.rest()
    expect(running.ids).toHaveLength(9000)
    expect(most).toBeLessThan(JSON.stringify({ from: START_UTIME }).length + 130 * 70)
    head.utime += 10_000
    await running.poll()
    expect(stored(current).position).toEqual({ from: head.utime - 20, seen: [] })
  })

  it('makes two requests in a poll without new rows: for the head, and for rows', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveWatch({ rows: { [path]: rowsUpTo(60) }, head })
    const running = run(v3.transactions.watch({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    server.requests.length = 0
    await running.poll()
    expect(server.requests.map((asked) => asked.path)).toEqual(['/masterchainInfo', path])
  })

  it('makes one more request in a poll with new rows', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveWatch({ rows: { [path]: rowsUpTo(60) }, head })
    const running = run(v3.transactions.watch({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    server.requests.length = 0
    server.table(path).insert({ id: 100, lt: 50_000, utime: START_UTIME + 9, account: 1 })
    await running.poll()
    expect(running.ids.at(-1)).toBe(100)
    expect(server.requests.map((asked) => asked.path)).toEqual(['/masterchainInfo', path, path])
  })

  it('resumes in a second loop, and by pages', async () => {
    const head = { seqno: 1, utime: START_UTIME + 100 }
    const { v3 } = await serveWatch({ rows: { [path]: rowsUpTo(60) }, head })
    const current = v3.transactions.watch({}, { from: START_UTIME, pageSize: 20 })
    const hashes: string[] = []
    for await (const { hash } of current) if (hashes.push(hash) === 13) break
    for await (const page of current.pages()) {
      hashes.push(...page.map(({ hash }) => hash))
      if (hashes.length === 60) break
    }
    expect(new Set(hashes).size).toBe(60)
  })

  it('gives priority to calls that a caller waits for', async () => {
    const priorities: string[] = []
    const limiter = {
      acquire: async ({ priority }: { priority: string }) => void priorities.push(priority),
      pause: () => undefined,
    }
    const clock = createFakeClock()
    const head = { seqno: 1, utime: START_UTIME }
    const { v3 } = await serve({ head }, { clock, limiter, rps: undefined })
    await run(v3.transactions.watch({}, { pollMs: POLL_MS }), clock).rest()
    expect(priorities).toEqual(['low', 'low'])
    priorities.length = 0
    const urgent = v3.transactions.watch({}, { pollMs: POLL_MS + 1, priority: 'high' })
    void run(urgent, clock)
    await clock.waitForTimer(({ delayMs }) => delayMs === POLL_MS + 1)
    expect(priorities).toEqual(['high', 'high'])
  })
})

describe('messages.watch', () => {
  it('delivers messages with a time: external ones have none', async () => {
    const outside = { id: 70, lt: null, utime: null, account: 3 }
    const { v3, clock } = await serveWatch({
      rows: { '/messages': [...rowsUpTo(60), outside] },
      head: { seqno: 1, utime: START_UTIME + 100 },
    })
    const options = { pollMs: POLL_MS, from: START_UTIME }
    const running = run(v3.messages.watch({ destination: addressOf(3) }, options), clock)
    await running.rest()
    expect(running.ids).toEqual([3])
  })
})

describe('traces.watch', () => {
  const traces = '/traces'
  const head = { seqno: 1, utime: START_UTIME + 10 }
  const trace = (id: number, more: Partial<IndexRow>): IndexRow => ({
    id,
    lt: id,
    utime: START_UTIME + id,
    account: id,
    ...more,
  })

  it('delivers a trace when it is complete, at its new position', async () => {
    const { server, v3, clock } = await serveWatch({ head })
    server.table(traces).insert(trace(1, { state: 'pending' }), trace(2, {}))
    const running = run(v3.traces.watch({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    expect(running.ids).toEqual([2])
    head.utime += 1000
    await running.poll()
    server.table(traces).remove(1)
    server.table(traces).insert(trace(1, { utime: head.utime }))
    await running.poll()
    await running.poll()
    expect(running.ids).toEqual([2, 1])
  })

  it('waits for the actions of a trace, but not indefinitely', async () => {
    head.utime = START_UTIME + 10
    const { server, v3, clock } = await serveWatch({ head })
    const bare = { classification: 'unclassified' }
    server.table(traces).insert(trace(1, bare), trace(2, {}), trace(3, bare))
    const options = { pollMs: POLL_MS, from: START_UTIME, overlapSeconds: 30 }
    const running = run(v3.traces.watch({ include_actions: true }, options), clock)
    await running.rest()
    expect(running.ids).toEqual([2])
    server.table(traces).remove(3)
    server.table(traces).insert(trace(3, {}))
    await running.poll()
    expect(running.ids).toEqual([2, 3])
    head.utime += 60
    await running.poll()
    expect(running.ids).toEqual([2, 3, 1])
  })
})

describe('a subscription that cannot continue', () => {
  it('retries transient errors with backoff, and reports them', async () => {
    let fault: Fault | undefined = 'unavailable'
    const { v3, clock } = await serveWatch({
      rows: { [path]: rowsUpTo(9) },
      head: { seqno: 1, utime: START_UTIME + 10 },
      fault: () => fault,
    })
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const options = { pollMs: POLL_MS, from: START_UTIME, onError }
    const running = run(v3.transactions.watch({}, options), clock)
    for (const waitMs of [5000, 10_000, 20_000, 40_000]) {
      const isWait = ({ delayMs }: { delayMs: number }) => delayMs === waitMs
      await clock.waitForTimer(isWait)
      await clock.advance(waitMs)
    }
    await clock.waitForTimer(({ delayMs }) => delayMs === 60_000)
    expect(errors).toHaveLength(5)
    expect(errors.every(({ retryable }) => retryable)).toBe(true)
    fault = undefined
    await clock.advance(60_000)
    await running.rest()
    expect(running.ids).toHaveLength(9)
  })

  it('retries a response 500 without a reason', async () => {
    const { server, v3, clock } = await serveWatch({
      rows: { [path]: rowsUpTo(9) },
      head: { seqno: 1, utime: START_UTIME + 10 },
      fault: () => (server.requests.length === 2 ? 'failed' : undefined),
    })
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const options = { pollMs: POLL_MS, from: START_UTIME, onError }
    const running = run(v3.transactions.watch({}, options), clock)
    await running.rest()
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_TONPLUG_SERVER' })])
    expect(errors[0]?.retryable).toBe(false)
    await running.poll()
    expect(running.ids).toHaveLength(9)
  })

  it('ends with a permanent error, and resumes later', async () => {
    let isRefused = false
    const { server, v3, clock } = await serveWatch({
      rows: { [path]: rowsUpTo(29) },
      head: { seqno: 1, utime: START_UTIME + 10 },
      beforeResponse: () => {
        // The third page of the follow is the fourth request.
        isRefused = server.requests.length === 4
      },
      fault: () => (isRefused ? 'refused' : undefined),
    })
    const current = v3.transactions.watch({}, { pollMs: POLL_MS, from: START_UTIME, pageSize: 10 })
    const running = run(current, clock)
    await expect(running.ended).rejects.toMatchObject({ code: 'ERR_TONPLUG_AUTHENTICATION' })
    expect(running.ids.length).toBeLessThan(29)
    const again = run(current, clock)
    await again.rest()
    expect(sorted([...running.ids, ...again.ids])).toEqual(idsUpTo(29))
  })

  it('ends with the error that onError throws', async () => {
    const { v3, clock } = await serveWatch({ fault: () => 'unavailable' })
    const onError = (error: TonplugError) => {
      throw new Error('enough', { cause: error })
    }
    const current = v3.transactions.watch({}, { pollMs: POLL_MS, onError })
    await expect(run(current, clock).ended).rejects.toThrow('enough')
  })

  it.each([
    ['the rest', ({ delayMs }: { delayMs: number }) => delayMs === POLL_MS],
    // The time limit of a request that is not answered.
    ['a request', ({ delayMs }: { delayMs: number }) => delayMs === 10_000],
  ])('ends with the signal during %s', async (when, isThen) => {
    const { v3, clock } = await serveWatch({
      head: { seqno: 1, utime: START_UTIME },
      beforeResponse: async () => {
        if (when === 'a request') await new Promise(() => undefined)
      },
    })
    const controller = new AbortController()
    const { signal } = controller
    const running = run(v3.transactions.watch({}, { pollMs: POLL_MS, signal }), clock)
    await clock.waitForTimer(isThen)
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(running.ended).rejects.toBe(reason)
  })
})

describe('one poll of a watch', () => {
  const from = START_UTIME
  const idsOf = async (pages: AsyncIterable<object[]>): Promise<number[]> => {
    const ids: number[] = []
    for await (const page of pages) ids.push(...page.map(idOf))
    return sorted(ids)
  }

  it('delivers what is new up to the newest block, and ends', async () => {
    const head = { seqno: 1, utime: START_UTIME + 5 }
    const { server, v3 } = await serveWatch({ rows: { [path]: rowsUpTo(59) }, head })
    const current = v3.transactions.watch({}, { from })
    expect(await idsOf(current.poll())).toEqual(idsUpTo(59))
    expect(await idsOf(current.poll())).toEqual([])
    head.utime++
    server.table(path).insert({ id: 60, lt: 1, utime: START_UTIME + 6, account: 1 })
    // Another process continues.
    const cursor = stored(current)
    expect(await idsOf(v3.transactions.watch({}, { cursor }).poll())).toEqual([60])
  })

  it('reads up to a head that several watches share, without a request for it', async () => {
    const head = { seqno: 1, utime: START_UTIME + 9 }
    const { server, v3 } = await serveWatch({ rows: { [path]: rowsUpTo(60) }, head })
    const current = v3.transactions.watch({}, { from })
    expect(await idsOf(current.poll({ head: START_UTIME + 3 }))).toEqual(idsUpTo(39))
    expect(server.requests.map((asked) => asked.path)).not.toContain('/masterchainInfo')
  })

  it('throws the error of a request, and the reason of its signal', async () => {
    const { v3 } = await serveWatch({ fault: () => 'unavailable' })
    await expect(idsOf(v3.transactions.watch().poll())).rejects.toThrow('503')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(idsOf(v3.transactions.watch().poll({ signal }))).rejects.toThrow('enough')
  })
})

describe('an invalid argument', () => {
  const cursor = { endpoint: 'transactions', position: { segment: 0 }, isDone: false }

  it.each([
    ['an order', { sort: 'asc' }, {}, 'sort is not a parameter of a watch'],
    ['a bound', { start_lt: 5n }, {}, 'start_lt is not a parameter of a watch'],
    ['one transaction', { hash: 'x' }, {}, 'hash is not a parameter of a watch'],
    ['no wait', {}, { pollMs: 0 }, 'pollMs: must be'],
    ['half a second', {}, { overlapSeconds: 0.5 }, 'overlapSeconds: must be'],
    ['a page of one', {}, { pageSize: 1 }, 'pageSize: must be'],
    ['a string as time', {}, { from: 'now' }, 'from: must be'],
    ['the cursor of a walk', {}, { cursor }, 'cursor.position'],
    ['another cursor', {}, { cursor: { ...cursor, endpoint: 'blocks' } }, 'belongs to blocks'],
    ['a string as cursor', {}, { cursor: 'eyJ' }, 'cursor must be'],
  ])('is rejected before anything is sent: %s', async (_, params, options, message) => {
    const { server, v3 } = await serve({})
    // What JavaScript callers may hand over, whatever the types say.
    const start = () => v3.transactions.watch(params as never, options as never)
    expect(start).toThrow(message.includes(':') ? ConfigurationError : InvalidParamsError)
    expect(start).toThrow(message)
    expect(server.requests).toHaveLength(0)
  })
})
