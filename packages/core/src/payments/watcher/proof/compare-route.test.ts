import { Address, beginCell, type Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { InternalMessage } from '../../../proof/message.js'
import { ProofError } from '../../../proof/proof-error.js'
import { readCellTree } from '../../../proof/read-cells.js'
import type { ProvenTransaction } from '../../../proof/transaction.js'
import { compareRoute } from './compare-route.js'
import type { ShownCredit, ShownMessage, WitnessVerdict } from './credit-witness.js'

const [payer, ours, payerWallet, ourWallet, master, other] = ['1', '2', '3', '4', '5', '6'].map(
  (digit) => `0:${digit.repeat(64)}`,
) as [string, string, string, string, string, string]

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex')
const text = beginCell().storeUint(0, 32).storeStringTail('order-1').endCell()

/** The content of a transaction's cell. */
interface Shown extends Partial<Omit<ProvenTransaction, 'hash' | 'message' | 'account'>> {
  hash?: string
  account?: string
  message?: Partial<Omit<InternalMessage, 'body' | 'hash'>> & { hash?: string; cell?: Cell }
  isExternal?: boolean
}

/** A transaction that received a message, which its sender sent as the first one. */
function transactionOf(claimed: ShownMessage, cell: Cell, shown: Shown = {}): ProvenTransaction {
  const { hash = claimed.transaction.hash, account, message = {}, isExternal, ...more } = shown
  const { hash: messageHash = claimed.hash, cell: body = cell, ...others } = message
  const internal: InternalMessage = {
    kind: 'internal',
    hash: bytes(messageHash),
    source: claimed.sender,
    destination: claimed.recipient,
    value: claimed.value,
    isBounced: false,
    createdLt: claimed.transaction.lt - 99n,
    body: readCellTree(body.toBoc()),
    ...others,
  }
  return {
    hash: bytes(hash),
    account: bytes(account ?? claimed.recipient.slice(2)),
    lt: claimed.transaction.lt,
    previous: { hash: bytes(hex(0)), lt: 0n },
    utime: 7,
    sentCount: 2,
    message: isExternal === true ? { kind: 'external' } : internal,
    description: { kind: 'ordinary', isAborted: false, isExecuted: true, hasBouncePhase: false },
    ...more,
  }
}

/** A message of a route, by its place; it arrives 100 later than the one before. */
function claimOf(place: number, sender: string, recipient: string, body: Cell): ShownMessage {
  return {
    hash: hex(10 + place),
    sender,
    recipient,
    value: 5n,
    bodyHash: body.hash().toString('hex'),
    transaction: { hash: hex(20 + place), lt: BigInt(100 * (place + 1)) },
  }
}

/** Compares a claim with transactions. @returns also which of them were read */
async function compare(
  claim: ShownCredit,
  bodies: Cell[],
  shown: Shown[] = [],
): Promise<{ verdict: WitnessVerdict; read: number[] }> {
  const read: number[] = []
  const verdict = await compareRoute(claim, async (claimed) => {
    const place = claim.route.indexOf(claimed)
    read.push(place)
    return { transaction: transactionOf(claimed, bodies[place]!, shown[place]) }
  })
  return { verdict, read }
}

const coins: ShownCredit = {
  account: ours,
  wallet: ours,
  asset: 'TON',
  rawAmount: 5n,
  utime: 7,
  route: [claimOf(0, payer, ours, text)],
}

const CONFIRMED = { kind: 'confirmed' }
const differing = (detail: string) => ({ kind: 'differs', detail: expect.stringContaining(detail) })

describe('a credit of coins', () => {
  it('is confirmed by its transaction', async () => {
    expect(await compare(coins, [text])).toEqual({ verdict: CONFIRMED, read: [0] })
  })

  it.each<[string, Shown]>([
    ['hash of the transaction', { hash: hex(1) }],
    ['account of the transaction', { account: hex(1) }],
    ['message of the transaction', { message: { hash: hex(1) } }],
    ['sender of the transaction', { message: { source: other } }],
    ['recipient of the transaction', { message: { destination: other } }],
    ['value of the transaction', { message: { value: 6n } }],
    ['body of the transaction', { message: { cell: beginCell().endCell() } }],
    ['isBounced of the transaction', { message: { isBounced: true } }],
    ['was not caused by another account', { isExternal: true }],
    ['the time in the cell is 8', { utime: 8 }],
    ['is not an ordinary one', { description: { kind: 'other' } }],
    [
      'the money was returned',
      {
        description: { kind: 'ordinary', isAborted: true, isExecuted: true, hasBouncePhase: true },
      },
    ],
  ])('differs in the %s', async (detail, shown) => {
    expect((await compare(coins, [text], [shown])).verdict).toEqual(differing(detail))
  })

  it.each<[string, Partial<ShownCredit>]>([
    ['the amount in the cell is 5', { rawAmount: 6n }],
    ['is not the wallet', { wallet: other }],
    ['the money went to', { account: other }],
  ])('differs from another claim: %s', async (detail, changes) => {
    const { verdict } = await compare({ ...coins, ...changes }, [text])
    expect(verdict).toEqual(differing(detail))
  })

  it('is compared without a body hash that the index does not tell', async () => {
    const { bodyHash: _, ...message } = coins.route[0]
    expect((await compare({ ...coins, route: [message] }, [text])).verdict).toEqual(CONFIRMED)
  })

  it('arrives at an account whose contract fails', async () => {
    const description = { kind: 'ordinary', isAborted: true, isExecuted: false } as const
    const shown: Shown = { description: { ...description, hasBouncePhase: false } }
    expect((await compare(coins, [text], [shown])).verdict).toEqual(CONFIRMED)
  })

  describe('that a contract has passed on', () => {
    const via: ShownCredit = {
      ...coins,
      route: [claimOf(0, payer, other, text), claimOf(1, other, ours, text)],
    }
    const sentAt = (createdLt: bigint) =>
      compare(via, [text, text], [{}, { message: { createdLt } }])

    it('is compared with each transaction, the last one first', async () => {
      expect(await compare(via, [text, text])).toEqual({ verdict: CONFIRMED, read: [1, 0] })
    })

    it.each([
      [100n, false],
      [101n, true],
      [102n, true],
      [103n, false],
    ])('was sent at %i by the transaction of 100: %s', async (createdLt, isSent) => {
      const { verdict } = await sentAt(createdLt)
      expect(verdict).toEqual(isSent ? CONFIRMED : differing('did not send its message'))
    })

    it('was not sent by another account', async () => {
      const route = [claimOf(0, payer, master, text), claimOf(1, other, ours, text)] as const
      const { verdict } = await compare({ ...via, route }, [text, text])
      expect(verdict).toEqual(differing('did not send its message'))
    })
  })
})

describe('a credit of jettons', () => {
  const address = (one: string) => Address.parse(one)
  const creditBody = (from: string | null, amount = 70n, queryId = 1) =>
    beginCell()
      .storeUint(0x178d4519, 32)
      .storeUint(queryId, 64)
      .storeCoins(amount)
      .storeAddress(from === null ? null : address(from))
      .storeAddress(address(payer))
      .storeCoins(1)
      .storeBit(false)
      .endCell()
  const request = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(1, 64)
    .storeCoins(70n)
    .storeAddress(address(ours))
    .storeAddress(address(payer))
    .storeBit(false)
    .storeCoins(1)
    .storeBit(false)
    .endCell()
  const body = creditBody(payer)
  const claim: ShownCredit = {
    account: ourWallet,
    wallet: ours,
    asset: master,
    rawAmount: 70n,
    utime: 7,
    route: [claimOf(0, payer, payerWallet, request), claimOf(1, payerWallet, ourWallet, body)],
  }
  const bodies = [request, body]

  it('proves the message of its payer, so that no other transaction is read', async () => {
    expect(await compare(claim, bodies)).toEqual({ verdict: CONFIRMED, read: [1] })
  })

  it.each<[string, ShownCredit, Cell[]]>([
    [
      'the transfer has a custom payload',
      {
        ...claim,
        route: [claimOf(0, payer, payerWallet, text), claimOf(1, payerWallet, ourWallet, body)],
      },
      [text, body],
    ],
    [
      'the index tells no body of the transfer',
      {
        ...claim,
        route: [
          { ...claimOf(0, payer, payerWallet, request), bodyHash: undefined },
          claimOf(1, payerWallet, ourWallet, body),
        ],
      },
      bodies,
    ],
  ])('is compared with the transfer when %s', async (_, given, cells) => {
    expect(await compare(given, cells)).toEqual({ verdict: CONFIRMED, read: [1, 0] })
  })

  it('is compared with all transactions of a longer route', async () => {
    const from = creditBody(other)
    const route = [
      claimOf(0, payer, other, request),
      claimOf(1, other, payerWallet, request),
      claimOf(2, payerWallet, ourWallet, from),
    ] as const
    const { read, verdict } = await compare({ ...claim, route }, [request, request, from])
    expect({ read, verdict }).toEqual({ read: [2, 1, 0], verdict: CONFIRMED })
  })

  it('differs when the transfer of a longer route went to another wallet in between', async () => {
    const route = [
      claimOf(0, payer, payerWallet, request),
      claimOf(1, payerWallet, other, request),
      claimOf(2, payerWallet, ourWallet, body),
    ] as const
    // The sender in the cell is that of the message before.
    const from = creditBody(payerWallet)
    const last = claimOf(2, payerWallet, ourWallet, from)
    const given = { ...claim, route: [route[0], route[1], last] } as const
    const { verdict } = await compare(given, [request, request, from])
    expect(verdict).toEqual(differing('did not send its message'))
  })

  it('differs when the transfer did not go to the wallet that sent the credit', async () => {
    const route = [
      claimOf(0, payer, other, request),
      claimOf(1, payerWallet, ourWallet, body),
    ] as const
    const { read, verdict } = await compare({ ...claim, route }, bodies)
    expect(read).toEqual([1, 0])
    expect(verdict).toEqual(differing('did not send its message'))
  })

  it('has no sender to compare when its own message is the first one', async () => {
    const route = [claimOf(0, payerWallet, ourWallet, body)] as const
    expect((await compare({ ...claim, route }, [body])).verdict).toEqual(CONFIRMED)
  })

  it.each<[string, Cell, Partial<ShownCredit>, Shown]>([
    ['the sender in the cell is 0:6', creditBody(other), {}, {}],
    ['the sender in the cell is missing', creditBody(null), {}, {}],
    ['the amount in the cell is 70', body, { rawAmount: 71n }, {}],
    [
      'did not accept the transfer',
      body,
      {},
      {
        description: { kind: 'ordinary', isAborted: true, isExecuted: false, hasBouncePhase: true },
      },
    ],
    ['internal_transfer', request, {}, {}],
  ])('differs: %s', async (detail, cell, changes, shown) => {
    const route = [
      claimOf(0, payer, payerWallet, request),
      claimOf(1, payerWallet, ourWallet, cell),
    ] as const
    const { verdict } = await compare({ ...claim, route, ...changes }, [request, cell], [{}, shown])
    expect(verdict).toEqual(differing(detail))
  })
})

describe('a transaction that cannot be read', () => {
  it('has the verdict of the reader, or its error', async () => {
    const verdict: WitnessVerdict = { kind: 'pending', reason: 'not_found', detail: 'none' }
    expect(await compareRoute(coins, async () => verdict)).toEqual(verdict)
    const error = new ProofError('not_covered', 'withheld')
    await expect(compareRoute(coins, () => Promise.reject(error))).rejects.toBe(error)
  })
})
