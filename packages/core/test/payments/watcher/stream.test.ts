import { setTimeout } from 'node:timers/promises'
import { comment } from '@ton/core'
import { createStream, normalizedHash } from '@tonplug/core/toncenter'
import { rootOf } from '@tonplug/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gatewayBody, openPaidChain, orderOf, recipient, type PaidChain } from './paid-chain.js'

/** Opens a shop whose watcher listens to the stream of the chain, and waits until it is connected. */
async function openStreamedShop(options: Parameters<typeof openPaidChain>[1] = {}) {
  const streams: ReturnType<typeof createStream>[] = []
  const stream = {
    subscribe: (subscription: Parameters<(typeof streams)[0]['subscribe']>[0]) =>
      streams[0]!.subscribe(subscription),
  }
  const shop = await openPaidChain([], { ...options, watcher: { ...options.watcher, stream } })
  const { clock, logger, chain } = shop
  streams.push(createStream({ baseUrl: chain.url, clock, logger, random: () => 0 }))
  onTestFinished(() => streams[0]?.close())
  const order = (reference: string): void =>
    shop.orders.add(
      orderOf(reference, gatewayBody(1), {
        bodyBase64Hash: comment(reference).hash().toString('base64'),
        createdAt: new Date(clock.nowMs()),
      }),
    )
  order('young')
  shop.watcher.start()
  await settle(shop)
  const server = chain.streamServer
  await expect.poll(() => streams[0]?.health().state).toBe('connected')
  await settle(shop)
  return { ...shop, server, order, stream: streams[0]! }
}

/** Lets sockets, requests and due timers proceed. The clock moves by milliseconds only. */
async function settle(shop: Pick<PaidChain, 'clock' | 'quiet'>): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await setTimeout(1)
    await shop.quiet()
    await shop.clock.advance(1)
  }
}

/** Moves the time second by second. */
async function pass(shop: PaidChain, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await shop.wait(1)
    await shop.quiet()
    if (second % 10 !== 0) continue
    shop.chain.streamServer.keepAlive()
    await settle(shop)
  }
  await settle(shop)
}

function paths({ v3Server }: Pick<PaidChain, 'v3Server'>): string[] {
  return v3Server.requests.map(({ path }) => path)
}

