import { describe, expect, it } from 'vitest'
import type { Credit, RouteMessage } from './credit.js'
import { isWithinFees, link, type LinkFacts, type ReportedPayment } from './link.js'

const SHOP = 'the shop'
const FORWARDER = 'the forwarder'
const report: ReportedPayment = { order: 'order-1', recipient: SHOP, asset: 'TON', rawAmount: 100n }

const messageOf = (hash: string, more: Partial<RouteMessage> = {}): RouteMessage => ({
  hash,
  sender: 'the payer',
  recipient: SHOP,
  value: 100n,
  isCommentEncrypted: false,
  transaction: `transaction of ${hash}`,
  fees: 0n,
  isShared: false,
  ...more,
})

const creditOf = (id: string, more: Partial<Credit> = {}): Credit => ({
  id,
  account: SHOP,
  wallet: SHOP,
  txHash: id,
  asset: 'TON',
  rawAmount: 100n,
  traceId: 'trace',
  utime: 1,
  route: [messageOf(id)],
  ...more,
})

const whole: LinkFacts = { isWhole: true, used: new Set(), named: new Map() }
const linkedTo = (...ids: string[]): object => ({
  kind: 'linked',
  credits: ids.map((id) => expect.objectContaining({ credit: expect.objectContaining({ id }) })),
})

describe('the link of a report to credits', () => {
  it('is a contradiction when a whole trace holds nothing, and waits for the rest of another', () => {
    expect(link(report, [], whole)).toEqual({ kind: 'contradicted', reason: 'nothing' })
    expect(link(report, [], { ...whole, isWhole: false })).toEqual({ kind: 'waiting' })
  })

  it('is a contradiction when the money has a use, or names another order', () => {
    const used = { kind: 'contradicted', reason: 'used' }
    const credits = [creditOf('a')]
    expect(link(report, credits, { ...whole, used: new Set(['a']) })).toEqual(used)
    expect(link(report, credits, { ...whole, named: new Map([['a', 'order-2']]) })).toEqual(used)
    expect(link(report, credits, { ...whole, named: new Map([['a', 'order-1']]) })).toEqual(
      linkedTo('a'),
    )
  })

  it('is the credit whose own transaction the report names', () => {
    const credits = [creditOf('a'), creditOf('b')]
    expect(link({ ...report, txHash: 'b' }, credits, whole)).toEqual(linkedTo('b'))
    expect(link(report, credits, whole)).toEqual(linkedTo('a'))
  })

  it('is the only credit on whose route the named transaction is, after the root included', () => {
    const credits = [creditOf('a'), creditOf('b')]
    expect(link({ ...report, txHash: 'transaction of b' }, credits, whole)).toEqual(linkedTo('b'))
    const rooted = creditOf('b', { root: { transaction: 'root', isShared: false } })
    expect(link({ ...report, txHash: 'root' }, [creditOf('a'), rooted], whole)).toEqual(
      linkedTo('b'),
    )
  })

  it('is the first one when the named transaction led to several', () => {
    const root = { transaction: 'root', isShared: true }
    const credits = [creditOf('a'), creditOf('b', { root }), creditOf('c', { root })]
    expect(link({ ...report, txHash: 'root' }, credits, whole)).toEqual(linkedTo('a'))
  })

  it('is all credits of one message when their sum is the amount', () => {
    const message = messageOf('one')
    const part = { rawAmount: 50n, route: [message] as const }
    const credits = [creditOf('a', part), creditOf('b', part)]
    expect(link(report, credits, whole)).toEqual(linkedTo('a', 'b'))
    expect(link(report, credits, { ...whole, used: new Set(['b']) })).toEqual({
      kind: 'unclear',
      received: 50n,
    })
    const other = creditOf('c', { rawAmount: 50n })
    expect(link(report, [creditOf('a', part), other], whole)).toMatchObject({ kind: 'unclear' })
  })

  it('is unclear about the sum of the credits of one message', () => {
    const part = { rawAmount: 30n, route: [messageOf('one')] as const }
    const credits = [creditOf('a', part), creditOf('b', part), creditOf('c', { rawAmount: 7n })]
    expect(link(report, credits, whole)).toEqual({ kind: 'unclear', received: 60n })
  })

  it.each([
    ['the amount', 100n, 0n, true],
    ['less', 99n, 0n, false],
    ['more', 101n, 0n, false],
    ['less within the allowance', 95n, 5n, true],
    ['less than the allowance permits', 94n, 5n, false],
  ])('judges a direct payment of %s', (_, rawAmount, feeAllowance, isLinked) => {
    const { kind } = link({ ...report, feeAllowance }, [creditOf('a', { rawAmount })], whole)
    expect(kind === 'linked').toBe(isLinked)
  })

  it.each([
    ['that lacks the fees of the contract', 90n, 100n, 0n, true],
    ['that lacks more', 89n, 100n, 0n, false],
    ['that lacks the allowance as well', 88n, 100n, 2n, true],
    ['whose message had less', 100n, 99n, 0n, false],
  ])('judges a forwarded payment %s', (_, rawAmount, value, feeAllowance, isLinked) => {
    const route = [
      messageOf('first', { recipient: FORWARDER, value, fees: 10n }),
      messageOf('last', { sender: FORWARDER, value: rawAmount, fees: 1000n }),
    ] as const
    const described = { ...report, sender: 'the payer', feeAllowance }
    const { kind } = link(described, [creditOf('a', { rawAmount, route })], whole)
    expect(kind === 'linked').toBe(isLinked)
  })

  it('leaves out other wallets, assets, bodies and senders', () => {
    const nothing = { kind: 'contradicted', reason: 'nothing' }
    const credit = creditOf('a', { route: [messageOf('a', { bodyHash: 'body' })] })
    expect(link({ ...report, recipient: 'another' }, [credit], whole)).toEqual(nothing)
    expect(link({ ...report, asset: 'a jetton' }, [credit], whole)).toEqual(nothing)
    expect(link({ ...report, bodyHash: 'another' }, [credit], whole)).toEqual(nothing)
    expect(link({ ...report, sender: 'another' }, [credit], whole)).toEqual(nothing)
    const same = { ...report, bodyHash: 'body', sender: 'the payer' }
    expect(link(same, [credit], whole)).toEqual(linkedTo('a'))
  })
})

describe('the fees that forwarding contracts may take', () => {
  it.each([
    [50_000_000n, 'TON', 0n, true],
    [50_000_001n, 'TON', 0n, false],
    [5n, 'TON', 6n, false],
    [5n, 'TON', 5n, true],
    [5n, 'a jetton', 5n, false],
  ])('allow %d units of %s to arrive as %d', (expected, asset, received, isWithin) => {
    expect(isWithinFees(asset, { expected, received })).toBe(isWithin)
  })
})
