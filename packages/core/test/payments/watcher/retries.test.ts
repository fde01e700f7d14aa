import { createPaymentWatcher, type Order, type CursorStore } from '@tonplug/core'
import { type Fetch } from '@tonplug/core/toncenter'
import { createTestLogger } from '@tonplug/testing'
import { readHash } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { RetryQueue } from '../../../src/toncenter/follow/retry-queue.js'
import {
  gatewayBody,
  openPaidChain,
  orderOf,
  type PaidChain,
  type PaidChainOptions,
} from './paid-chain.js'

const HOUR_SECONDS = 3600

/** A cursor whose stored progress can be read. */
function readableCursor() {
  let text: string | undefined
  const cursor: CursorStore = {
    load: async () => text,
    save: async (given) => void (text = given),
    acquire: async () => true,
    release: async () => undefined,
  }
  const progress = (): { scannedTo: number; retry: [string, number, number, number][] } =>
    JSON.parse(text ?? '{}')
  return { cursor, progress }
}

/** Opens a shop with three paid orders and a cursor. Returns also the transaction that paid the second one. */
async function openThreePaid(options: PaidChainOptions = {}, merchant = '') {
  const { cursor, progress } = readableCursor()
  const orders = [1, 2, 3].map((number) =>
    orderOf(`order-${number}`, gatewayBody(number), { merchant }),
  )
  const watcher = { cursor, ...options.watcher }
  const shop = await openPaidChain(orders, { ...options, watcher })
  const hashes: string[] = []
  for (const number of [1, 2, 3]) {
    await shop.wait(10)
    await shop.pay(number, { body: gatewayBody(number) })
    hashes.push(shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? '')
  }
  // The newest block of the index.
  const head = shop.chain.now
  await shop.wait(120)
  const [, second = ''] = hashes
  return { shop, progress, cursor, second, head }
}

/** Makes the index fail for each request of traces that contains a transaction. */
function failFor({ v3Server }: PaidChain, ...hashes: string[]): void {
  v3Server.fault = ({ path, query }) =>
    path === '/traces' && query.getAll('tx_hash').some((one) => hashes.includes(hexOf(one)))
      ? { status: 422, body: '{"error":"trace is broken"}' }
      : undefined
}

function hexOf(hash: string): string {
  return Buffer.from(readHash(hash), 'base64').toString('hex')
}

/** Returns the transactions of each request of traces. */
function traceRequests({ v3Server }: PaidChain): string[][] {
  return v3Server.requests
    .filter(({ path }) => path === '/traces')
    .map(({ query }) => query.getAll('tx_hash').map(hexOf))
}

function statuses({ orders }: PaidChain): string[] {
  return orders.all().map(({ status }) => status)
}

