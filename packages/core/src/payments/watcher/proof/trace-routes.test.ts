import { describe, expect, it } from 'vitest'
import type { TraceMessage } from '../../../toncenter/chain/trace-messages.js'
import { arrivalsOf, creditsOf } from './credits-of.js'
import { isAccount, routeTo, timeOfTransaction, type DescribedTrace } from './trace-routes.js'

const [payer, forwarder, ours, payerWallet, ourWallet, master] = ['1', '2', '3', '4', '5', '6'].map(
  (digit) => `0:${digit.repeat(64)}`,
) as [string, string, string, string, string, string]

const hex = (name: string): string => Buffer.from(name).toString('hex').padStart(64, '0')
const base64 = (name: string): string => Buffer.from(hex(name), 'hex').toString('base64')

interface Sent extends Partial<Omit<TraceMessage, 'sentIn' | 'receivedIn'>> {
  from: string
  to: string
  /** The names of the transactions that sent and received it. */
  sent?: string | undefined
  received?: string | undefined
}

function messageOf({ from, to, sent, received, ...others }: Sent): TraceMessage {
  return {
    hash: base64(`${from[2]} to ${to[2]} ${sent} ${received}`),
    sender: from,
    recipient: to,
    value: 5n,
    isBounced: false,
    outcome: 'arrived',
    ...(sent !== undefined && { sentIn: base64(sent) }),
    ...(received !== undefined && { receivedIn: base64(received) }),
    ...others,
  }
}

function traceOf(
  sent: Sent[],
  { transfers = [], transactions = [] }: { transfers?: object[]; transactions?: object[] } = {},
) {
  const messages = sent.map(messageOf)
  const known = transactions as { hash: string }[]
  const described = {
    description: { messages, transfers, utime: 9 },
    trace: {
      transactions_order: known.map(({ hash }) => hash),
      transactions: Object.fromEntries(known.map((one) => [one.hash, one])),
    },
  } as unknown as DescribedTrace
  const routeOf = (place: number) => {
    const { route, root } = routeTo(described, messages[place]!)
    return { steps: route.map(({ sender, recipient }) => `${sender[2]}${recipient[2]}`), root }
  }
  return { described, messages, routeOf }
}

const TO_FORWARDER: Sent = { from: payer, to: forwarder, sent: 'root', received: 'forward' }
const TO_US: Sent = { from: forwarder, to: ours, sent: 'forward', received: 'credit' }

describe('the route of a message', () => {
  it('begins with the first message of the trace, whose transaction is its root', () => {
    const { routeOf } = traceOf([TO_FORWARDER, TO_US])
    const root = { transaction: hex('root'), isShared: false }
    expect(routeOf(1)).toEqual({ steps: ['12', '23'], root })
    expect(routeOf(0)).toEqual({ steps: ['12'], root })
  })

  it('has no root without the transaction that sent its first message', () => {
    const { routeOf } = traceOf([{ ...TO_FORWARDER, sent: undefined }, TO_US])
    expect(routeOf(1)).toEqual({ steps: ['12', '23'], root: undefined })
  })

  it('begins with what the recipient sent itself', () => {
    const first = { from: payer, to: ours, sent: 'root', received: 'own' }
    const own = { from: ours, to: forwarder, sent: 'own', received: 'forward' }
    const { routeOf } = traceOf([first, own, TO_US])
    expect(routeOf(2)).toEqual({ steps: ['32', '23'], root: undefined })
  })

  it('ends at a transaction that it has passed', () => {
    const there = { from: payer, to: forwarder, sent: 'b', received: 'forward' }
    const back = { from: forwarder, to: payer, sent: 'forward', received: 'b' }
    const { routeOf } = traceOf([there, back, TO_US])
    expect(routeOf(2)).toEqual({ steps: ['21', '12', '23'], root: undefined })
  })

  it('has no cause for the coins that a jetton wallet attaches, but one for what they cause', () => {
    const request = { from: payerWallet, to: ourWallet, sent: 'request', received: 'jetton' }
    const notice = { from: ourWallet, to: ours, sent: 'jetton', received: 'credit' }
    const passed = { from: ours, to: forwarder, sent: 'credit', received: 'forward' }
    const transfers = [{ kind: 'jetton', hash: 'x', receivedIn: base64('jetton') }]
    const { routeOf } = traceOf([request, notice, passed], { transfers })
    expect(routeOf(1)).toEqual({ steps: ['53'], root: undefined })
    expect(routeOf(2).steps).toEqual(['45', '53', '32'])
  })
})

