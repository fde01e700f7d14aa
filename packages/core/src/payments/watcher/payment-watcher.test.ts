import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPayments } from '../engine/payments.js'
import { memoryOrderRepository } from '../orders/memory-order-repository.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import type { PaymentWatcherOptions, WatchReader } from './options.js'
import { createPaymentWatcher } from './payment-watcher.js'

const WALLET = `0:${'1'.repeat(64)}`
const JETTON = `0:${'9'.repeat(64)}`
const HEAD = 1_767_614_400

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const base64 = (number: number): string => Buffer.from(hex(number), 'hex').toString('base64')

/** Opens a watcher of an index without transactions. */
function openWatcher(given: Partial<PaymentWatcherOptions> = {}, orders: Order[] = []) {
  const clock = createFakeClock({ startMs: HEAD * 1000 })
  const logger = createTestLogger()
  const repository: OrderRepository = { ...memoryOrderRepository(orders) }
  const lookedUp: string[][] = []
  const asked: string[] = []
  const state: { failure?: Error | undefined } = {}
  const list = {
    watch: () => ({
      async *poll() {
        asked.push('poll')
        yield* []
      },
    }),
    paginate: () => ({
      async *pages() {
        asked.push('page')
        yield* []
      },
    }),
  }
  const v3 = {
    masterchainInfo: async () => {
      asked.push('head')
      return { last: { gen_utime: Math.floor(clock.nowMs() / 1000) } }
    },
    transactions: list,
    jettonTransfers: list,
    messages: async () => ({ messages: [] }),
    runGetMethod: async () => ({ stack: [] }),
    traces: async ({ tx_hash }: { tx_hash: string[] }) => {
      lookedUp.push(tx_hash)
      if (state.failure !== undefined) throw state.failure
      return { traces: [] }
    },
  } as unknown as WatchReader
  const payments = createPayments({ orders: repository, wallets: [WALLET], clock, logger })
  const { internals } = payments
  type Source = Parameters<typeof internals.addWatcher>[0]
  const sources: Source[] = []
  const addWatcher = (source: Source) => {
    sources.push(source)
    return internals.addWatcher(source)
  }
  const watcher = createPaymentWatcher({
    payments: { ...payments, internals: { ...internals, addWatcher, orders: repository } },
    v3,
    ...given,
  })
  onTestFinished(async () => {
    await watcher.close()
    const closed = payments.close()
    await clock.advance(20_000)
    await closed
  })
  const [source] = sources as [Source]
  return { watcher, clock, logger, repository, source, lookedUp, asked, state }
}

const orderOf = (changes: Partial<Order> = {}): Order => ({
  reference: 'order-1',
  rawAmount: 1n,
  asset: 'TON',
  status: 'pending',
  ...changes,
})

describe('a watcher', () => {
  it.each<[Partial<PaymentWatcherOptions>, string[]]>([
    [{}, ['orders.findByBodyHashes', 'orders.findByReferences']],
    [{ matchBy: ['body'] }, ['orders.findByBodyHashes']],
    [{ matchBy: ['comment'] }, ['orders.findByReferences']],
    [{ matchBy: ['amount'] }, []],
    [{ commentOf: () => 'x' }, ['orders.findByBodyHashes']],
  ])('logs with %j that these methods are missing: %j', async (options, missing) => {
    for (const isComplete of [true, false]) {
      const { watcher, logger, repository } = openWatcher(options)
      if (!isComplete) {
        delete repository.findByBodyHashes
        delete repository.findByReferences
      }
      watcher.start()
      const names = logger.lines.map(({ message }) => message.split(' ')[0] ?? '')
      const methods = names.filter((name) => name.startsWith('orders.'))
      expect(methods).toEqual(isComplete ? [] : missing)
    }
  })

  it('has the age of the oldest open order, and counters that it does not change', async () => {
    const { watcher, clock } = openWatcher({}, [orderOf({ createdAt: new Date(HEAD * 1000 - 5) })])
    const before = watcher.stats()
    expect(before).toEqual({ lastRun: undefined, decisions: {}, oldestOpenAgeMs: undefined })
    await watcher.run()
    await clock.advance(10)
    expect(watcher.stats()).toMatchObject({
      lastRun: { isComplete: true, openOrders: 1, durationMs: 0 },
      oldestOpenAgeMs: 15,
    })
  })

  it('makes no request for a run that is aborted, or after its close', async () => {
    const { watcher, asked } = openWatcher()
    const signal = AbortSignal.abort(new Error('no time'))
    await expect(watcher.run({ signal })).rejects.toThrow('no time')
    await watcher.close()
    await expect(watcher.run()).rejects.toThrow('aborted')
    await watcher.checkNow()
    await watcher.checkNow({ transactionHash: hex(1) })
    watcher.start()
    expect(asked).toEqual([])
    expect(await watcher.health()).toMatchObject({ status: 'down' })
  })

  it('reads its lists again once in maxIntervalMs, and follows them in between', async () => {
    const { watcher, clock, asked } = openWatcher({ minIntervalMs: 1000, maxIntervalMs: 10_000 })
    watcher.start()
    await clock.advance(0)
    const thorough = ['head', 'page', 'page']
    const short = ['head', 'poll', 'poll']
    expect(asked.splice(0)).toEqual(thorough)
    await clock.advance(9999)
    expect(asked.splice(0)).toEqual([])
    for (let check = 0; check < 2; check++) {
      void watcher.checkNow()
      await clock.advance(0)
      expect(asked.splice(0)).toEqual(short)
    }
    await clock.advance(1)
    void watcher.checkNow()
    await clock.advance(0)
    expect(asked.splice(0, 3)).toEqual(thorough)
  })
})

describe('a transaction that a webhook names', () => {
  it('is looked up once', async () => {
    const { source, clock, lookedUp } = openWatcher()
    source.lookUp(hex(1), undefined)
    await clock.advance(3_600_000)
    expect(lookedUp).toEqual([[base64(1)]])
  })

  it('is looked up for hours with a jetton that no order asks for', async () => {
    const { source, clock, lookedUp } = openWatcher()
    source.lookUp(hex(1), JETTON)
    const seconds = [3, 7, 20, 60, 180, 600, 3600]
    for (const [number, delay] of seconds.entries()) {
      await clock.advance(delay * 1000 - 1)
      expect(lookedUp).toHaveLength(number + 1)
      await clock.advance(1)
      expect(lookedUp).toHaveLength(number + 2)
    }
    await clock.advance(86_400_000)
    expect(lookedUp).toHaveLength(seconds.length + 1)
  })
})

describe('a hint', () => {
  it('is followed by a run soon after it could not be looked up, one for several', async () => {
    const { watcher, clock, asked, state } = openWatcher()
    state.failure = new Error('no connection')
    for (let turn = 0; turn < 2; turn++) {
      await watcher.checkNow({ transactionHash: hex(1) })
      await clock.advance(1000)
      await watcher.checkNow({ transactionHash: hex(2) })
      await clock.advance(499)
      expect(asked.splice(0)).toEqual([])
      await clock.advance(1)
      expect(asked.splice(0)).toContain('head')
      await clock.advance(1500)
      expect(asked).toEqual([])
    }
  })

  it('is looked up by the hash of a transaction, and by that of a message', async () => {
    const { watcher, clock, lookedUp } = openWatcher()
    await watcher.checkNow({ transactionHash: base64(2) })
    expect(lookedUp).toEqual([[base64(2)]])
    await watcher.checkNow({ messageHash: hex(3) })
    await clock.advance(60_000)
    expect(lookedUp).toHaveLength(1)
  })
})
