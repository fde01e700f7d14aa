import {
  createPayments,
  memoryInbox,
  memoryOrderRepository,
  type Decision,
  type Inbox,
  type Order,
  type OrderKey,
  type Payments,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createFakeClock, createTestLogger, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scriptedProof, UNSEEN } from '../proof/scripted-proof.js'
import { openShop, order, type ShopOptions } from '../shop.js'

/** Longer than the time between two reads of a young order. */
const READ_MS = 2000
const { recipientAddr } = transferCompleted().data

/** The events of one reader. */
interface Reader {
  statuses: string[]
  isEnded: boolean
  /** Everything that was received, as JSON. */
  text: string
  abort: () => void
}

function read(payments: Payments, key: string | OrderKey = 'order-1'): Reader {
  const controller = new AbortController()
  const reader: Reader = {
    statuses: [],
    isEnded: false,
    text: '',
    abort: () => controller.abort(),
  }
  const run = async (): Promise<void> => {
    for await (const event of payments.watchStatus(key, { signal: controller.signal })) {
      reader.statuses.push(event.status)
      reader.text += JSON.stringify(event)
    }
    reader.isEnded = true
  }
  void run()
  onTestFinished(reader.abort)
  return reader
}

/** Opens a shop whose stores count their calls. */
function openCountedShop(orders?: readonly Order[], options: ShopOptions = {}) {
  const calls = { find: 0, listReports: 0 }
  const repository = memoryOrderRepository(orders ?? [order()])
  const shop = openShop([], {
    ...options,
    orders: {
      ...repository,
      find: (key) => {
        calls.find++
        return repository.find(key)
      },
    },
    inbox: (memory) => ({
      ...memory,
      reports: {
        ...memory.reports,
        list: (query) => {
          calls.listReports++
          return memory.reports.list(query)
        },
      },
    }),
  })
  return { ...shop, orders: repository, calls }
}