describe('a transaction whose trace the index cannot return', () => {
  it('S86 is retried alone, and neither stops the others nor holds the cursor', async () => {
    const { shop, progress, second, head } = await openThreePaid()
    failFor(shop, second)
    expect(await shop.look()).toMatchObject({
      isComplete: true,
      decisions: { paid: 2 },
      unsettled: 1,
    })
    expect(statuses(shop)).toEqual(['completed', 'pending', 'completed'])
    expect(progress().scannedTo).toBe(head)
    expect(progress().retry).toHaveLength(1)
    expect(shop.logger.lines).toContainEqual({
      level: 'warn',
      message: 'trace not readable; the transaction is retried',
      fields: {
        txHash: Buffer.from(second, 'hex').toString('base64'),
        error: expect.objectContaining({ code: 'ERR_TONPLUG_VALIDATION' }),
      },
    })

    const before = traceRequests(shop).length
    await shop.wait(4)
    expect(await shop.look()).toMatchObject({ isComplete: true, unsettled: 1 })
    expect(traceRequests(shop)).toHaveLength(before)
    await shop.wait(1)
    expect(await shop.look()).toMatchObject({ isComplete: true, unsettled: 1 })
    expect(traceRequests(shop).slice(before)).toEqual([[second]])

    shop.v3Server.fault = undefined
    await shop.wait(10)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
    expect(statuses(shop)).toEqual(['completed', 'completed', 'completed'])
    expect(progress().retry).toEqual([])
  })

  it('S86 is still retried after it has left the scanned period and the process was restarted', async () => {
    const { shop, cursor, second } = await openThreePaid()
    failFor(shop, second)
    await shop.look()
    await shop.wait(2 * HOUR_SECONDS)
    shop.v3Server.fault = undefined
    await shop.watcher.close()
    const other = createPaymentWatcher({
      payments: shop.payments,
      v3: shop.v3,
      cursor,
    })
    expect(await other.run({ lookups: 0 })).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
    await other.close()
  })

  it('S86 does not stop the payments behind it, however many such transactions follow each other', async () => {
    const orders = Array.from({ length: 21 }, (_, number) =>
      orderOf(`order-${number}`, gatewayBody(number)),
    )
    const shop = await openPaidChain(orders)
    const hashes: string[] = []
    for (const number of orders.keys()) {
      await shop.wait(1)
      await shop.pay(1, { body: gatewayBody(number) })
      hashes.push(shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? '')
    }
    await shop.wait(120)
    failFor(shop, ...hashes.slice(0, -1))
    for (let run = 0; run < 20; run++) {
      await shop.look()
      await shop.wait(5)
    }
    expect(statuses(shop)).toEqual([...Array.from({ length: 20 }, () => 'pending'), 'completed'])
    shop.v3Server.fault = undefined
    await shop.wait(600)
    await shop.look()
    expect(new Set(statuses(shop))).toEqual(new Set(['completed']))
  })

  it('S86 is read again when the cursor could not store that it is retried', async () => {
    const { cursor, progress } = readableCursor()
    let isBroken = true
    const failing: CursorStore = {
      ...cursor,
      save: async (text) => {
        if (isBroken && JSON.parse(text).retry.length > 0) throw new RangeError('no connection')
        await cursor.save(text)
      },
    }
    const { shop, second } = await openThreePaid({ watcher: { cursor: failing } })
    failFor(shop, second)
    await expect(shop.look()).rejects.toThrow('no connection')
    isBroken = false
    expect(await shop.look()).toMatchObject({ isComplete: true, unsettled: 1 })
    expect(progress().retry).toHaveLength(1)
  })

  it('S86 is given up after its last attempt, with a log that names it', async () => {
    const { shop, cursor, progress, second } = await openThreePaid()
    failFor(shop, second)
    await shop.look()
    // Later it has left the period that is read again.
    await shop.wait(1200)
    await shop.pay(9, { body: gatewayBody(9) })
    await shop.look({ lookups: 0 })
    const { retry, ...others } = progress()
    const [[txHash, utime] = []] = retry
    await cursor.save(JSON.stringify({ ...others, retry: [[txHash, utime, 33, 0]] }))
    expect(await shop.look({ lookups: 0 })).toMatchObject({ isComplete: true, unsettled: 0 })
    expect(progress().retry).toEqual([])
    expect(shop.logger.lines).toContainEqual({
      level: 'error',
      message: 'transaction not explained; retries given up',
      fields: { txHash, utime, attempts: 34, reason: 'one day of attempts' },
    })
    expect(hexOf(txHash ?? '')).toBe(second)
  })

  it('S86 is retried within seconds by a started watcher', async () => {
    const { shop, second } = await openThreePaid()
    shop.orders.add(orderOf('unpaid', gatewayBody(9)))
    failFor(shop, second)
    shop.watcher.start()
    await shop.wait(0)
    await expect.poll(() => shop.watcher.stats().lastRun?.unsettled).toBe(1)
    shop.v3Server.fault = undefined
    const lookUps = shop.v3Server.requests.filter(({ path }) => path === '/messages').length
    await expect
      .poll(async () => {
        await shop.wait(1)
        await shop.quiet()
        return shop.watcher.stats().lastRun?.unsettled
      })
      .toBe(0)
    expect(statuses(shop)).toEqual(['completed', 'completed', 'completed', 'pending'])
    expect(lookUps).toBeGreaterThan(0)
    // Orders are looked up individually in thorough runs only.
    expect(shop.v3Server.requests.filter(({ path }) => path === '/messages')).toHaveLength(lookUps)
  })
})

describe('a transaction whose trace cannot be parsed', () => {
  it('S86 is retried alone, and the others of its response are decided', async () => {
    let broken = ''
    const breaking: Fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (!String(url).includes('/traces') || broken === '') return response
      const text = await response.text()
      const body: { traces: { transactions_order: string[]; trace_info?: unknown }[] } =
        JSON.parse(text)
      for (const trace of body.traces) {
        if (trace.transactions_order.map(hexOf).includes(broken)) delete trace.trace_info
      }
      return new Response(JSON.stringify(body), response)
    }
    const { shop, second, progress, head } = await openThreePaid({ fetch: breaking })
    broken = second
    expect(await shop.look()).toMatchObject({
      isComplete: true,
      decisions: { paid: 2 },
      unsettled: 1,
    })
    expect(progress().scannedTo).toBe(head)
    broken = ''
    await shop.wait(5)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
  })
})

