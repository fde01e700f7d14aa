import { createHash } from 'node:crypto'
import {
  createTransferReport,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type NewCredit,
} from '@tonplug/core'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type Shop } from '../shop.js'

const WALLET = `0:${'ab'.repeat(32)}`
const PAYER = `0:${'cd'.repeat(32)}`
const HALF = 500n

/** Opens servers that share their stores, and parts of an order: by default its halves. */
async function openServers(amounts: readonly bigint[] = [HALF, HALF], rawAmount = 2n * HALF) {
  const clock = createFakeClock()
  const orders = memoryOrderRepository([order({ rawAmount })])
  const stored = memoryInbox({ clock })
  const utime = Math.floor(clock.nowMs() / 1000)
  const parts = amounts.map((amount, part) => partOf({ part, amount, utime }))
  await stored.credits.store(parts.map(({ credit }) => credit))
  const start = (inbox: Inbox = stored, repository = orders): Shop =>
    openShop([], {
      clock,
      inbox,
      orders: repository,
      wallets: [WALLET],
      amounts: { partial: 'add-up' },
    })
  const kinds = async () => {
    const reports = await stored.reports.list({ name: 'default', limit: 10 })
    return reports.map(({ decision }) => decision?.kind).toReversed()
  }
  const uses = async () => {
    const credits = await stored.credits.find({ ids: parts.map(({ credit }) => credit.id) })
    return parts.map(({ credit }) => credits.find(({ id }) => id === credit.id)?.uses.length)
  }
  const reports = parts.map(({ report }) => report)
  return { clock, orders, stored, start, kinds, uses, reports }
}

const failure = (): Promise<never> => Promise.reject(new Error('killed'))

describe('the parts of a price, when a server is killed', () => {
  it('S132 are looked at again when the mismatch of one was the last thing that was stored', async () => {
    const { clock, orders, stored, start, kinds, reports: halves } = await openServers()
    const [first, second] = halves
    const other = start()
    let isKilled = false
    const killed = start(
      {
        ...stored,
        reports: {
          ...stored.reports,
          async decide(...call) {
            // The other half arrives in the meantime, and completes the order.
            expect(await other.payments.submit(second!)).toMatchObject({ kind: 'paid' })
            const decided = await stored.reports.decide(...call)
            isKilled = true
            return decided
          },
        },
      },
      { ...orders, find: (key) => (isKilled ? failure() : orders.find(key)) },
    )
    await expect(killed.payments.submit(first!)).rejects.toThrow('orders.find')
    await killed.close()
    await clock.advance(60_000)
    const restarted = start()
    await restarted.payments.submit(first!)
    await clock.advance(10_000)
    expect(await kinds()).toEqual(['duplicate', 'paid'])
    expect([...other.shipped, ...restarted.shipped]).toEqual(['order-1'])
  })

  it('S132 are looked at again when the completion was the last thing that was stored', async () => {
    const { clock, stored, start, kinds, reports: halves } = await openServers()
    const [first, second] = halves
    const reports = { ...stored.reports, redecide: failure }
    const killed = start({ ...stored, reports })
    expect(await killed.payments.submit(first!)).toMatchObject({ kind: 'amount_mismatch' })
    await expect(killed.payments.submit(second!)).rejects.toThrow('inbox.reports.redecide')
    await killed.close()
    expect(await kinds()).toEqual(['amount_mismatch', 'paid'])
    const restarted = start()
    // A watcher reads the last minutes again.
    await restarted.payments.submit(second!)
    await clock.advance(10_000)
    expect(await kinds()).toEqual(['duplicate', 'paid'])
    expect([...killed.shipped, ...restarted.shipped]).toEqual(['order-1'])
  })
})

describe('more parts than the price needs, stored before one is decided', () => {
  const three = [HALF, HALF, HALF]
  it.each([
    ['the first', three, { decided: 0, kinds: ['paid', 'duplicate', 'extra_payment'] }],
    [
      'the last, which is not needed',
      three,
      { decided: 2, kinds: ['paid', 'duplicate', 'extra_payment'] },
    ],
    [
      'the first, which pays alone',
      [2n * HALF, HALF],
      { decided: 0, kinds: ['paid', 'extra_payment'] },
    ],
  ])('S132 pay with the first parts when a server decides %s', async (_, amounts, expected) => {
    const { clock, start, kinds, uses, stored, reports } = await openServers(amounts)
    const credits = { ...stored.credits, find: failure }
    const killed = start({ ...stored, credits })
    for (const report of reports) {
      await expect(killed.payments.submit(report)).rejects.toThrow('inbox.credits.find')
      await clock.advance(1)
    }
    await killed.close()
    const restarted = start()
    await restarted.payments.submit(reports[expected.decided]!)
    await clock.advance(60_000)
    expect(await kinds()).toEqual(expected.kinds)
    // The last one stays unused.
    expect(await uses()).toEqual([...amounts.slice(1).map(() => 1), 0])
    const paid = await stored.reports.list({ name: 'default', decision: 'paid', limit: 10 })
    const parts = paid.map(({ decision }) => decision?.kind === 'paid' && decision.parts?.length)
    expect(parts).toEqual([amounts === three ? 2 : undefined])
    expect(restarted.shipped).toEqual(['order-1'])
  })
})

it('S132 adds up two halves with a thousand transfers of dust between them', async () => {
  const half = 1_000_000n
  const amounts = [half, ...Array.from({ length: 1000 }, () => 1n), half]
  const { start, reports, uses } = await openServers(amounts, 2n * half)
  const shop = start()
  for (const report of reports.slice(0, -1)) await shop.payments.submit(report)
  expect(await shop.payments.submit(reports.at(-1)!)).toMatchObject({ kind: 'paid' })
  await shop.settle()
  expect(shop.shipped).toEqual(['order-1'])
  const used = await uses()
  expect([used.at(0), used.at(-1)]).toEqual([1, 1])
})

/** Returns a credit of a part of the price, and the report of a watcher about it. */
function partOf({ part, amount, utime }: { part: number; amount: bigint; utime: number }) {
  const txHash = createHash('sha256').update(`${part}`).digest('hex')
  const { reference } = order()
  const credit: NewCredit = {
    id: txHash.slice(0, 32),
    account: WALLET,
    wallet: WALLET,
    txHash,
    asset: 'TON',
    rawAmount: amount,
    traceId: txHash,
    utime,
    order: { name: 'default', merchant: '', reference },
    route: [
      {
        hash: txHash,
        sender: PAYER,
        recipient: WALLET,
        value: amount,
        isCommentEncrypted: false,
        transaction: txHash,
        fees: 0n,
        isShared: false,
      },
    ],
  }
  const { data } = transferCompleted({
    reference,
    txHash,
    traceId: txHash,
    rawAmount: `${amount}`,
    asset: 'TON',
    senderAddr: PAYER,
    recipientAddr: WALLET,
    date: new Date(utime * 1000).toISOString(),
  })
  const payments = [`credit:${credit.id}`, `tx:${txHash}`]
  return { credit, report: createTransferReport(data, { source: 'chain', payments }) }
}
