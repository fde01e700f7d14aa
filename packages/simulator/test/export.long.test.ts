import { Address, comment, internal, toNano } from '@ton/core'
import { createOperator, type ExportRow, type Refund } from '@tonplug/core/operator'
import { describe, expect, it } from 'vitest'
import { openInvoices } from './invoice-shop.js'

const ANN = { by: 'ann@shop.example' }
/** No contract is deployed there, so a message that asks for it comes back. */
const NOBODY = new Address(0, Buffer.alloc(32, 0x0b))
const PRICE = toNano(2)
const DAY_SECONDS = 86_400

/** Opens a shop that has received money without an order, in coins or USDT. */
async function openPaid(asset: 'TON' | 'USDT' = 'TON') {
  const shop = await openInvoices({ payments: { verifyOnChain: undefined } })
  const { payments, v3, merchant, usdt, clock } = shop
  const operator = createOperator({ payments, v3 })
  const payer = await shop.payer()
  await usdt.mint(payer.address, PRICE)
  const to = merchant.address
  const parties = { from: payer.address, to, response: payer.address }
  await shop.open({ asset: usdt.master.toString(), amount: '1' })
  await payer.send([
    asset === 'TON'
      ? internal({ to, value: PRICE, bounce: false })
      : usdt.transferMessage({ ...parties, amount: PRICE, forwardCoins: 1n, value: toNano('0.1') }),
  ])
  await shop.chain.fund(to, toNano(10))
  const look = async (): Promise<void> => {
    await shop.pass(120)
    await shop.watcher.run()
    for (let step = 0; step < 20; step++) await clock.advance(1000)
  }
  await look()
  const listed = await operator.list({ decision: 'unknown_order', limit: 10 })
  const paid = listed.find(({ transfer }) => transfer?.rawAmount === `${PRICE}`)
  const hash = paid!.txHash
  return {
    ...shop,
    operator,
    hash,
    look,
    /** Opens the refund. */
    async propose() {
      const refund = await operator.refund({ transactionHash: hash, anyJetton: true }, ANN)
      if (refund.state !== 'proposed') throw new Error(`the refund is ${refund.state}`)
      return refund.request
    },
    /** Signs the message of a refund, also after its end, and waits until it is in the index. */
    async sign(request: (Refund & { state: 'proposed' })['request']): Promise<void> {
      await merchant.pay({ ...request, validUntil: 2 ** 31 })
      await look()
    },
    /** Lets a day pass. @returns the beginning of the next period */
    async nextPeriod(): Promise<Date> {
      await shop.pass(DAY_SECONDS)
      await look()
      const start = new Date(clock.nowMs())
      await shop.pass(60)
      return start
    },
  }
}

type PaidShop = Awaited<ReturnType<typeof openPaid>>

/** Returns what was spent, except fees, as the type and the amount. */
async function spent(
  { operator }: Pick<PaidShop, 'operator'>,
  period: { from?: Date; before?: Date } = {},
): Promise<string[]> {
  const rows: ExportRow[] = []
  for await (const row of operator.export(period)) rows.push(row)
  return rows
    .filter(({ direction, type }) => direction === 'out' && type !== 'refund_fee')
    .map(({ type, status, raw_amount: amount }) => [type, status, amount].filter(Boolean).join(' '))
}