describe('a watcher with a stream', () => {
  it('polls when its stream ends with an error, which it logs', async () => {
    let subscriptions = 0
    const stream = {
      subscribe: () => {
        subscriptions++
        throw new TypeError('addresses must be valid')
      },
    }
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))], { watcher: { stream } })
    await shop.pay(1, { body: gatewayBody(1) })
    shop.watcher.start()
    await pass(shop, 120)
    expect(shop.events).toEqual(['onPaid order-1 chain'])
    expect(subscriptions).toBe(1)
    expect(shop.logger.lines).toContainEqual({
      level: 'error',
      message: 'stream of the watcher ended; it polls',
      fields: { error: expect.objectContaining({ message: 'addresses must be valid' }) },
    })
  })

  it('completes an order at once, by one request', async () => {
    const shop = await openStreamedShop()
    const before = paths(shop).length
    await shop.pay(1, { body: 'young' })
    await expect.poll(() => settle(shop).then(() => shop.events)).toEqual(['onPaid young chain'])
    expect(paths(shop).slice(before)).toEqual(['/traces'])
  })

  it('completes an order that was paid in a jetton without a notification', async () => {
    const shop = await openStreamedShop()
    shop.orders.add(
      orderOf('jetton', gatewayBody(1), {
        asset: shop.jetton,
        rawAmount: 5n,
        createdAt: new Date(shop.clock.nowMs()),
      }),
    )
    await shop.payJetton(2, 5n, 'jetton')
    await expect.poll(() => settle(shop).then(() => shop.events)).toEqual(['onPaid jetton chain'])
  })

  it('scans once a minute while it is connected', async () => {
    const shop = await openStreamedShop()
    const before = paths(shop).length
    await pass(shop, 300)
    const looks = paths(shop)
      .slice(before)
      .filter((path) => path === '/masterchainInfo')
    expect(looks.length).toBeGreaterThanOrEqual(4)
    expect(looks.length).toBeLessThanOrEqual(6)
  })

  it('scans again within seconds after a scan failed, while it is connected', async () => {
    const shop = await openStreamedShop()
    const { v3Server } = shop
    v3Server.fault = () => ({ status: 401, body: '{}' })
    await pass(shop, 61)
    expect(shop.watcher.stats().lastRun).toMatchObject({ isComplete: false })
    v3Server.fault = () => undefined
    await pass(shop, 10)
    expect(shop.watcher.stats().lastRun).toMatchObject({ isComplete: true })
  })

  it('S103 completes the same orders when all events are dropped without a sign', async () => {
    const shop = await openStreamedShop()
    shop.server.faults.drops = () => true
    await shop.pay(1, { body: 'young' })
    await settle(shop)
    expect(shop.events).toEqual([])
    await pass(shop, 61)
    expect(shop.events).toEqual(['onPaid young chain'])
  })

  it('S103 completes an order once when events are repeated and reordered', async () => {
    const shop = await openStreamedShop()
    Object.assign(shop.server.faults, { repeats: 5, isReversed: true })
    await shop.pay(1, { body: 'young' })
    await pass(shop, 120)
    expect(shop.events).toEqual(['onPaid young chain'])
  })

  it('retries a look-up while the index is behind the stream', async () => {
    const shop = await openStreamedShop()
    shop.v3Server.lagBlocks = 3
    await shop.pay(1, { body: 'young' })
    await settle(shop)
    expect(shop.events).toEqual([])
    shop.v3Server.lagBlocks = 0
    await pass(shop, 3)
    expect(shop.events).toEqual(['onPaid young chain'])
    expect(paths(shop).filter((path) => path === '/traces').length).toBeLessThanOrEqual(3)
  })

  it('retries a look-up that a caller repeats, without keeping the caller waiting', async () => {
    const shop = await openStreamedShop()
    shop.v3Server.lagBlocks = 3
    await shop.pay(1, { body: 'young' })
    await settle(shop)
    const { transaction } = shop.chain.transactions.at(-1)!
    await shop.watcher.checkNow({ transactionHash: transaction.hash().toString('hex') })
    expect(shop.events).toEqual([])
    shop.v3Server.lagBlocks = 0
    await pass(shop, 3)
    expect(shop.events).toEqual(['onPaid young chain'])
  })

  it('S104 polls within seconds after the connection was lost', async () => {
    const shop = await openStreamedShop()
    shop.server.faults.maxConnections = 0
    shop.server.disconnect()
    await expect.poll(() => shop.stream.health().state).toBe('waiting')
    await settle(shop)
    const before = paths(shop).length
    await shop.pay(1, { body: 'young' })
    await pass(shop, 4)
    expect(shop.events).toEqual(['onPaid young chain'])
    expect(paths(shop).slice(before)).toContain('/transactions')
    const lost = shop.logger.lines.filter(({ message }) => message.startsWith('stream not'))
    expect(lost).toHaveLength(1)
  })

  it('S104 finds what happened while it was not connected', async () => {
    const shop = await openStreamedShop({ watcher: { minIntervalMs: 30_000 } })
    shop.server.disconnect()
    await expect.poll(() => shop.stream.health().state).toBe('waiting')
    await settle(shop)
    await shop.pay(1, { body: 'young' })
    await pass(shop, 1)
    await expect.poll(() => shop.stream.health().state).toBe('connected')
    await pass(shop, 1)
    expect(shop.server.connections).toBe(1)
    expect(shop.events).toEqual(['onPaid young chain'])
  })

  it('S105 shows a pending payment as seen, and takes it back', async () => {
    const shop = await openStreamedShop()
    const statuses: string[] = []
    const read = async (): Promise<void> => {
      for await (const { status } of shop.payments.watchStatus('young')) statuses.push(status)
    }
    const ended = read()
    await settle(shop)
    shop.server.finality = 'pending'
    shop.v3Server.lagBlocks = 100
    const before = await shop.chain.snapshot()
    await shop.pay(1, { body: 'young' })
    const shown = () => settle(shop).then(() => statuses)
    await expect.poll(shown).toEqual(['waiting', 'detected'])
    await shop.chain.restore(before)
    await expect.poll(shown).toEqual(['waiting', 'detected', 'waiting'])
    expect(shop.events).toEqual([])

    shop.server.finality = 'finalized'
    shop.v3Server.lagBlocks = 0
    await shop.pay(3, { body: 'young' })
    await pass(shop, 2)
    expect(statuses.at(-1)).toBe('paid')
    await ended
  })

  it('S105 shows a pending payment as seen whose order was created a moment before', async () => {
    const shop = await openStreamedShop()
    shop.server.finality = 'pending'
    shop.v3Server.lagBlocks = 100
    shop.order('younger')
    const statuses: string[] = []
    const read = async (): Promise<void> => {
      for await (const { status } of shop.payments.watchStatus('younger')) statuses.push(status)
    }
    void read()
    await settle(shop)
    await shop.pay(1, { body: 'younger' })
    await expect.poll(() => settle(shop).then(() => statuses)).toEqual(['waiting', 'detected'])
  })

  it('S106 makes at most one look-up for unreadable events, however many there are', async () => {
    const shop = await openStreamedShop()
    const before = paths(shop).length
    for (let number = 0; number < 100; number++) shop.server.send('{"type":"transactions"}')
    await expect.poll(() => shop.stream.health().unreadable).toBe(100)
    await pass(shop, 5)
    expect(paths(shop).slice(before)).toEqual([
      '/masterchainInfo',
      '/transactions',
      '/jetton/transfers',
    ])
  })

  it('S106 makes at most one look-up for forged events, however many there are', async () => {
    const shop = await openStreamedShop()
    const texts = await forgeEvents(shop, 40)
    const before = paths(shop).length
    for (const text of texts) shop.server.send(text)
    await expect.poll(() => shop.stream.health().events).toBeGreaterThanOrEqual(40)
    await pass(shop, 20)
    expect(shop.stream.health().unreadable).toBe(0)
    // One look-up, repeated after 1, 2 and 4 seconds.
    const requests = paths(shop).slice(before)
    expect(new Set(requests)).toEqual(new Set(['/traces']))
    expect(requests.length).toBeLessThanOrEqual(8)
    expect(shop.events).toEqual([])
  })
})