describe('a row that the index cannot return', () => {
  /** Opens a shop whose index breaks the row of a transaction in its lists. */
  async function openBreaking() {
    const broken = { txHash: '' }
    const fetchBroken: Fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (!String(url).includes('/transactions?')) return response
      const body = (await response.json()) as { transactions: { hash: string; lt: unknown }[] }
      for (const row of body.transactions) if (hexOf(row.hash) === broken.txHash) row.lt = 'none'
      return new Response(JSON.stringify(body), response)
    }
    return { broken, ...(await openThreePaid({ fetch: fetchBroken })) }
  }

  it('S86 is read by its trace, and neither stops the others nor holds the cursor', async () => {
    const { shop, broken, second, progress, head } = await openBreaking()
    broken.txHash = second
    const lookups = { lookups: 0 }
    expect(await shop.look(lookups)).toMatchObject({ isComplete: true, decisions: { paid: 3 } })
    expect(progress().scannedTo).toBe(head)
  })

  it('S86 is stored and retried alone while its trace cannot be read either', async () => {
    const { shop, broken, second, progress } = await openBreaking()
    broken.txHash = second
    failFor(shop, second)
    const lookups = { lookups: 0 }
    expect(await shop.look(lookups)).toMatchObject({ isComplete: true, unsettled: 1 })
    expect(progress().retry.map(([txHash]) => hexOf(txHash))).toEqual([second])
    expect(statuses(shop)).toEqual(['completed', 'pending', 'completed'])
    shop.v3Server.fault = undefined
    await shop.wait(10)
    expect(await shop.look(lookups)).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
  })

  it('S86 is read by its trace when it is new', async () => {
    const { shop, broken } = await openBreaking()
    shop.watcher.start()
    await shop.wait(0)
    await expect.poll(() => shop.watcher.stats().lastRun?.isComplete).toBe(true)
    shop.orders.add(orderOf('new', gatewayBody(4)))
    await shop.pay(4, { body: gatewayBody(4) })
    broken.txHash = shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
    const look = shop.watcher.checkNow()
    await shop.wait(0)
    await look
    expect(statuses(shop).at(-1)).toBe('completed')
  })
})

describe('a payment that cannot be decided', () => {
  it('S86 does not stop the others when the store fails for its order alone', async () => {
    let isBroken = true
    const { shop, progress, head } = await openThreePaid({
      wrapOrders: (orders) => ({
        ...orders,
        async complete(key, payment) {
          if (isBroken && key.reference === 'order-2') throw new Error('the row is corrupt')
          return orders.complete(key, payment)
        },
      }),
    })
    expect(await shop.look()).toMatchObject({
      isComplete: false,
      problem: expect.stringContaining('orders.complete'),
      decisions: { paid: 2 },
      unsettled: 1,
    })
    expect(statuses(shop)).toEqual(['completed', 'pending', 'completed'])
    expect(progress().scannedTo).toBe(head)
    expect(shop.logger.lines).toContainEqual({
      level: 'error',
      message: 'trace not processed; its transaction is retried',
      fields: {
        traceId: expect.any(String),
        error: expect.objectContaining({ code: 'ERR_TONPLUG_REPOSITORY' }),
      },
    })
    // Until it is due again, runs are complete.
    expect(await shop.look()).toMatchObject({ isComplete: true, unsettled: 1 })
    isBroken = false
    await shop.wait(5)
    expect(await shop.look()).toMatchObject({ isComplete: true, unsettled: 0 })
    expect(statuses(shop)).toEqual(['completed', 'completed', 'completed'])
  })

  it('S86 does not stop the others when the store fails for several orders in a row', async () => {
    const orders = Array.from({ length: 6 }, (_, number) =>
      orderOf(`order-${number}`, gatewayBody(number)),
    )
    const shop = await openPaidChain(orders, {
      wrapOrders: (repository) => ({
        ...repository,
        async complete(key, payment) {
          if (key.reference !== 'order-5') throw new Error('the row is corrupt')
          return repository.complete(key, payment)
        },
      }),
    })
    for (const number of orders.keys()) {
      await shop.wait(1)
      await shop.pay(1, { body: gatewayBody(number) })
    }
    await shop.wait(120)
    for (let run = 0; run < 5; run++) {
      await shop.look()
      await shop.wait(5)
    }
    expect(statuses(shop).at(-1)).toBe('completed')
  })

  it('S86 ends the run without moving the cursor when the store fails for every order', async () => {
    let isBroken = true
    let calls = 0
    const orders = Array.from({ length: 6 }, (_, number) =>
      orderOf(`order-${number}`, gatewayBody(number)),
    )
    const { cursor, progress } = readableCursor()
    const shop = await openPaidChain(orders, {
      watcher: { cursor },
      wrapOrders: (repository) => ({
        ...repository,
        async complete(key, payment) {
          calls++
          if (isBroken) throw new Error('the database is down')
          return repository.complete(key, payment)
        },
      }),
    })
    for (const number of orders.keys()) {
      await shop.wait(10)
      await shop.pay(1, { body: gatewayBody(number) })
    }
    const head = shop.chain.now
    await shop.wait(120)
    expect(await shop.look()).toMatchObject({ isComplete: false, decisions: {} })
    expect(calls).toBe(3)
    expect(progress().scannedTo).toBeLessThan(head)
    isBroken = false
    await shop.wait(60)
    expect(await shop.look()).toMatchObject({ isComplete: true, unsettled: 0 })
    expect(shop.orders.all().every(({ status }) => status === 'completed')).toBe(true)
  })

  it.each(['', 'north'])(
    'S86 is left to Payments when a rule throws, and the cursor moves on, for the merchant %j',
    async (merchant) => {
      let isBroken = true
      const failsForOrder2 = ({ order }: { order: Order }): undefined => {
        if (isBroken && order.reference === 'order-2') throw new Error('the rule is broken')
      }
      const { shop, progress, second, head } = await openThreePaid(
        { payments: { rules: [failsForOrder2] } },
        merchant,
      )
      expect(await shop.look()).toMatchObject({
        isComplete: true,
        decisions: { paid: 2 },
        failed: 1,
        unsettled: 0,
      })
      expect(progress().scannedTo).toBe(head)
      expect(progress().retry).toEqual([])
      expect(shop.logger.lines).toContainEqual({
        level: 'error',
        message: 'found payment not decided; it is retried',
        fields: {
          reference: 'order-2',
          ...(merchant !== '' && { merchant }),
          txHash: second,
          error: expect.objectContaining({ code: 'ERR_TONPLUG_RULE' }),
        },
      })
      isBroken = false
      await shop.wait(120)
      expect(statuses(shop)).toEqual(['completed', 'completed', 'completed'])
    },
  )
})