describe('the rows of what wallets have sent', () => {
  it('has a refund that came back and was sent again once, and the first transfer as another', async () => {
    const shop = await openPaid()
    const request = await shop.propose()
    const body = comment(`refund ${shop.hash}`)
    await shop.merchant.send([internal({ to: NOBODY, value: PRICE, bounce: true, body })])
    await shop.look()
    expect(await spent(shop)).toEqual([`outgoing ${PRICE}`])
    await shop.sign(request)
    expect(await spent(shop)).toEqual([`outgoing ${PRICE}`, `refund refunded ${PRICE}`])
  })

  it.each(['TON', 'USDT'] as const)(
    'has the second transfer of a refund in %s as another one, also in a later period',
    async (asset) => {
      const shop = await openPaid(asset)
      if (asset === 'USDT') await shop.usdt.mint(shop.merchant.address, PRICE)
      const request = await shop.propose()
      await shop.sign(request)
      const start = await shop.nextPeriod()
      await shop.sign(request)
      const attached = asset === 'TON' ? [] : [`outgoing ${request.messages[0]?.amount}`]
      const first = [`refund refunded ${PRICE}`]
      const second = [...attached, `outgoing ${PRICE}`]
      expect(await spent(shop, { before: start })).toEqual(first)
      expect(await spent(shop, { from: start })).toEqual(second)
      const all = await spent(shop)
      expect(all.toSorted()).toEqual([...first, ...second].toSorted())
    },
  )

  it('has a refund that was sent after its release once', async () => {
    const shop = await openPaid()
    const request = await shop.propose()
    await shop.pass(5000)
    await shop.look()
    const [credit] = await shop.inbox.credits.find({ hashes: [shop.hash] })
    expect(credit).toMatchObject({ uses: [], releasedRefunds: 1 })
    const order = { name: shop.payments.name, merchant: '', reference: 'order-1' }
    const claim = { ...order, payments: [`credit:${credit!.id}`] }
    expect(await shop.inbox.credits.claim(claim)).toBe(true)
    await shop.sign(request)
    expect(await spent(shop)).toEqual([`refund refunded ${PRICE}`])
  })

  it('has a refund in the period in which it was sent, with the operator and the reason', async () => {
    const shop = await openPaid()
    const start = await shop.nextPeriod()
    const request = await shop.propose()
    expect(await spent(shop)).toEqual([])
    await shop.sign(request)
    expect(await spent(shop, { before: start })).toEqual([])
    expect(await spent(shop, { from: start })).toEqual([`refund refunded ${PRICE}`])
    const rows: ExportRow[] = []
    for await (const row of shop.operator.export({ from: start })) rows.push(row)
    const sent = await shop.operator.refund({ transactionHash: shop.hash }, ANN)
    expect(sent.state).toBe('refunded')
    expect(rows).toContainEqual(
      expect.objectContaining({
        type: 'refund',
        decision: 'refund',
        operator: ANN.by,
        comment: `refund ${shop.hash}`,
        transaction: 'txHash' in sent ? sent.txHash : '',
      }),
    )
  })

  it('has a refund by the time of its proposal without a client of API v3', async () => {
    const shop = await openPaid()
    const operator = createOperator({ payments: shop.payments })
    const start = await shop.nextPeriod()
    await shop.propose()
    expect(await spent({ operator }, { before: start })).toEqual([])
    expect(await spent({ operator }, { from: start })).toEqual([`refund opened ${PRICE}`])
    const end = new Date(shop.clock.nowMs() + 1000)
    expect(await spent({ operator }, { from: end })).toEqual([])
  })

  it('has transfers of the wallets of the ledger in a period without credits', async () => {
    const shop = await openInvoices({ payments: { verifyOnChain: undefined, wallets: undefined } })
    const { merchant, payments, v3, chain, clock } = shop
    const wallet = merchant.address.toRawString()
    await chain.fund(merchant.address, toNano(10))
    const txHash = '1'.repeat(64)
    const step = { hash: txHash, sender: wallet, recipient: wallet, value: 1n, fees: 0n }
    await shop.inbox.credits.store([
      {
        id: 'a',
        account: wallet,
        wallet,
        txHash,
        asset: 'TON',
        rawAmount: 1n,
        traceId: txHash,
        utime: 1000,
        route: [{ ...step, isCommentEncrypted: false, transaction: txHash, isShared: false }],
      },
    ])
    const start = new Date(clock.nowMs())
    await shop.pass(60)
    await merchant.send([internal({ to: NOBODY, value: PRICE, bounce: false })])
    await shop.pass(60)
    const operator = createOperator({ payments, v3 })
    expect(await spent({ operator }, { from: start })).toEqual([`outgoing ${PRICE}`])
  })
})