/** Writes events that differ from a genuine one only by the hash of their transaction. */
async function forgeEvents(shop: PaidChain, count: number): Promise<string[]> {
  await shop.pay(9, { body: 'thank you' })
  await settle(shop)
  const response = await fetch(`${shop.v3Server.url}/api/v3/transactions?account=${recipient}`)
  const { transactions } = (await response.json()) as { transactions: object[] }
  return Array.from({ length: count }, (_, number) => {
    const hash = Buffer.alloc(32, number + 1).toString('base64')
    return JSON.stringify({
      type: 'transactions',
      finality: 'finalized',
      trace_external_hash_norm: hash,
      transactions: [{ ...transactions[0], hash }],
    })
  })
}

describe('checkNow with a hint', () => {
  it('completes an order by one request', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    await shop.pay(1, { body: 'order' })
    const { transaction } = shop.chain.transactions.at(-1)!
    const before = paths(shop).length
    await shop.watcher.checkNow({ transactionHash: transaction.hash().toString('hex') })
    await shop.clock.advance(0)
    expect(shop.events).toEqual(['onPaid order chain'])
    expect(paths(shop).slice(before)).toEqual(['/traces'])
    // It is known now.
    await shop.watcher.checkNow({ transactionHash: transaction.hash().toString('base64url') })
    expect(paths(shop).length - before).toBe(1)
  })

  it('completes an order that was stored after a former look-up', async () => {
    const shop = await openPaidChain([])
    await shop.pay(1, { body: 'order' })
    const { transaction } = shop.chain.transactions.at(-1)!
    const hint = { transactionHash: transaction.hash().toString('hex') }
    await shop.watcher.checkNow(hint)
    shop.orders.add(orderOf('order', comment('order')))
    await shop.watcher.checkNow(hint)
    await shop.clock.advance(0)
    expect(shop.events).toEqual(['onPaid order chain'])
  })

  it('completes an order whose amount a completed order had', async () => {
    const named = { bodyBase64Hash: undefined }
    const shop = await openPaidChain([{ ...orderOf('order-1', comment('')), ...named }], {
      watcher: { matchBy: ['amount'] },
    })
    for (const reference of ['order-1', 'order-2']) {
      if (reference === 'order-2') shop.orders.add({ ...orderOf(reference, comment('')), ...named })
      await shop.pay(1, { body: '' })
      const { transaction } = shop.chain.transactions.at(-1)!
      await shop.watcher.checkNow({ transactionHash: transaction.hash().toString('hex') })
      await shop.wait(60)
    }
    expect(shop.events).toEqual(['onPaid order-1 chain', 'onPaid order-2 chain'])
  })

  it('completes an order that was read before its list failed', async () => {
    let failures = 0
    const shop = await openPaidChain([], {
      watcher: { matchBy: ['amount'] },
      wrapOrders: (orders) => ({
        ...orders,
        async *listOpen(query) {
          yield* orders.listOpen(query)
          if (failures-- > 0) throw new Error('connection lost')
        },
      }),
    })
    await shop.look()
    shop.orders.add({ ...orderOf('order-1', comment('')), bodyBase64Hash: undefined })
    await shop.pay(1, { body: '' })
    const { transaction } = shop.chain.transactions.at(-1)!
    const hint = { transactionHash: transaction.hash().toString('hex') }
    failures = 1
    await shop.watcher.checkNow(hint)
    expect(shop.events).toEqual([])
    await shop.watcher.checkNow(hint)
    await shop.clock.advance(0)
    expect(shop.events).toEqual(['onPaid order-1 chain'])
  })

  it('ends for each caller that reports the same transaction at the same time', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    const hint = { transactionHash: 'ab'.repeat(32) }
    const looks = [shop.watcher.checkNow(hint), shop.watcher.checkNow(hint)]
    await expect(Promise.all(looks)).resolves.toHaveLength(2)
  })

  it('S106 makes at most one request for a forged hint', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    const before = paths(shop).length
    await shop.watcher.checkNow({ transactionHash: 'ab'.repeat(32) })
    expect(paths(shop).slice(before)).toEqual(['/traces'])
    await shop.watcher.checkNow({ transactionHash: 'no hash' })
    await shop.pay(1, { body: 'order' })
    // The buyer's wallet has sent this one.
    const { transaction } = shop.chain.transactions.at(-2)!
    await shop.watcher.checkNow({ transactionHash: transaction.hash().toString('hex') })
    expect(paths(shop).length - before).toBe(2)
  })

  it('S106 shares requests among many forged hints', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    const hashes = Array.from({ length: 500 }, (_, n) => n.toString(16).padStart(64, '0'))
    await Promise.all(hashes.map((transactionHash) => shop.watcher.checkNow({ transactionHash })))
    expect(paths(shop).length).toBeLessThanOrEqual(11)
  })
})