describe('a step of a route', () => {
  it('is shared when its transaction also sent money elsewhere, other than change', () => {
    const elsewhere = { from: forwarder, to: master, sent: 'forward', received: 'other' }
    const change = { ...elsewhere, to: payer }
    const returned = { ...elsewhere, isBounced: true }
    const isShared = (more: Sent[]): boolean | undefined => {
      const { described, messages } = traceOf([TO_FORWARDER, TO_US, ...more])
      return routeTo(described, messages[1]!).route[0].isShared
    }
    expect(isShared([])).toBe(false)
    expect(isShared([change])).toBe(false)
    expect(isShared([returned])).toBe(false)
    expect(isShared([elsewhere])).toBe(true)
    const root = traceOf([TO_FORWARDER, TO_US, { ...TO_FORWARDER, received: 'forward 2' }])
    expect(root.routeOf(1).root).toMatchObject({ isShared: true })
  })

  it('has the fees of its transaction, its comment and canonical hashes', () => {
    const transactions = [
      {
        hash: base64('credit'),
        now: 7,
        total_fees: 100n,
        out_msgs: [{ fwd_fee: 10n, ihr_fee: 1n }, { fwd_fee: 20n }, {}],
      },
    ]
    const message = { ...TO_US, bodyHash: base64('body'), opcode: '0x00000001' }
    const { hash } = messageOf(message)
    const comment = { kind: 'native', hash, comment: 'order-1', encryptedComment: 'x' }
    const { described, messages } = traceOf([message], { transactions, transfers: [comment] })
    expect(routeTo(described, messages[0]!).route).toEqual([
      {
        hash: Buffer.from(hash, 'base64').toString('hex'),
        sender: forwarder,
        recipient: ours,
        value: 5n,
        opcode: '0x00000001',
        bodyHash: hex('body'),
        comment: 'order-1',
        isCommentEncrypted: true,
        transaction: hex('credit'),
        fees: 131n,
        isShared: false,
      },
    ])
    expect(timeOfTransaction(described, base64('credit'))).toBe(7)
    expect(timeOfTransaction(described, base64('other'))).toBe(9)
  })

  it('has no fees, comment or body hash that the index does not tell', () => {
    const { described, messages } = traceOf([TO_US])
    expect(routeTo(described, messages[0]!).route).toMatchObject([
      { bodyHash: undefined, comment: undefined, isCommentEncrypted: false, fees: 0n },
    ])
  })
})

describe('what arrived at a wallet', () => {
  const arrived = (sent: Sent[], transfers: object[] = []) => {
    const { described } = traceOf(sent, { transfers })
    return arrivalsOf(described, new Set([ours]))
  }

  it('is money that its transaction kept', () => {
    expect(arrived([TO_FORWARDER, TO_US])).toMatchObject([
      { account: ours, wallet: ours, txHash: hex('credit'), rawAmount: 5n, utime: 9 },
    ])
  })

  it.each<[string, Partial<Sent>]>([
    ['a returned message', { isBounced: true }],
    ['a message without a transaction', { received: undefined }],
    ['a message that bounced', { outcome: 'bounced' }],
    ['a message on its way', { outcome: 'pending' }],
    ['a message without money', { value: 0n }],
    ['a message to another account', { to: payer }],
  ])('is not %s', (_, changes) => {
    expect(arrived([{ ...TO_US, ...changes }])).toEqual([])
  })

  const request: Sent = { from: payerWallet, to: ourWallet, sent: 'request', received: 'jetton' }
  const transferOf = (changes: object = {}) => ({
    kind: 'jetton',
    hash: 'x',
    receivedIn: base64('jetton'),
    recipient: ours,
    amount: 70n,
    outcome: 'arrived',
    ...changes,
  })

  it('is a jetton that its jetton wallet received', () => {
    expect(arrived([request], [transferOf()])).toMatchObject([
      { account: ourWallet, wallet: ours, txHash: hex('jetton'), rawAmount: 70n },
    ])
  })

  it.each([
    { kind: 'nft' },
    { receivedIn: undefined },
    { recipient: undefined },
    { recipient: 'no address' },
    { recipient: payer },
    { outcome: 'failed' },
  ])('has no transfer with %j', (changes) => {
    expect(arrived([request], [transferOf(changes)])).toEqual([])
  })

  it('has the coins of a notification only while its jetton wallet is not proven', () => {
    const notice: Sent = { from: ourWallet, to: ours, sent: 'jetton', received: 'notice' }
    const arrivals = arrived([request, notice], [transferOf()])
    expect(arrivals.map(({ notifier }) => notifier)).toEqual([undefined, ourWallet])
    const credits = (proven: [string, string][]) =>
      creditsOf(arrivals, new Map(proven)).map(({ asset, rawAmount }) => [asset, rawAmount])
    expect(credits([])).toEqual([['TON', 5n]])
    expect(credits([[ourWallet, master]])).toEqual([[master, 70n]])
  })
})

it('compares accounts whatever their case is', () => {
  const canonical = `0:${'ab'.repeat(32)}`
  expect(isAccount(canonical.toUpperCase(), canonical)).toBe(true)
  expect(isAccount(payer, canonical)).toBe(false)
  expect(isAccount(undefined, canonical)).toBe(false)
})
