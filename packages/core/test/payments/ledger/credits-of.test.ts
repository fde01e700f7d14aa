import { Address, beginCell } from '@ton/core'
import { transferBody } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { parseTrace } from '../../../src/toncenter/chain/parse-trace.js'
import { creditId, type Credit } from '../../../src/payments/ledger/credit.js'
import { arrivalsOf, creditsOf } from '../../../src/payments/watcher/proof/credits-of.js'
import {
  bouncedBy,
  NOT_RUN,
  writeTrace,
  type WrittenTransaction,
} from '../../toncenter/sending/written-trace.js'

const account = (fill: number): Address => new Address(0, Buffer.alloc(32, fill))
const [payer, shop, relay, buyer, other] = [1, 2, 3, 4, 5].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const [payerWallet, shopWallet, master] = [6, 7, 8].map(account) as [Address, Address, Address]
const note = (text: string) => beginCell().storeUint(0, 32).storeStringTail(text).endCell()

const start = (...out: WrittenTransaction[]): WrittenTransaction => ({
  in: { from: null, to: payer },
  out,
})
const sends = (
  from: Address,
  value: bigint,
  more: Partial<WrittenTransaction> & { body?: ReturnType<typeof note>; to?: Address } = {},
): WrittenTransaction => {
  const { to = shop, body, ...rest } = more
  return { in: { from, to, value, ...(body !== undefined && { body }) }, ...rest }
}

/** Returns the credits of the shop in a trace. */
async function read(root: WrittenTransaction, isProven = true): Promise<Credit[]> {
  const { traces, metadata } = await writeTrace(root)
  const [trace] = traces
  if (trace === undefined) throw new TypeError('no trace')
  const described = { trace, description: parseTrace(trace, { metadata }) }
  const arrivals = arrivalsOf(described, new Set([shop.toRawString()]))
  const proven = isProven ? [[shopWallet.toRawString(), master.toRawString()] as const] : []
  return creditsOf(arrivals, new Map(proven))
}

const amounts = (credits: readonly Credit[]): string[] =>
  credits.map(({ rawAmount, asset }) => `${rawAmount} ${asset === 'TON' ? asset : 'jetton'}`)

/** A jetton transfer to the shop, with the notification and its coins. */
const jettons: WrittenTransaction = {
  in: {
    from: payer,
    to: payerWallet,
    value: 100n,
    body: transferBody({ amount: 7n, to: shop, response: payer, forwardCoins: 1n }),
  },
  out: [
    {
      in: {
        from: payerWallet,
        to: shopWallet,
        value: 50n,
        body: beginCell().storeUint(0x178d4519, 32).storeUint(0, 64).storeCoins(7n).endCell(),
      },
      out: [sends(shopWallet, 1n, { description: NOT_RUN })],
    },
  ],
}

describe('the credits of a trace', () => {
  it('S117 are two for two equal payments of one transaction, with ids of their own', async () => {
    const credits = await read(start(sends(payer, 5n), sends(payer, 5n)))
    expect(amounts(credits)).toEqual(['5 TON', '5 TON'])
    expect(new Set(credits.map(({ id }) => id)).size).toBe(2)
    for (const credit of credits) {
      expect(credit.id).toMatch(/^[0-9a-f]{32}$/)
      expect(creditId(credit)).toBe(credit.id)
    }
  })

  it('are not added up where a contract passes a payment on in parts', async () => {
    const parts = [sends(relay, 3n), sends(relay, 2n)]
    const credits = await read(start(sends(payer, 5n, { to: relay, out: parts })))
    expect(amounts(credits)).toEqual(['3 TON', '2 TON'])
  })

  it('have the messages of their own buyer in the batch of a relay', async () => {
    const batch = [buyer, other].map((from) =>
      sends(relay, 9n, { to: from, out: [sends(from, 5n, { body: note(from.toString()) })] }),
    )
    const credits = await read(start(sends(payer, 20n, { to: relay, out: batch })))
    const comments = credits.map(({ route }) => route.flatMap(({ comment = '' }) => comment))
    expect(comments).toEqual([
      ['', '', buyer.toString()],
      ['', '', other.toString()],
    ])
    expect(credits.map(({ route }) => route.map(({ isShared }) => isShared))).toEqual([
      [true, false, false],
      [true, false, false],
    ])
  })

  it('do not contain what bounced, and have no cause in what the wallet sent itself', async () => {
    const back = { in: { from: shop, to: payer, value: 4n, bounced: true } }
    const bounced = sends(payer, 5n, { description: bouncedBy(9), out: [back] })
    const own = sends(payer, 1n, { out: [sends(shop, 5n)] })
    const credits = await read(start(bounced, own))
    expect(amounts(credits)).toEqual(['1 TON', '5 TON'])
    expect(credits.map(({ route }) => route.length)).toEqual([1, 1])
  })

  it('leave out the coins of the notification of a jetton transfer', async () => {
    const [credit, ...more] = await read(start(jettons))
    expect(more).toEqual([])
    expect(credit).toMatchObject({
      account: shopWallet.toRawString(),
      wallet: shop.toRawString(),
      asset: master.toRawString(),
      rawAmount: 7n,
    })
  })

  it('S93 leave out jettons whose wallet is not proven, and keep the coins that came with them', async () => {
    const credits = await read(start(jettons), false)
    expect(amounts(credits)).toEqual(['1 TON'])
    expect(credits[0]?.route).toHaveLength(1)
  })
})