/** Returns the external message of the last trace, and its hash as the client of a wallet computes it. */
async function lastExternal({ chain }: PaidChain) {
  const root = rootOf(chain.transactions.at(-1)!)
  const message = root.inMessage!
  const norm = Buffer.from(await normalizedHash(message.toBoc()), 'base64')
  return { plain: message.hash(), norm }
}

describe('checkNow with the hash of a message', () => {
  it.each<[string, (hashes: { plain: Buffer; norm: Buffer }) => string]>([
    ['hex', ({ norm }) => norm.toString('hex')],
    ['upper-case hex', ({ norm }) => norm.toString('hex').toUpperCase()],
    ['base64', ({ norm }) => norm.toString('base64')],
    ['base64url without padding', ({ norm }) => norm.toString('base64url')],
    ['hex, of the message as it was sent', ({ plain }) => plain.toString('hex')],
  ])('completes an order by two requests: %s', async (_, write) => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    await shop.pay(1, { body: 'order' })
    const messageHash = write(await lastExternal(shop))
    const before = paths(shop).length
    await shop.watcher.checkNow({ messageHash })
    await shop.clock.advance(0)
    expect(shop.events).toEqual(['onPaid order chain'])
    expect(paths(shop).slice(before)).toEqual(['/messages', '/traces'])
    await shop.watcher.checkNow({ messageHash })
    expect(shop.events).toEqual(['onPaid order chain'])
  })

  it('completes an order whose message the index shows seconds later', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    shop.v3Server.lagBlocks = 100
    await shop.pay(1, { body: 'order' })
    const { norm } = await lastExternal(shop)
    await shop.watcher.checkNow({ messageHash: norm.toString('hex') })
    expect(shop.events).toEqual([])
    shop.v3Server.lagBlocks = 0
    await pass(shop, 3)
    expect(shop.events).toEqual(['onPaid order chain'])
  })

  it('pays no order by the message of another payment', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    await shop.pay(1, { body: 'other' })
    const { norm } = await lastExternal(shop)
    await shop.watcher.checkNow({ messageHash: norm.toString('hex') })
    await pass(shop, 10)
    expect(shop.events).toEqual([])
  })

  const forged = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => (n + 1).toString(16).padStart(64, '0'))

  it('S106 bounds the requests for forged messages, and ends for each caller', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    const hint = (messageHash: string) => shop.watcher.checkNow({ messageHash })
    const hints = forged(1000)
    const ends = Promise.all(hints.map(hint))
    await pass(shop, 15)
    await ends
    await pass(shop, 30)
    // Each hash is in three requests of up to 50; the first one had a request of its own.
    const most = 3 * 21
    expect(paths(shop).length).toBeLessThanOrEqual(most)
    expect(new Set(paths(shop))).toEqual(new Set(['/messages']))
    const spent = paths(shop).length
    await pass(shop, 10)
    await Promise.all([...hints.map(hint), hint('no hash'), hint('')])
    await pass(shop, 1)
    expect(paths(shop)).toHaveLength(spent)
  })

  it('S106 completes an order by a genuine message among 1,000 forged ones in time', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    await shop.pay(1, { body: 'order' })
    const { norm } = await lastExternal(shop)
    const hashes = forged(999)
    for (const messageHash of [...hashes, norm.toString('hex')]) {
      void shop.watcher.checkNow({ messageHash })
    }
    await pass(shop, 15)
    expect(shop.events).toEqual(['onPaid order chain'])
    expect(paths(shop).length).toBeLessThanOrEqual(64)
  })

  it('looks up a message again that was reported while the index was down', async () => {
    const shop = await openPaidChain([orderOf('order', comment('order'))])
    await shop.pay(1, { body: 'order' })
    const messageHash = (await lastExternal(shop)).norm.toString('hex')
    shop.v3Server.fault = () => ({ status: 401, body: '{}' })
    await shop.watcher.checkNow({ messageHash })
    shop.v3Server.fault = () => undefined
    const looked = shop.watcher.checkNow({ messageHash })
    await pass(shop, 1)
    await looked
    expect(shop.events).toEqual(['onPaid order chain'])
  })
})
