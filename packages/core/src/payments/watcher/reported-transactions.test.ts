import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { HINTED, ReportedTransactions, type WatcherContext } from './reported-transactions.js'

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const base64 = (number: number): string => Buffer.from(hex(number), 'hex').toString('base64')
const transaction = (number: number) => ({ transactionHash: hex(number) })
const message = (number: number) => ({ messageHash: hex(number) })

type Pace = typeof HINTED

/** Opens look-ups in an index that has the transactions of `has`, and messages that others received. */
function openReported(changes: Partial<Pace> = {}) {
  const clock = createFakeClock()
  const logger = createTestLogger()
  const closing = new AbortController()
  const state = {
    has: [] as number[],
    messages: [] as object[],
    failure: undefined as Error | undefined,
    hold: undefined as Promise<void> | undefined,
  }
  const lookedUp: string[][] = []
  const asked: object[] = []
  let runs = 0
  const context = {
    clock,
    logger,
    closing: closing.signal,
    lookSoon: () => runs++,
    async lookUp(hashes: string[]) {
      lookedUp.push(hashes)
      await state.hold
      if (state.failure !== undefined) throw state.failure
      return hashes.filter((hash) => !state.has.map(base64).includes(hash))
    },
    v3: {
      async messages(filter: object) {
        asked.push(filter)
        return { messages: state.messages }
      },
      async transactions(filter: object) {
        asked.push(filter)
        return { transactions: [{ hash: base64(5) }] }
      },
    },
  } as unknown as WatcherContext
  const reported = new ReportedTransactions(context, { ...HINTED, ...changes })
  /** Reports a transaction, and returns when its first look-up has ended. */
  const once = async (one: Parameters<typeof reported.once>[0]): Promise<void> => {
    const looked = reported.once(one)
    await clock.advance(0)
    await looked
  }
  return { reported, once, clock, logger, closing, state, lookedUp, asked, runs: () => runs }
}