describe('events of an order', () => {
  it('report the current status at once, the payment, and end', async () => {
    const shop = openShop()
    const reader = read(shop.payments)
    await shop.settle()
    expect(reader.statuses).toEqual(['waiting'])
    await shop.send(transferCompleted())
    await shop.settle()
    expect(reader).toMatchObject({ statuses: ['waiting', 'paid'], isEnded: true })
    const later = read(shop.payments)
    await shop.settle()
    expect(later).toMatchObject({ statuses: ['paid'], isEnded: true })
  })

  it('reveal nothing but the status, also of an unknown order', async () => {
    const shop = openShop()
    const known = read(shop.payments)
    const unknown = read(shop.payments, 'order-2')
    const odd = read(shop.payments, 'order\u0000')
    await shop.settle()
    const waiting = '{"status":"waiting"}'
    expect([known.text, unknown.text, odd.text]).toEqual([waiting, waiting, waiting])
    await shop.send(transferCompleted())
    await shop.settle()
    expect(known.text).toBe(`${waiting}{"status":"paid"}`)
  })

  it('report an order that is stored later', async () => {
    const shop = openShop([])
    const reader = read(shop.payments)
    await shop.send(transferCompleted())
    await shop.settle()
    expect(reader.statuses).toEqual(['waiting'])
    shop.orders.add(order())
    await shop.payments.orderCreated('order-1')
    await shop.settle()
    expect(reader.statuses.at(-1)).toBe('paid')
  })

  it('report seen while a payment is being verified', async () => {
    const proof = scriptedProof(UNSEEN)
    const shop = openShop([order({ recipient: recipientAddr })], {
      wallets: [],
      verifyOnChain: proof,
    })
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted())
    await shop.settle()
    expect(reader.statuses).toEqual(['waiting', 'detected'])
    proof.verdict = undefined
    await shop.clock.advance(3_600_000)
    expect(reader).toMatchObject({ statuses: ['waiting', 'detected', 'paid'], isEnded: true })
  })

  it('report seen for a report that waits for its decision', async () => {
    let isDown = true
    const inbox = (memory: Inbox): Inbox => ({
      ...memory,
      reports: {
        ...memory.reports,
        decide: (...decided) =>
          isDown ? Promise.reject(new Error('down')) : memory.reports.decide(...decided),
      },
    })
    const shop = openShop([order({ status: 'expired' })], {
      inbox,
      rules: [() => ({ reason: '' })],
    })
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted())
    await shop.clock.advance(READ_MS)
    expect(reader.statuses).toEqual(['expired', 'detected'])
    isDown = false
    await shop.clock.advance(60_000)
    expect(reader.statuses).toEqual(['expired', 'detected', 'needs_shop'])
  })

  it.each<[string, Parameters<typeof transferCompleted>[0], ShopOptions, string]>([
    ['less than expected', { rawAmount: '10499999999' }, {}, 'partially_paid'],
    ['more than expected', { rawAmount: '10500000001' }, {}, 'needs_shop'],
    ['less of another asset', { rawAmount: '1', asset: `0:${'a'.repeat(64)}` }, {}, 'needs_shop'],
    ['an invalid amount', { rawAmount: '1e9' }, {}, 'needs_shop'],
    ['another asset', { asset: `0:${'a'.repeat(64)}` }, {}, 'needs_shop'],
    ['another wallet', {}, { wallets: [`0:${'b'.repeat(64)}`] }, 'needs_shop'],
    ['a payment that a rule rejects', {}, { rules: [() => ({ reason: 'limit' })] }, 'needs_shop'],
  ])('report %s', async (_, changes, options, status) => {
    const shop = openShop([order()], options)
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted(changes))
    await shop.settle()
    expect(reader).toMatchObject({ statuses: ['waiting', status], isEnded: false })
  })

  it('S140 report needs_shop for a payment after the order was cancelled', async () => {
    const shop = openShop([order({ status: 'cancelled' })])
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted())
    await shop.settle()
    expect(reader).toMatchObject({ statuses: ['expired', 'needs_shop'], isEnded: false })
  })

  it('S131 report needs_shop for a payment after the end of its offer', async () => {
    const rate = { price: '5', currency: 'USD', at: new Date(0), orderPrice: '12.50' }
    const offers = [{ rawAmount: 10_500_000_000n, asset: 'TON', rate, expiresAt: new Date(1) }]
    const priced = { rawAmount: undefined, asset: undefined, offers, status: 'expired' } as const
    const shop = openShop([order(priced)])
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted({ rawAmount: '1' }))
    await shop.settle()
    expect(reader).toMatchObject({ statuses: ['expired', 'needs_shop'], isEnded: false })
  })

  it('S133 report the received sum, and needs_shop for two halves', async () => {
    const shop = openShop([order({ rawAmount: 10n })])
    const reader = read(shop.payments)
    const status = (text: string, units: number): string =>
      `{"status":"${text}","received":[{"asset":"TON","rawAmount":"${units}"}]}`
    await shop.settle()
    await shop.send(transferCompleted({ rawAmount: '4', txHash: 'tx-1' }))
    await shop.settle()
    await shop.send(transferCompleted({ rawAmount: '6', txHash: 'tx-2' }))
    await shop.settle()
    expect(reader.text).toBe(
      `{"status":"waiting"}${status('partially_paid', 4)}${status('needs_shop', 10)}`,
    )
    expect(
      (await createOperator({ payments: shop.payments }).list({ reference: 'order-1' }))[0]
        ?.totalReceived,
    ).toBe('10')
  })

  it('S136 report halves in two assets separately', async () => {
    const jetton = `0:${'a'.repeat(64)}`
    const offers = ['TON', jetton].map((asset) => ({ asset, rawAmount: 10n }))
    const shop = openShop([order({ rawAmount: undefined, asset: undefined, offers })])
    const reader = read(shop.payments)
    await shop.send(transferCompleted({ rawAmount: '6', txHash: 'tx-1' }))
    await shop.send(transferCompleted({ rawAmount: '5', asset: jetton, txHash: 'tx-2' }))
    await shop.settle()
    const received = `[{"asset":"TON","rawAmount":"6"},{"asset":"${jetton}","rawAmount":"5"}]`
    expect(reader.text).toContain(`{"status":"partially_paid","received":${received}}`)
    expect(
      (await createOperator({ payments: shop.payments }).list({ reference: 'order-1' }))[0]
        ?.totalReceived,
    ).toBe('5')
  })

  it('S93 report needs_shop, without an amount, for a jetton that the order does not accept', async () => {
    const shop = openShop()
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted({ asset: `0:${'a'.repeat(64)}` }))
    await shop.settle()
    expect(reader.text).toBe('{"status":"waiting"}{"status":"needs_shop"}')
  })

  it('S134 report the surplus of a paid order', async () => {
    const shop = openShop([order({ rawAmount: 10n })], { amounts: { overpaid: 'accept' } })
    await shop.send(transferCompleted({ rawAmount: '12' }))
    const reader = read(shop.payments)
    await shop.settle()
    expect(reader.text).toBe('{"status":"paid","surplus":"2"}')
  })

  it('report the payment that follows a partial one', async () => {
    const shop = openShop()
    const reader = read(shop.payments)
    await shop.send(transferCompleted({ rawAmount: '1', txHash: 'tx-1' }))
    await shop.settle()
    await shop.send(transferCompleted({ txHash: 'tx-2' }))
    await shop.settle()
    expect(reader.statuses.slice(-2)).toEqual(['partially_paid', 'paid'])
  })

  it('report a failed transfer as waiting, and keep a partial payment', async () => {
    const shop = openShop()
    const reader = read(shop.payments)
    await shop.settle()
    await shop.send(transferCompleted({ status: 'failed', txHash: 'tx-1' }))
    await shop.settle()
    expect([reader.statuses, (await shop.orders.find({ reference: 'order-1' }))?.status]).toEqual([
      ['waiting'],
      'failed',
    ])
    await shop.send(transferCompleted({ rawAmount: '1', txHash: 'tx-2' }))
    await shop.send(transferCompleted({ status: 'failed', txHash: 'tx-3' }))
    await shop.settle()
    expect(reader.statuses).toEqual(['waiting', 'partially_paid'])
  })

  it('report an expired order, and its late payment', async () => {
    const shop = openShop()
    const reader = read(shop.payments)
    await shop.settle()
    shop.orders.expire({ reference: 'order-1' })
    await shop.clock.advance(READ_MS)
    await shop.send(transferCompleted())
    await shop.settle()
    expect(reader.statuses).toEqual(['waiting', 'expired', 'paid'])
  })

  it('S66 report the order of the merchant, and not one with the same reference', async () => {
    const orders = ['shop-a', 'shop-b'].map((merchant) => order({ merchant }))
    const shop = openShop(orders, {
      secrets: () => ({ merchant: 'shop-a', secrets: 'whsec_core_first' }),
    })
    const [one, other] = ['shop-a', 'shop-b'].map((merchant) =>
      read(shop.payments, { reference: 'order-1', merchant }),
    )
    await shop.send(transferCompleted())
    await shop.clock.advance(READ_MS)
    expect([one?.statuses.at(-1), other?.statuses]).toEqual(['paid', ['waiting']])
  })

  it.each([undefined, null, 7, ['order-1'], { merchant: 'shop-a' }])('reject the key %j', (key) => {
    const { payments } = openShop()
    expect(() => payments.watchStatus(key as unknown as string)).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }),
    )
  })
})

