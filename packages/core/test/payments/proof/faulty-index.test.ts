import { toNano } from '@ton/core'
import { memoryInbox, memoryOrderRepository, type Order, type TransferData } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { type Fault, walletV4 } from '@tonplug/simulator'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'
import { createPayer, orderFor } from './payer.js'
import { openProofShop, type ProofShop, type ProofShopOptions } from './proof-shop.js'

const ours = walletV4(90).wallet.address
const wallets = [ours.toString()]
const HOUR_MS = 3_600_000

const LIMITED: Fault = {
  status: 429,
  body: '{"ok":false,"result":"Ratelimit exceed","code":429}',
}
const DOWN: Fault = { status: 503, body: '<html>Service Unavailable</html>' }

async function startPaid(count = 1) {
  const served = await serveChain()
  const payer = await createPayer(served.chain, 80)
  const paid: TransferData[] = []
  for (let index = 0; index < count; index++) {
    paid.push(await payer.pay({ reference: `order-${index}`, to: ours, value: toNano(1) }))
  }
  const first = paid[0]
  if (first === undefined) throw new TypeError('nothing was paid')
  const open = (options: Partial<ProofShopOptions> = {}): ProofShop =>
    openProofShop({
      url: served.v3Server.url,
      orders: paid.map(orderFor),
      wallets,
      hanging: () => served.v3Server.hanging,
      ...options,
    })
  return { ...served, payer, paid, first, open }
}

describe('S54 a webhook while API v3 fails', () => {
  it.each<[string, Fault]>([
    ['limits', LIMITED],
    ['is down', DOWN],
    ['fails', { status: 500, body: '{"error":"internal server error"}' }],
    ['returns ok: false', { status: 200, body: '{"ok":false,"error":"busy"}' }],
    ['returns another shape', { status: 200, body: '{"traces":"none"}' }],
    ['returns truncated JSON', { status: 200, body: '{"traces":[' }],
    [
      'rejects the key',
      { status: 403, body: '{"ok":false,"code":403,"error":"Network not allowed"}' },
    ],
    ['resets connections', 'reset'],
    ['does not respond', 'hang'],
  ])(
    'responds to the webhook at once, and pays the order afterwards, when the index %s',
    async (_, fault) => {
      const { v3Server, first, open } = await startPaid()
      v3Server.fault = () => fault
      const shop = open()
      const startMs = shop.clock.nowMs()
      const decided = shop.decide(first)
      // Repeated deliveries arrive in the meantime and get a response, too.
      const repeated = new Promise<number>((resolve, reject) => {
        shop.at(60_000, async () => {
          const answer = await shop.send(first)
          expect(answer.decision).toMatchObject({ kind: 'verifying', sinceMs: startMs })
          shop.send(first).then(({ status }) => resolve(status), reject)
        })
      })
      shop.at(600_000, () => {
        expect(shop.shipped).toEqual([])
        expect(shop.orders.all()[0]?.status).toBe('pending')
        v3Server.fault = undefined
      })
      expect(await decided).toMatchObject({ kind: 'paid' })
      expect(await repeated).toBe(200)
      await shop.clock.advance(0)
      expect(shop.shipped).toEqual(['order-0'])
      expect(shop.unverified).toEqual([])
      expect(shop.decisions[0]).toMatchObject({ kind: 'verifying' })
    },
  )

  it('responds before the proof', async () => {
    const { v3Server, first, open } = await startPaid()
    v3Server.fault = () => 'hang'
    const shop = open()
    const startMs = shop.clock.nowMs()
    // The clock does not move.
    const answer = await shop.send(first)
    expect(answer).toMatchObject({ status: 200, decision: { kind: 'verifying' } })
    expect(shop.clock.nowMs()).toBe(startMs)
  })

  it('S54 responds at once with a Fetch server', async () => {
    const { v3Server, first, open } = await startPaid()
    v3Server.fault = () => LIMITED
    const shop = open()
    const answer = await shop.handle(first)
    expect([answer.status, await answer.text()]).toEqual([200, '{"ok":true}'])
    expect(shop.receiver.stats()).toEqual({ verifying: 1 })
    // A pending proof does not count as an open handler, so `maxWaitMs` does not apply to it.
    const waiting = { parked: 1, open: 0, oldestOpenAgeMs: undefined }
    expect(await shop.inbox.stats()).toMatchObject(waiting)
    v3Server.fault = () => undefined
    expect(await shop.decide(first)).toMatchObject({ kind: 'paid' })
  })

  it('leaves the payment unverified beyond the deadline, and a replay of the proof still pays', async () => {
    const { v3Server, first, open } = await startPaid()
    v3Server.fault = () => DOWN
    const shop = open({ proof: { deadlineMs: 600_000 } })
    const startMs = shop.clock.nowMs()
    expect(await shop.decide(first)).toMatchObject({ kind: 'unverified', reason: 'unreachable' })
    expect(shop.clock.nowMs() - startMs).toBeLessThan(700_000)
    await shop.clock.advance(0)
    expect([shop.shipped, shop.unverified.length]).toEqual([[], 1])
    expect((await shop.send(first)).decision).toMatchObject({
      kind: 'duplicate',
      first: 'unverified',
    })

    const [dead] = await shop.inbox.tasks.listDead({ limit: 10 })
    expect(dead).toMatchObject({
      handler: 'verifyOnChain',
      error: expect.stringMatching(/^unreach/),
    })
    v3Server.fault = () => undefined
    const paid = new Promise<string>((resolve) => {
      shop.payments.onDecision(({ decision }) => resolve(decision.kind))
    })
    await shop.inbox.tasks.replay(dead?.id ?? '')
    expect(await shop.run(paid)).toBe('paid')
    await shop.clock.advance(0)
    expect([shop.shipped, shop.unverified.length]).toEqual([['order-0'], 1])
    expect(await shop.inbox.tasks.listDead({ limit: 10 })).toEqual([])
  })
})