describe('an outage of the index', () => {
  it('ends the run after a few requests, and the next run continues', async () => {
    const orders = Array.from({ length: 60 }, (_, number) =>
      orderOf(`order-${number}`, gatewayBody(number)),
    )
    const { cursor, progress } = readableCursor()
    const shop = await openPaidChain(orders, { watcher: { cursor } })
    for (let start = 0; start < 60; start += 4) {
      const bodies = [0, 1, 2, 3].map((offset) => ({ body: gatewayBody(start + offset) }))
      await shop.wait(1)
      await shop.pay(1, ...bodies)
    }
    const head = shop.chain.now
    await shop.wait(120)
    shop.v3Server.fault = ({ path }) =>
      path === '/traces' ? { status: 422, body: '{"error":"down"}' } : undefined
    expect(await shop.look()).toMatchObject({ isComplete: false, decisions: {} })
    expect(traceRequests(shop).length).toBeLessThanOrEqual(11)
    expect(progress().scannedTo).toBeLessThan(head)
    shop.v3Server.fault = undefined
    await shop.wait(60)
    expect(await shop.look()).toMatchObject({ isComplete: true, decisions: { paid: 60 } })
  })
})

describe('RetryQueue', () => {
  const clock = { nowMs: () => 0, setTimer: () => () => undefined }

  it('S86 keeps at most 1000 transactions and logs those that it gives up', () => {
    const logger = createTestLogger()
    const queue = new RetryQueue([['old', 1, 9, 0]], { clock, logger })
    for (let number = 0; number < 1000; number++) queue.defer({ txHash: `${number}`, utime: 2 })
    expect(queue.size).toBe(1000)
    expect(queue.has('old')).toBe(false)
    expect(queue.has('999')).toBe(true)
    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: 'transaction not explained; retries given up',
        fields: {
          txHash: 'old',
          utime: 1,
          attempts: 9,
          reason: 'more than 1000 transactions wait',
        },
      },
    ])
  })

  it('S86 doubles the delay from 5 seconds to one hour, and gives up after a day', () => {
    let nowMs = 0
    const queue = new RetryQueue([], {
      clock: { ...clock, nowMs: () => nowMs },
      logger: createTestLogger(),
    })
    const delays: number[] = []
    for (queue.defer({ txHash: 'one', utime: 1 }); queue.size > 0;) {
      const nextMs = queue.nextAtMs() ?? Infinity
      delays.push((nextMs - nowMs) / 1000)
      expect(queue.due(10)).toEqual([])
      nowMs = nextMs
      expect(queue.due(10)).toEqual([{ txHash: 'one', utime: 1 }])
      queue.defer({ txHash: 'one', utime: 1 })
    }
    expect(delays.slice(0, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
    expect(nowMs / 1000).toBeGreaterThan(24 * HOUR_SECONDS)
    expect(nowMs / 1000).toBeLessThan(25 * HOUR_SECONDS)
  })
})
