import { createManualClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { AuthenticationError, ServerError } from '../../src/errors/api.js'
import { NotFinalError } from '../../src/errors/follow.js'
import { InvalidParamsError } from '../../src/errors/params.js'
import type { TonplugError } from '../../src/errors/tonplug-error.js'
import type { TimedListName } from '../../src/v3/paging/lists.js'
import { follow, OVERLAP, POLL_MS, randomOf, run, serveFollow } from './follows.js'
import { addressOf, hashOf, type IndexRow } from './index-rows.js'
import type { Fault } from './index-server.js'
import { idsUpTo, rowsUpTo, serve, sorted, START_UTIME, stored, TIMED } from './walks.js'

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

describe.each(NAMES)('%s.follow', (name, list) => {
  it('delivers every row once, however late and out of order it is shown, over faults and crashes', async () => {
    const random = randomOf(list.length)
    const faults: (Fault | undefined)[] = ['drop', 'timeout', 'unavailable', 'limited', 'cut']
    const head = { seqno: 1, utime: START_UTIME }
    let isFaulty = false
    const { server, v3, clock } = await serveFollow({
      head,
      fault: () => (isFaulty && random() < 0.2 ? faults[Math.floor(random() * 5)] : undefined),
    })
    let hidden: LateRow[] = []
    let newest = 0
    let process = new AbortController()
    const options = { overlapSeconds: OVERLAP, from: START_UTIME, pageSize: 7 }
    let current = follow(v3, name, {}, { ...options, signal: process.signal })
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
      // The process dies, and another one goes on.
      const cursor = stored(current)
      delivered.push(...running.ids)
      process.abort()
      process = new AbortController()
      current = follow(v3, name, {}, { ...options, cursor, signal: process.signal })
      running = run(current, clock)
    }
    await running.poll()
    delivered.push(...running.ids)
    expect(delivered).toHaveLength(newest)
    expect(sorted(delivered)).toEqual(idsUpTo(newest))
    expect(newest).toBeGreaterThan(300)
    // Of blocks those of the newest second are kept: an answer without any may have broken off.
    const seen = current.cursor().position?.['seen']
    expect(Array.isArray(seen) ? seen.length : -1).toBeLessThanOrEqual(name === 'blocks' ? 6 : 0)
  })
})