describe('S55 a payment that the index does not have yet', () => {
  it('is paid when the index has caught up', async () => {
    const { v3Server, first, open } = await startPaid()
    v3Server.lagBlocks = 2
    const shop = open()
    const decided = shop.decide(first)
    shop.at(90_000, () => {
      expect(shop.shipped).toEqual([])
      v3Server.lagBlocks = 0
    })
    expect(await decided).toMatchObject({ kind: 'paid' })
  })

  it('is looked up with backoff, and for the last time at the deadline', async () => {
    const { v3Server, first, open } = await startPaid()
    v3Server.lagBlocks = 2
    const shop = open()
    const startMs = shop.clock.nowMs()
    const looks: number[] = []
    v3Server.fault = () => {
      looks.push(Math.round((shop.clock.nowMs() - startMs) / 1000))
      return undefined
    }
    expect(await shop.decide(first)).toMatchObject({ reason: 'not_found' })
    expect(looks.slice(0, 8)).toEqual([0, 2, 6, 14, 30, 62, 126, 254])
    expect(looks.at(-1)).toBe(HOUR_MS / 1000)
    expect(looks.length).toBeLessThan(25)
  })
})

describe('a restart', () => {
  it('does not reset the deadline of the proof', async () => {
    const { v3Server, first, open } = await startPaid()
    v3Server.lagBlocks = 2
    const driven = createDrivenClock()
    const inbox = { ...memoryInbox({ clock: driven.clock }), isDurable: true }
    const repository = memoryOrderRepository([orderFor(first)])
    const startMs = driven.clock.nowMs()
    // A killed process: it is never closed, and its clock has stopped.
    const before = open({ inbox, repository })
    expect((await before.send(first)).decision.kind).toBe('verifying')
    await driven.clock.advance(HOUR_MS / 2)

    const after = open({ inbox, repository, driven })
    const decided = new Promise<number>((resolve) => {
      after.payments.onDecision(({ decision }) => {
        if (decision.kind === 'unverified') resolve(driven.clock.nowMs() - startMs)
      })
    })
    expect(await after.run(decided)).toBe(HOUR_MS)
  })
})