describe('events of orders that another process decides', () => {
  /** Two processes with the same stores. The first one decides; the second one has readers. */
  function openTwo() {
    const clock = createFakeClock()
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const deciding = openShop([order()], { clock, inbox })
    const payments = createPayments({
      orders: deciding.orders,
      inbox,
      clock,
      logger: createTestLogger(),
      autoStart: false,
    })
    onTestFinished(() => payments.close())
    return { deciding, payments, clock }
  }

  it('S39 report a partial payment and the complete one within two seconds, without a start', async () => {
    const { deciding, payments, clock } = openTwo()
    const reader = read(payments)
    await clock.advance(0)
    expect(reader.statuses).toEqual(['waiting'])
    await deciding.send(transferCompleted({ rawAmount: '1', txHash: 'tx-1' }))
    await clock.advance(READ_MS)
    expect(reader.statuses).toEqual(['waiting', 'partially_paid'])
    await deciding.send(transferCompleted({ txHash: 'tx-2' }))
    await clock.advance(READ_MS)
    expect(reader).toMatchObject({ statuses: ['waiting', 'partially_paid', 'paid'], isEnded: true })
  })

  it('report a payment within 20 seconds after an hour', async () => {
    const { deciding, payments, clock } = openTwo()
    const reader = read(payments)
    await clock.advance(3_600_000)
    await deciding.send(transferCompleted())
    await clock.advance(20_000)
    expect(reader.statuses).toEqual(['waiting', 'paid'])
  })
})

