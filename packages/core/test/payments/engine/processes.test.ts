import {
  createPaymentVerifier,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createV3Client } from '@tonplug/core/toncenter'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { scriptedProof, UNSEEN } from '../proof/scripted-proof.js'
import { openShop, order, type Shop, type ShopOptions } from '../shop.js'

const { recipientAddr: WALLET, senderAddr: OTHER_WALLET } = transferCompleted().data

/** Opens processes of one Payments that share an inbox, the orders and a clock. */
function openProcesses() {
  const clock = createFakeClock()
  const inbox: Inbox = { ...memoryInbox({ clock }), isDurable: true }
  const orders = memoryOrderRepository([order()])
  const open = (options: ShopOptions = {}): Shop =>
    openShop([], { clock, inbox, orders, ...options })
  return { clock, inbox, orders, open }
}

/** Never registers, never claims: a command line tool or a cron job. */
const TOOL: ShopOptions = { autoStart: false, onPaid: undefined }

describe('processes of one Payments', () => {
  it('S68 run their handlers for a decision of a process without handlers', async () => {
    const { clock, open } = openProcesses()
    const shop = open()
    await clock.advance(0)
    const web = open({ onPaid: undefined })
    expect(await web.decide(transferCompleted())).toBe('paid')
    await clock.advance(5000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('do not look for tasks after a payment whose handlers run elsewhere', async () => {
    const { clock, inbox, open } = openProcesses()
    let claims = 0
    const counted: Inbox = {
      ...inbox,
      tasks: { ...inbox.tasks, claim: (query) => (claims++, inbox.tasks.claim(query)) },
    }
    const web = open({ inbox: counted, onPaid: undefined })
    await clock.advance(0)
    const before = claims
    expect(await web.decide(transferCompleted())).toBe('paid')
    await clock.advance(0)
    expect(claims).toBe(before)
  })

  it('S68 run their handlers when a tool calls orderCreated', async () => {
    const { clock, orders, open } = openProcesses()
    const shop = open()
    await shop.send(transferCompleted({ reference: 'order-2' }))
    await clock.advance(3_600_000)
    orders.add(order({ reference: 'order-2' }))
    const tool = open(TOOL)
    expect(await tool.payments.orderCreated('order-2')).toBe(1)
    expect(shop.shipped).toEqual([])
    await clock.advance(5000)
    expect(shop.shipped).toEqual(['order-2'])
  })

  it('S68 decide a report that a tool submits', async () => {
    const { clock, orders, open } = openProcesses()
    const shop = open()
    const tool = open(TOOL)
    const payload = transferCompleted()
    const report = {
      source: 'chain',
      rawBody: JSON.stringify(payload),
      transfer: payload.data,
    } as const
    expect(await tool.payments.submit(report)).toBeUndefined()
    expect(orders.all()).toMatchObject([{ status: 'pending' }])
    await clock.advance(5000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S68 keep a subscription for seven days after its last process has ended', async () => {
    const { clock, inbox, orders, open } = openProcesses()
    const shop = open()
    await clock.advance(0)
    await shop.close()
    orders.add(order({ reference: 'order-2' }))
    await clock.advance(7 * 86_400_000 - 60_000)
    const web = open({ onPaid: undefined })
    await web.send(transferCompleted())
    expect(await inbox.stats()).toMatchObject({ open: 1 })
    await web.close()
    await clock.advance(60_000)
    const later = open({ onPaid: undefined })
    await later.send(transferCompleted({ reference: 'order-2', txHash: 'tx-2' }))
    expect(await inbox.stats()).toMatchObject({ open: 1 })
    const next = open()
    await clock.advance(5000)
    expect(next.shipped).toEqual(['order-1'])
  })

  it('S69 schedule a new handler as soon as its process has registered', async () => {
    const { clock, orders, open } = openProcesses()
    const former = open()
    await former.decide(transferCompleted())
    await clock.advance(0)
    const mails: string[] = []
    open({
      onPaid: { mail: ({ order: paid }) => void mails.push(paid.reference) },
    })
    await clock.advance(0)
    orders.add(order({ reference: 'order-2' }))
    expect(await former.decide(transferCompleted({ reference: 'order-2', txHash: 'tx-2' }))).toBe(
      'paid',
    )
    await clock.advance(5000)
    expect(mails).toEqual(['order-2'])
    expect(former.shipped).toEqual(['order-1', 'order-2'])
  })

  it('S69 schedule a handler that is added after start, from the next report on', async () => {
    const { open } = openProcesses()
    const shop = open()
    await shop.clock.advance(1000)
    const mails: string[] = []
    shop.payments.addHandler('onPaid', ({ order: paid }) => void mails.push(paid.reference), {
      name: 'mail',
    })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.settle()
    expect(mails).toEqual(['order-1'])
  })

  it('S69 cannot unsubscribe from proofs', async () => {
    const { payments } = openProcesses().open(TOOL)
    await expect(payments.removeHandler('verifyOnChain')).rejects.toThrow(
      'is not a handler of the shop; disable proofs with verifyOnChain',
    )
  })

  it('S69 delete the tasks of a handler that is unsubscribed', async () => {
    const { clock, inbox, orders, open } = openProcesses()
    const renamed = open({ onPaid: { former: () => undefined } })
    await clock.advance(0)
    await renamed.close()
    const shop = open()
    await shop.decide(transferCompleted())
    await clock.advance(5000)
    expect(await inbox.stats()).toMatchObject({ open: 1 })
    expect(await open(TOOL).payments.removeHandler('onPaid.former')).toBe(true)
    expect(await inbox.stats()).toMatchObject({ open: 0 })
    expect(await shop.payments.removeHandler('onPaid.former')).toBe(false)
    orders.add(order({ reference: 'order-2' }))
    await shop.decide(transferCompleted({ reference: 'order-2', txHash: 'tx-2' }))
    await clock.advance(5000)
    expect(await inbox.stats()).toMatchObject({ open: 0 })
    expect(shop.shipped).toEqual(['order-1', 'order-2'])
  })
})

describe('a process with another policy', () => {
  const strict: ShopOptions = { wallets: [OTHER_WALLET], onPaid: undefined }
  const blockAll = (): { reason: string } => ({ reason: 'blocked' })
  const others: [string, ShopOptions, ShopOptions][] = [
    ['without wallets', strict, {}],
    ['with other wallets', strict, { wallets: [WALLET] }],
    ['without a rule', { rules: [blockAll], onPaid: undefined }, {}],
    ['with amounts', {}, { amounts: () => true }],
    [
      'without a proof',
      { wallets: [WALLET], verifyOnChain: proof(), onPaid: undefined },
      { wallets: [WALLET] },
    ],
  ]

  it.each(others)(
    'S70 logs an error, is degraded, and decides no parked reports: %s',
    async (_, pinned, other) => {
      const { clock, inbox, orders, open } = openProcesses()
      const first = open(pinned)
      await first.send(transferCompleted({ reference: 'order-2' }))
      await clock.advance(60_000)
      const second = open(other)
      await clock.advance(1000)
      expect(await first.payments.health()).toMatchObject({ status: 'up' })
      expect(await second.payments.health()).toMatchObject({
        status: 'degraded',
        message: expect.stringContaining('policy of this process'),
      })
      const errors = second.logger.lines.filter(({ level }) => level === 'error')
      expect(errors).toHaveLength(1)
      expect(errors).toMatchObject([
        {
          message: expect.stringMatching(/^policy differs from the other processes/),
          fields: { payments: 'default', policy: expect.any(String), pinned: expect.any(String) },
        },
      ])

      // The other process would complete it.
      orders.add(order({ reference: 'order-2' }))
      expect(await second.payments.orderCreated('order-2')).toBe(1)
      const key = { reference: 'order-2', merchant: '' }
      const { policy } = (errors[0]?.fields ?? {}) as { policy: string }
      const claim = { name: 'default', policy, retryInMs: 1000, limit: 10 }
      expect(await inbox.reports.claim({ ...claim, key })).toEqual([])
      expect(second.shipped).toEqual([])
    },
  )

  it.each([
    ['without the wallets', { wallets: [OTHER_WALLET] }],
    ['without a rule', { rules: [blockAll] }],
  ])('S120 stores an attachment, which the pinned policy decides: %s', async (_, pinned) => {
    const { clock, orders, open } = openProcesses()
    const first = open({ ...pinned, onPaid: undefined })
    await first.send(transferCompleted())
    const second = open()
    await clock.advance(1000)
    const { txHash } = transferCompleted().data
    expect(
      await createOperator({ payments: second.payments }).assign(
        { transactionHash: txHash, reference: 'order-1' },
        { by: 'ann' },
      ),
    ).toEqual({ reportId: expect.any(String) })
    await clock.advance(10_000)
    expect(await orders.find({ reference: 'order-1' })).toMatchObject({ status: 'pending' })
    expect(second.shipped).toEqual([])
    const reports = await createOperator({ payments: second.payments }).list()
    expect(
      reports.every(({ decision }) => decision !== undefined && decision.kind !== 'paid'),
    ).toBe(true)
  })

  it('S70 takes over 30 seconds after the last registration of the others', async () => {
    const { clock, orders, open } = openProcesses()
    const first = open(strict)
    await first.send(transferCompleted({ reference: 'order-2' }))
    const second = open()
    await clock.advance(1000)
    orders.add(order({ reference: 'order-2' }))
    await clock.advance(60_000)
    expect(second.shipped).toEqual([])
    expect(await orders.find({ reference: 'order-2' })).toMatchObject({ status: 'pending' })

    await createOperator({ payments: second.payments }).reprocess(
      { reference: 'order-2' },
      { by: 'ann' },
    )
    await first.close()
    await clock.advance(19_000)
    expect(await second.payments.health()).toMatchObject({ status: 'degraded' })
    await clock.advance(21_000)
    expect(await second.payments.health()).toMatchObject({ status: 'up' })
    await createOperator({ payments: second.payments }).reprocess(
      { reference: 'order-2' },
      { by: 'ann' },
    )
    await clock.advance(5000)
    expect(second.shipped).toEqual(['order-2'])
  })

  it('S70 does not prove payments for the others before it has registered', async () => {
    const { clock, inbox, open } = openProcesses()
    const first = open({
      wallets: [WALLET],
      verifyOnChain: scriptedProof(UNSEEN),
      onPaid: undefined,
    })
    expect(await first.decide(transferCompleted())).toBe('verifying')
    await first.close()
    const unregistered: Inbox = {
      ...inbox,
      processes: { ...inbox.processes, register: () => Promise.reject(new Error('down')) },
    }
    open({ inbox: unregistered, wallets: [OTHER_WALLET] })
    await clock.advance(30_000)
    const [task] = await inbox.tasks.claim({
      name: 'default',
      limits: { verifyOnChain: 1 },
      leaseMs: 1000,
    })
    expect(task).toBeDefined()
    expect(await inbox.reports.find(task?.reportId ?? '')).toMatchObject({
      decision: { kind: 'verifying' },
    })
  })

  it('S70 proves no payments of the others until it has taken over', async () => {
    const { clock, open } = openProcesses()
    const first = open({
      wallets: [WALLET],
      verifyOnChain: scriptedProof(UNSEEN),
      onPaid: undefined,
    })
    const otherProof = scriptedProof(UNSEEN)
    const second = open({ wallets: [WALLET, OTHER_WALLET], verifyOnChain: otherProof })
    expect(await first.decide(transferCompleted())).toBe('verifying')
    await clock.advance(1000)
    await first.close()
    await clock.advance(20_000)
    expect(otherProof.looks).toBe(0)
    await clock.advance(30_000)
    expect(otherProof.looks).toBeGreaterThan(0)
    expect(second.shipped).toEqual([])
  })
})

describe('a process that has not registered', () => {
  it('S70 proves no payments, because its policy may differ', async () => {
    const { clock, inbox, open } = openProcesses()
    const first = open({
      wallets: [WALLET],
      verifyOnChain: scriptedProof(UNSEEN),
      onPaid: undefined,
    })
    expect(await first.decide(transferCompleted())).toBe('verifying')
    await first.close()
    const proofOfSecond = scriptedProof(UNSEEN)
    open({
      inbox: {
        ...inbox,
        processes: { ...inbox.processes, register: () => new Promise(() => undefined) },
      },
      wallets: [WALLET, OTHER_WALLET],
      verifyOnChain: proofOfSecond,
    })
    await clock.advance(60_000)
    expect(proofOfSecond.looks).toBe(0)
  })
})

describe('registration', () => {
  it('does not reject the first report after a failed registration', async () => {
    let isDown = true
    const shop = openShop([order()], {
      inbox: (memory) => ({
        ...memory,
        processes: {
          ...memory.processes,
          register: (registration) =>
            isDown ? Promise.reject(new Error('down')) : memory.processes.register(registration),
        },
      }),
    })
    await shop.settle()
    isDown = false
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('rejects reports while the process has never registered', async () => {
    let isDown = true
    const shop = openShop([order()], {
      inbox: (memory) => ({
        ...memory,
        processes: {
          ...memory.processes,
          register: (registration) =>
            isDown ? Promise.reject(new Error('down')) : memory.processes.register(registration),
        },
      }),
    })
    expect(await shop.decide(transferCompleted())).toBe('unavailable')
    expect(await shop.inbox.processes.nextDueInMs({ name: 'default' })).toBeUndefined()
    isDown = false
    await shop.clock.advance(1000)
    expect(await shop.decide(transferCompleted())).toBe('paid')
  })

  it('does not delay reports while a later registration hangs', async () => {
    let registrations = 0
    const shop = openShop([order()], {
      inbox: (memory) => ({
        ...memory,
        processes: {
          ...memory.processes,
          register: (registration) =>
            ++registrations === 1
              ? memory.processes.register(registration)
              : new Promise(() => undefined),
        },
      }),
    })
    await shop.clock.advance(10_000)
    expect(registrations).toBe(2)
    expect(await shop.decide(transferCompleted())).toBe('paid')
  })
})

function proof() {
  return createPaymentVerifier({ v3: createV3Client({ network: 'testnet', fetch: refuse }) })
}

function refuse(): Promise<never> {
  return Promise.reject(new TypeError('fetch failed'))
}