describe('reported transactions', () => {
  it('are looked up again while the index does not have them, at most so often', async () => {
    const { reported, clock, lookedUp, state } = openReported()
    reported.add(transaction(1))
    for (const seconds of [0, 2.999, 0.001, 6.999, 0.001, 100]) await clock.advance(seconds * 1000)
    expect(lookedUp).toEqual([[base64(1)], [base64(1)], [base64(1)]])
    expect(clock.pendingTimers()).toEqual([])
    reported.add(transaction(2))
    await clock.advance(0)
    state.has = [2]
    await clock.advance(100_000)
    expect(lookedUp.slice(3)).toEqual([[base64(2)], [base64(2)]])
  })

  it('are retried at the earliest time of all that wait', async () => {
    const { reported, clock, lookedUp } = openReported()
    reported.add(transaction(1), [50_000])
    await clock.advance(0)
    reported.add(transaction(2), [20_000])
    await clock.advance(19_999)
    expect(lookedUp).toHaveLength(2)
    await clock.advance(1)
    expect(lookedUp.slice(2)).toEqual([[base64(2)]])
    await clock.advance(30_000)
    expect(lookedUp.slice(3)).toEqual([[base64(1)]])
  })

  it('are looked up once by a hint of a transaction, and again by that of a message', async () => {
    const { once, clock, lookedUp, asked } = openReported()
    await once(transaction(1))
    await clock.advance(60_000)
    expect(lookedUp).toHaveLength(1)
    await once(message(2))
    await clock.advance(60_000)
    expect(asked).toHaveLength(3)
    expect(asked[0]).toEqual({ msg_hash: [base64(2)], direction: 'in', limit: 100 })
  })

  it('are looked up by the transaction that received a message, by its hash or its normalized hash', async () => {
    const { once, lookedUp, state } = openReported()
    state.has = [8, 9]
    state.messages = [
      { hash: base64(1), hash_norm: base64(2), in_msg_tx_hash: base64(8) },
      { hash: base64(3), in_msg_tx_hash: base64(9) },
      { hash: base64(4), in_msg_tx_hash: '' },
    ]
    await Promise.all([1, 2, 3, 4].map((number) => once(message(number))))
    expect(new Set(lookedUp.flat())).toEqual(new Set([base64(8), base64(9)]))
  })

  it('are looked up by an account and a time', async () => {
    const { reported, clock, lookedUp, asked, state } = openReported()
    state.has = [5]
    reported.add({ account: '0:1', lt: 7n })
    await clock.advance(0)
    expect(asked).toEqual([{ account: ['0:1'], start_lt: 7n, end_lt: 7n, limit: 1 }])
    expect(lookedUp).toEqual([[base64(5)]])
  })

  it('cost nothing when the hash is invalid, or a message was reported in the last minute', async () => {
    const { once, clock, asked, lookedUp, runs } = openReported({ retryMs: [] })
    await once({ transactionHash: 'none' })
    await once({ messageHash: 'none' })
    expect([lookedUp, runs()]).toEqual([[], 0])
    await once(message(1))
    await clock.advance(59_999)
    await once(message(1))
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    await once(message(1))
    expect(asked).toHaveLength(2)
  })

  it('share look-ups of fifty, the new ones before those that are retried', async () => {
    const { reported, clock, lookedUp, state } = openReported()
    let release = (): void => undefined
    state.hold = new Promise((resolve) => (release = resolve))
    reported.add(transaction(0))
    for (let number = 1; number <= 51; number++) reported.add(transaction(number), [])
    reported.add(transaction(52))
    release()
    await clock.advance(0)
    expect(lookedUp.map(({ length }) => length)).toEqual([1, 50, 2])
    expect(lookedUp[1]?.[0]).toBe(base64(52))
  })

  it('wait after 25 look-ups until ten seconds have passed since the first one', async () => {
    const { once, reported, clock, lookedUp } = openReported()
    for (let number = 0; number < 25; number++) {
      await once(transaction(number))
      await clock.advance(100)
    }
    reported.add(transaction(90), [])
    await clock.advance(7499)
    expect(lookedUp).toHaveLength(25)
    await clock.advance(1)
    expect(lookedUp).toHaveLength(26)
    reported.add(transaction(91), [])
    await clock.advance(99)
    expect(lookedUp).toHaveLength(26)
    await clock.advance(1)
    expect(lookedUp).toHaveLength(27)
  })

  it('are left to a run when a thousand wait', async () => {
    const { reported, clock, lookedUp, runs, state } = openReported()
    state.hold = new Promise(() => undefined)
    reported.add(transaction(5000))
    for (let number = 0; number < 1000; number++) reported.add(transaction(number))
    expect(runs()).toBe(0)
    let isEnded = false
    void reported.once(transaction(1000)).then(() => (isEnded = true))
    await clock.advance(0)
    expect([runs(), isEnded]).toEqual([1, true])
    expect(lookedUp).toHaveLength(1)
  })

  it('are left to a run when a look-up fails, and a message can be reported again', async () => {
    const { once, asked, logger, runs, state } = openReported()
    state.failure = new Error('no connection')
    await once(message(1))
    expect(runs()).toBe(1)
    expect(logger.lines).toMatchObject([{ message: 'reported transactions not looked up' }])
    await once(message(1))
    expect(asked).toHaveLength(2)
  })

  it('are dropped when the watcher is closed, and nothing is logged', async () => {
    const { reported, once, clock, closing, logger, lookedUp, state } = openReported()
    reported.add(transaction(1))
    await clock.advance(0)
    state.failure = new Error('aborted')
    let release = (): void => undefined
    state.hold = new Promise((resolve) => (release = resolve))
    const looked = reported.once(transaction(2))
    closing.abort()
    release()
    await clock.advance(0)
    await looked
    expect(logger.lines).toEqual([])
    await once(transaction(3))
    await clock.advance(60_000)
    expect(lookedUp).toHaveLength(2)
  })

  it('keep the longer list of retries, and the earlier time, of two reports of one transaction', async () => {
    const { reported, clock, lookedUp } = openReported()
    reported.add(transaction(1), [5000, 5000])
    await clock.advance(0)
    reported.add(transaction(1), [])
    await clock.advance(0)
    expect(lookedUp).toHaveLength(2)
    await clock.advance(5000)
    expect(lookedUp).toHaveLength(3)
    await clock.advance(60_000)
    expect(lookedUp).toHaveLength(3)
  })
})