describe('transactions.follow', () => {
  it('begins with the newest masterchain block, and delivers nothing older', async () => {
    const head = { seqno: 1, utime: START_UTIME + 3 }
    const { v3, clock } = await serveFollow({ rows: { [path]: rowsUpTo(60) }, head })
    const running = run(v3.transactions.follow({}, { pollMs: POLL_MS }), clock)
    await running.rest()
    // Ten a second: those of the head's second, and none of the seconds after it.
    expect(sorted(running.ids)).toEqual(idsUpTo(39).slice(29))
    head.utime = START_UTIME + 4
    await running.poll()
    expect(sorted(running.ids)).toEqual(idsUpTo(49).slice(29))
  })

  it('begins where it is told to', async () => {
    const head = { seqno: 1, utime: START_UTIME + 100 }
    const { v3, clock } = await serveFollow({ rows: { [path]: rowsUpTo(60) }, head })
    const from = new Date((START_UTIME + 2) * 1000)
    const running = run(v3.transactions.follow({}, { pollMs: POLL_MS, from, pageSize: 4 }), clock)
    await running.rest()
    expect(running.ids).toEqual(sorted(running.ids))
    expect(sorted(running.ids)).toEqual(idsUpTo(60).slice(19))
  })

  it('waits for a server that is behind', async () => {
    const head = { seqno: 9, utime: START_UTIME + 5 }
    const { v3, clock, server } = await serveFollow({ rows: { [path]: rowsUpTo(59) }, head })
    const options = { pollMs: POLL_MS, from: START_UTIME, overlapSeconds: 0 }
    const running = run(v3.transactions.follow({}, options), clock)
    await running.rest()
    expect(running.ids).toHaveLength(59)
    head.utime = START_UTIME + 4
    server.asked.length = 0
    await running.poll()
    expect(server.asked.map((asked) => asked.path)).toEqual(['/masterchainInfo'])
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
    const { server, v3, clock } = await serveFollow({ head })
    const table = server.table(path)
    table.insert(withFinality(1, 'finalized'), withFinality(2, finality), withFinality(3, finality))
    const current = v3.transactions.follow({}, { pollMs: POLL_MS, from: START_UTIME })
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

  it('delivers what stays confirmed: it has been listed all the while', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveFollow({ head })
    server.table(path).insert(withFinality(1, 'confirmed'))
    const running = run(
      v3.transactions.follow({}, { pollMs: POLL_MS, from: START_UTIME, overlapSeconds: 5 }),
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

  it('waits ten minutes of the chain for what stays pending, tells it, and goes on', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveFollow({ head })
    server.table(path).insert(withFinality(1, 'pending'), withFinality(2, 'finalized'))
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const options = { pollMs: POLL_MS, from: START_UTIME, onError }
    const current = v3.transactions.follow({}, options)
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

  it.each(['signed', 'final'])('takes a row of unknown finality, %s, for settled', async (word) => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const drifts: string[] = []
    const drift = ({ path: at }: { path: string }) => void drifts.push(at)
    const clock = createManualClock()
    const { server, v3 } = await serve({ head }, { clock, hooks: { drift } })
    server.table(path).insert(withFinality(1, word))
    const running = run(v3.transactions.follow({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    expect(running.ids).toEqual([1])
    expect(drifts).toEqual([expect.stringContaining('finality')])
  })

  it('remembers no more than the overlap and a page', async () => {
    const head = { seqno: 1, utime: START_UTIME + 1000 }
    const { v3, clock } = await serveFollow({ rows: { [path]: rowsUpTo(9000) }, head })
    const options = { pollMs: POLL_MS, from: START_UTIME, pageSize: 100, overlapSeconds: 20 }
    const current = v3.transactions.follow({}, options)
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

  it('asks twice in a poll without news: for the head, and for what is new', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveFollow({ rows: { [path]: rowsUpTo(60) }, head })
    const running = run(v3.transactions.follow({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    server.asked.length = 0
    await running.poll()
    expect(server.asked.map((asked) => asked.path)).toEqual(['/masterchainInfo', path])
  })

  it('asks once more in a poll with news', async () => {
    const head = { seqno: 1, utime: START_UTIME + 10 }
    const { server, v3, clock } = await serveFollow({ rows: { [path]: rowsUpTo(60) }, head })
    const running = run(v3.transactions.follow({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
    await running.rest()
    server.asked.length = 0
    server.table(path).insert({ id: 100, lt: 50_000, utime: START_UTIME + 9, account: 1 })
    await running.poll()
    expect(running.ids.at(-1)).toBe(100)
    expect(server.asked.map((asked) => asked.path)).toEqual(['/masterchainInfo', path, path])
  })

  it('goes on in a second loop, and by pages', async () => {
    const head = { seqno: 1, utime: START_UTIME + 100 }
    const { v3 } = await serveFollow({ rows: { [path]: rowsUpTo(60) }, head })
    const current = v3.transactions.follow({}, { from: START_UTIME, pageSize: 20 })
    const hashes: string[] = []
    for await (const { hash } of current) if (hashes.push(hash) === 13) break
    for await (const page of current.pages()) {
      hashes.push(...page.map(({ hash }) => hash))
      if (hashes.length === 60) break
    }
    expect(new Set(hashes).size).toBe(60)
  })

  it('lets whoever waits for an answer go first', async () => {
    const priorities: string[] = []
    const limiter = {
      acquire: async ({ priority }: { priority: string }) => void priorities.push(priority),
      pause: () => undefined,
    }
    const clock = createManualClock()
    const head = { seqno: 1, utime: START_UTIME }
    const { v3 } = await serve({ head }, { clock, limiter, rps: undefined })
    await run(v3.transactions.follow({}, { pollMs: POLL_MS }), clock).rest()
    expect(priorities).toEqual(['low', 'low'])
    priorities.length = 0
    const urgent = v3.transactions.follow({}, { pollMs: POLL_MS + 1, priority: 'high' })
    void run(urgent, clock)
    await clock.waitForTimer(({ delayMs }) => delayMs === POLL_MS + 1)
    expect(priorities).toEqual(['high', 'high'])
  })
})

describe('messages.follow', () => {
  it('follows messages with a time: those from outside have none', async () => {
    const outside = { id: 70, lt: null, utime: null, account: 3 }
    const { v3, clock } = await serveFollow({
      rows: { '/messages': [...rowsUpTo(60), outside] },
      head: { seqno: 1, utime: START_UTIME + 100 },
    })
    const options = { pollMs: POLL_MS, from: START_UTIME }
    const running = run(v3.messages.follow({ destination: addressOf(3) }, options), clock)
    await running.rest()
    expect(running.ids).toEqual([3])
  })
})

describe('traces.follow', () => {
  const traces = '/traces'
  const head = { seqno: 1, utime: START_UTIME + 10 }
  const trace = (id: number, more: Partial<IndexRow>): IndexRow => ({
    id,
    lt: id,
    utime: START_UTIME + id,
    account: id,
    ...more,
  })

  it('delivers a trace when it is complete, at its new place', async () => {
    const { server, v3, clock } = await serveFollow({ head })
    server.table(traces).insert(trace(1, { state: 'pending' }), trace(2, {}))
    const running = run(v3.traces.follow({}, { pollMs: POLL_MS, from: START_UTIME }), clock)
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

  it('waits for the actions of a trace, but not for ever', async () => {
    head.utime = START_UTIME + 10
    const { server, v3, clock } = await serveFollow({ head })
    const bare = { classification: 'unclassified' }
    server.table(traces).insert(trace(1, bare), trace(2, {}), trace(3, bare))
    const options = { pollMs: POLL_MS, from: START_UTIME, overlapSeconds: 30 }
    const running = run(v3.traces.follow({ include_actions: true }, options), clock)
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

describe('a follow that cannot go on', () => {
  it('waits out what may pass, longer each time, and tells it', async () => {
    let fault: Fault | undefined = 'unavailable'
    const { v3, clock } = await serveFollow({
      rows: { [path]: rowsUpTo(9) },
      head: { seqno: 1, utime: START_UTIME + 10 },
      fault: () => fault,
    })
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const options = { pollMs: POLL_MS, from: START_UTIME, onError }
    const running = run(v3.transactions.follow({}, options), clock)
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

  it('waits out an answer 500 that gives no reason to come back', async () => {
    const { server, v3, clock } = await serveFollow({
      rows: { [path]: rowsUpTo(9) },
      head: { seqno: 1, utime: START_UTIME + 10 },
      fault: () => (server.asked.length === 2 ? 'failed' : undefined),
    })
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const options = { pollMs: POLL_MS, from: START_UTIME, onError }
    const running = run(v3.transactions.follow({}, options), clock)
    await running.rest()
    expect(errors).toEqual([expect.any(ServerError)])
    expect(errors[0]?.retryable).toBe(false)
    await running.poll()
    expect(running.ids).toHaveLength(9)
  })

  it('ends with an error that does not pass, and goes on later', async () => {
    let isRefused = false
    const { server, v3, clock } = await serveFollow({
      rows: { [path]: rowsUpTo(29) },
      head: { seqno: 1, utime: START_UTIME + 10 },
      beforeAnswer: () => {
        // The third page of the follow is the fourth request.
        isRefused = server.asked.length === 4
      },
      fault: () => (isRefused ? 'refused' : undefined),
    })
    const current = v3.transactions.follow({}, { pollMs: POLL_MS, from: START_UTIME, pageSize: 10 })
    const running = run(current, clock)
    await expect(running.ended).rejects.toThrow(AuthenticationError)
    expect(running.ids.length).toBeLessThan(29)
    const again = run(current, clock)
    await again.rest()
    expect(sorted([...running.ids, ...again.ids])).toEqual(idsUpTo(29))
  })

  it('ends with what onError throws', async () => {
    const { v3, clock } = await serveFollow({ fault: () => 'unavailable' })
    const onError = (error: TonplugError) => {
      throw new Error('enough', { cause: error })
    }
    const current = v3.transactions.follow({}, { pollMs: POLL_MS, onError })
    await expect(run(current, clock).ended).rejects.toThrow('enough')
  })

  it.each([
    ['the rest', ({ delayMs }: { delayMs: number }) => delayMs === POLL_MS],
    // The time limit of a request that is not answered.
    ['a request', ({ delayMs }: { delayMs: number }) => delayMs === 10_000],
  ])('ends with the signal during %s', async (when, isThen) => {
    const { v3, clock } = await serveFollow({
      head: { seqno: 1, utime: START_UTIME },
      beforeAnswer: async () => {
        if (when === 'a request') await new Promise(() => undefined)
      },
    })
    const controller = new AbortController()
    const { signal } = controller
    const running = run(v3.transactions.follow({}, { pollMs: POLL_MS, signal }), clock)
    await clock.waitForTimer(isThen)
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(running.ended).rejects.toBe(reason)
  })
})

describe('what cannot work', () => {
  const cursor = { endpoint: 'transactions', position: { leg: 0 }, isDone: false }

  it.each([
    ['an order', { sort: 'asc' }, {}, 'sort is not a parameter of a follow'],
    ['a bound', { start_lt: 5n }, {}, 'start_lt is not a parameter of a follow'],
    ['one transaction', { hash: 'x' }, {}, 'hash is not a parameter of a follow'],
    ['no wait', {}, { pollMs: 0 }, 'pollMs must be'],
    ['half a second', {}, { overlapSeconds: 0.5 }, 'overlapSeconds must be'],
    ['a page of one', {}, { pageSize: 1 }, 'pageSize must be'],
    ['a text as time', {}, { from: 'now' }, 'from must be'],
    ['the cursor of a walk', {}, { cursor }, 'cursor.position'],
    ['another cursor', {}, { cursor: { ...cursor, endpoint: 'blocks' } }, 'belongs to blocks'],
    ['a text as cursor', {}, { cursor: 'eyJ' }, 'cursor must be'],
  ])('is refused before anything is sent: %s', async (_, params, options, message) => {
    const { server, v3 } = await serve({})
    // What JavaScript callers may hand over, whatever the types say.
    const start = () => v3.transactions.follow(params as never, options as never)
    expect(start).toThrow(InvalidParamsError)
    expect(start).toThrow(message)
    expect(server.asked).toHaveLength(0)
  })
})