describe('a first attempt after the deadline', () => {
  it('is not the last one when API v3 fails', async () => {
    const { v3Server, first, open } = await startPaid()
    const driven = createDrivenClock()
    const inbox = memoryInbox({ clock: driven.clock })
    const repository = memoryOrderRepository([orderFor(first)])
    // Stored by a process that was killed before it decided.
    const transfer = { event: 'transfer.completed', timestamp: '', data: first }
    await inbox.reports.store({
      name: 'default',
      merchant: '',
      key: 'key',
      source: 'webhook',
      reference: first.reference,
      txHash: first.txHash,
      rawBody: JSON.stringify(transfer),
      signedWith: 'secrets[0]',
      payments: [],
      wasCompletedBefore: false,
      retryInMs: 0,
    })
    await driven.clock.advance(2 * HOUR_MS)
    let looks = 0
    v3Server.fault = () => (++looks <= 1 ? { status: 500, body: '{"error":"sql"}' } : undefined)
    const after = open({ inbox, repository, driven })
    const paid = new Promise<string>((resolve) => {
      after.payments.onDecision(({ decision }) => {
        if (decision.kind !== 'verifying') resolve(decision.kind)
      })
    })
    expect(await after.run(paid)).toBe('paid')
    expect(looks).toBeGreaterThan(1)
  })
})

describe('many payments at once', () => {
  it('are proven within the rate limit, and delay no other handlers', async () => {
    const { v3Server, chain, paid, open } = await startPaid(30)
    expect(chain.transactions.length).toBeGreaterThan(60)
    const at: number[] = []
    const failed: number[] = []
    const shop = open({
      rps: 1,
      payments: { onFailed: () => void failed.push(shop.clock.nowMs()) },
    })
    v3Server.fault = () => {
      at.push(shop.clock.nowMs())
      return at.length % 7 === 0 ? LIMITED : undefined
    }
    const startMs = shop.clock.nowMs()
    const isPaid = ({ reference, status }: Order): boolean =>
      status === 'completed' || reference === 'broken'
    const all = new Promise<void>((resolve) => {
      shop.payments.onDecision(() => {
        if (shop.orders.all().every(isPaid)) resolve()
      })
    })
    for (const one of paid) expect((await shop.send(one)).status).toBe(200)
    shop.orders.add({ ...orderFor(paid[0]!), reference: 'broken' })
    await shop.send({ ...paid[0]!, reference: 'broken', status: 'failed', txHash: 'f'.repeat(64) })
    await shop.run(all)
    await shop.clock.advance(0)
    expect(failed).toEqual([startMs])
    expect(shop.shipped.toSorted()).toEqual(paid.map(({ reference }) => reference).toSorted())
    for (const [index, time] of at.entries()) {
      expect(time - (at[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(1000)
    }
  })
})

describe('an order that changes while its payment is proven', () => {
  it.each([
    ['cancelled', 'paid_after_cancel', []],
    ['expired', 'paid', ['order-0']],
  ] as const)('is %s: %s', async (status, kind, shipped) => {
    const { v3Server, first, open } = await startPaid()
    v3Server.lagBlocks = 2
    const shop = open()
    const decided = shop.decide(first)
    shop.at(10_000, () => {
      if (status === 'cancelled') shop.orders.cancel({ reference: 'order-0' })
      else shop.orders.expire({ reference: 'order-0' })
      v3Server.lagBlocks = 0
    })
    // What counts is when the payment came.
    expect(await decided).toMatchObject({ kind, ...(kind === 'paid' && { isLate: false }) })
    await shop.clock.advance(0)
    expect(shop.shipped).toEqual(shipped)
  })

  it('S56 is stored later: the deadline of the proof begins then', async () => {
    const { first, open, v3Server } = await startPaid()
    v3Server.lagBlocks = 2
    const shop = open({ orders: [] })
    expect((await shop.send(first)).decision.kind).toBe('unknown_order')
    await shop.clock.advance(2 * HOUR_MS)
    const matchedMs = shop.clock.nowMs()
    shop.orders.add(orderFor(first))
    const decided = new Promise<number>((resolve) => {
      shop.payments.onDecision(({ decision }) => {
        if (decision.kind === 'unverified') resolve(shop.clock.nowMs() - matchedMs)
      })
    })
    expect(await shop.payments.orderCreated('order-0')).toBe(1)
    expect(await shop.run(decided)).toBe(HOUR_MS)
  })
})