describe('the reads of watched orders', () => {
  it('are shared by all readers of an order, and become less frequent', async () => {
    const { payments, clock, calls } = openCountedShop()
    const readers = Array.from({ length: 1000 }, () => read(payments))
    await clock.advance(0)
    expect([calls.find, readers.every(({ statuses }) => statuses.length === 1)]).toEqual([1, true])
    const second = read(payments)
    await clock.advance(0)
    expect([calls.find, second.statuses]).toEqual([1, ['waiting']])
    const countReads = async (): Promise<number> => {
      const before = calls.find
      await clock.advance(60_000)
      return calls.find - before
    }
    expect(await countReads()).toBe(40)
    await clock.advance(120_000)
    expect(await countReads()).toBe(10)
    await clock.advance(900_000)
    expect(await countReads()).toBe(4)
    const later = read(payments)
    await clock.advance(0)
    expect([later.statuses, await countReads()]).toEqual([['waiting'], 40])
  })

  it('end with the last reader, and leave no timer', async () => {
    const shop = openCountedShop()
    const timers = (): number => shop.clock.pendingTimers().length
    await shop.clock.advance(60_000)
    const idle = timers()
    const readers = Array.from({ length: 100 }, (_, index) => read(shop.payments, `order-${index}`))
    await shop.settle()
    expect(timers()).toBe(idle)
    for (const reader of readers) reader.abort()
    await shop.settle()
    expect(readers.every(({ isEnded }) => isEnded)).toBe(true)
    await shop.clock.advance(READ_MS)
    const reads = shop.calls.find
    await shop.clock.advance(600_000)
    expect(shop.calls.find).toBe(reads)
  })

  it('are at most four at a time', async () => {
    let open = 0
    let most = 0
    const held: (() => void)[] = []
    const orders = memoryOrderRepository()
    const find: typeof orders.find = async (key) => {
      most = Math.max(most, ++open)
      await new Promise<void>((resolve) => held.push(resolve))
      open--
      return orders.find(key)
    }
    const shop = openShop([], { orders: { ...orders, find } })
    const readers = Array.from({ length: 50 }, (_, index) => read(shop.payments, `order-${index}`))
    while (readers.some(({ statuses }) => statuses.length === 0)) {
      await shop.settle()
      for (const release of held.splice(0)) release()
    }
    expect(most).toBe(4)
  })

  it('S78 are repeated when a store fails or hangs, and no stream ends', async () => {
    let fault: (() => Promise<never>) | undefined = () => Promise.reject(new Error('down'))
    const orders = memoryOrderRepository([order()])
    const find: typeof orders.find = (key) => fault?.() ?? orders.find(key)
    const shop = openShop([], { orders: { ...orders, find } })
    const reader = read(shop.payments)
    await shop.clock.advance(5000)
    expect(reader).toMatchObject({ statuses: [], isEnded: false })
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({ message: 'order status not readable; trying again' }),
    )
    fault = () => new Promise(() => undefined)
    await shop.clock.advance(5000)
    fault = undefined
    await shop.clock.advance(15_000)
    expect(reader).toMatchObject({ statuses: ['waiting'], isEnded: false })
  })

  it('do not miss a decision that is made while one runs', async () => {
    let release: (() => void) | undefined
    let isHeld = false
    const orders = memoryOrderRepository([order()])
    const find: typeof orders.find = async (key) => {
      const found = await orders.find(key)
      if (isHeld) await new Promise<void>((resolve) => (release = resolve))
      return found
    }
    const shop = openShop([], { orders: { ...orders, find } })
    const reader = read(shop.payments)
    isHeld = true
    await shop.settle()
    isHeld = false
    await shop.send(transferCompleted())
    release?.()
    await shop.settle()
    expect(reader).toMatchObject({ isEnded: true })
    expect(reader.statuses.at(-1)).toBe('paid')
  })
})

describe('the end of events', () => {
  it('S52 comes when Payments is closed, before handlers are awaited', async () => {
    const shop = openShop([order()], { onPaid: () => new Promise(() => undefined) })
    const reader = read(shop.payments, 'order-2')
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.payments.close()
    await shop.settle()
    expect(reader).toMatchObject({ statuses: ['waiting'], isEnded: true })
    const later = read(shop.payments)
    await shop.settle()
    expect(later).toMatchObject({ statuses: [], isEnded: true })
    await shop.clock.advance(20_000)
    await closed
  })

  it('comes at once when a reader returns while it waits', async () => {
    const { payments, clock } = openShop()
    const events = payments.watchStatus('order-1')[Symbol.asyncIterator]()
    expect(await events.next()).toEqual({ done: false, value: { status: 'waiting' } })
    const waiting = [events.next(), events.next()]
    await clock.advance(0)
    await events.return?.()
    expect(await Promise.all(waiting)).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ])
  })

  it('comes before the first event with an aborted signal', async () => {
    const { payments } = openShop()
    const seen: unknown[] = []
    for await (const event of payments.watchStatus('order-1', { signal: AbortSignal.abort() })) {
      seen.push(event)
    }
    expect(seen).toEqual([])
  })

  it('leaves a slow reader with the last status', async () => {
    const shop = openShop()
    const events = shop.payments.watchStatus('order-1')[Symbol.asyncIterator]()
    expect(await events.next()).toMatchObject({ value: { status: 'waiting' } })
    const decisions: Decision['kind'][] = []
    shop.payments.onDecision(({ decision }) => decisions.push(decision.kind))
    await shop.send(transferCompleted({ rawAmount: '1', txHash: 'tx-1' }))
    await shop.settle()
    await shop.send(transferCompleted({ txHash: 'tx-2' }))
    await shop.settle()
    expect(decisions).toEqual(['amount_mismatch', 'paid'])
    expect(await events.next()).toEqual({ done: false, value: { status: 'paid' } })
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })
})
