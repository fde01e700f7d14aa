import { Address, beginCell, comment, internal, toNano, type MessageRelaxed } from '@ton/core'
import { createOperator } from '@tonplug/core/operator'
import { expect } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>
type Wallet = Awaited<ReturnType<Shop['payer']>>

const ANN = { by: 'ann@shop.example' }
/** No contract is deployed there, so a message that asks for it comes back. */
const NOBODY = new Address(0, Buffer.alloc(32, 0x0b))
const JETTON_FEES = toNano('0.1')
/** Messages in one transaction of a payer. */
const BATCH = 200

/** The sums that the books must have. */
interface ExpectedBooks {
  payments: number
  credits: Record<'TON' | 'USDT', bigint>
  refunds: Record<'TON' | 'USDT', bigint>
}

/** Opens a shop whose chain keeps all transactions. Its wallet is not deployed, so a message to it can come back. */
export async function openBooks(options: InvoiceShopOptions = {}) {
  const shop = await openInvoices({
    payments: { verifyOnChain: undefined },
    chain: { maxTransactions: 1_000_000 },
    ...options,
  })
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  const { merchant, usdt } = shop
  const [payer, stranger] = [await shop.payer(), await shop.payer()]
  await usdt.mint(payer.address, 10n ** 15n)
  await shop.chain.fund(payer.address, toNano(1_000_000))
  await payer.send([internal({ to: merchant.address, value: toNano(3), bounce: true })])
  const expected: ExpectedBooks = {
    payments: 0,
    credits: { TON: 0n, USDT: 0n },
    refunds: { TON: 0n, USDT: 0n },
  }
  return { ...shop, operator, payer, stranger, expected }
}

export type BooksShop = Awaited<ReturnType<typeof openBooks>>

/** Pays orders and sends money without orders, in both assets; then refunds some, and moves money out in several ways. */
export async function trade(shop: BooksShop, payments: number): Promise<void> {
  for (let sent = 0; sent < payments; sent += BATCH) {
    const messages: MessageRelaxed[] = []
    for (let index = sent; index < Math.min(sent + BATCH, payments); index++) {
      messages.push(...(await paymentOf(shop, index)))
    }
    await shop.payer.send(messages)
    await shop.stranger.send(dust(shop, Math.ceil(Math.min(BATCH, payments - sent) / 10)))
    await shop.look()
    await refundOne(shop, 'TON')
    await refundOne(shop, 'USDT')
    await moveOut(shop, sent / BATCH)
  }
}

/** Returns transfers that are too small for a credit. */
function dust({ merchant }: BooksShop, count: number): MessageRelaxed[] {
  return Array.from({ length: count }, () => coins(merchant.address, 1_234_567n, ''))
}

/** Returns one of nine kinds of payments; each tenth one is missing. */
async function paymentOf(shop: BooksShop, index: number): Promise<MessageRelaxed[]> {
  const { expected } = shop
  const kind = index % 10
  expected.payments++
  const amount = BigInt(1 + (index % 7))
  if (kind < 4) {
    const { order } = await shop.open({ asset: 'TON', amount: `${amount}` })
    expected.credits.TON += order.rawAmount
    return [coins(shop.merchant.address, order.rawAmount, order.reference)]
  }
  if (kind < 6) {
    const value = toNano(amount) / 3n
    expected.credits.TON += value
    return [coins(shop.merchant.address, value, '')]
  }
  if (kind === 6) return []
  const asset = shop.usdt.master.toString()
  const { order } = await shop.open({ asset, amount: `${amount}` })
  expected.credits.USDT += order.rawAmount
  const text = kind === 9 ? '' : order.reference
  const transfer = { to: shop.merchant.address, amount: order.rawAmount, text }
  return [jettons(shop, shop.payer, transfer)]
}

function coins(to: Address, value: bigint, text: string, bounce = false): MessageRelaxed {
  const body = text === '' ? beginCell().endCell() : comment(text)
  return internal({ to, value, bounce, body })
}

/** Returns the request of a jetton transfer. */
export function jettons(
  { usdt }: BooksShop,
  from: Wallet,
  { to, amount, text = '' }: { to: Address; amount: bigint; text?: string },
): MessageRelaxed {
  const forwardPayload = text === '' ? {} : { forwardPayload: comment(text) }
  const parties = { from: from.address, to, response: from.address }
  return usdt.transferMessage({
    ...parties,
    amount,
    forwardCoins: 1n,
    value: JETTON_FEES,
    ...forwardPayload,
  })
}

/** Refunds the newest payment without an order in an asset. */
async function refundOne(shop: BooksShop, asset: 'TON' | 'USDT'): Promise<void> {
  const { operator, expected, usdt } = shop
  const id = asset === 'TON' ? 'TON' : usdt.master.toRawString()
  const listed = await operator.list({ decision: 'unknown_order', limit: 100 })
  const one = listed.find(
    ({ action, transfer }) =>
      action !== 'none' && transfer?.asset.toLowerCase() === id.toLowerCase(),
  )
  if (one === undefined) return
  const request = { transactionHash: one.txHash, anyJetton: true }
  const proposed = await operator.refund(request, ANN)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  await shop.merchant.pay(proposed.request)
  expect(await operator.refund(request, ANN)).toMatchObject({ state: 'refunded' })
  expected.refunds[asset] += BigInt(one.transfer!.rawAmount)
}

/** Sends coins and jettons of the shop: some arrive, some come back, some are burned, and some requests fail. */
async function moveOut(shop: BooksShop, round: number): Promise<void> {
  const { merchant, stranger, usdt } = shop
  const amount = 1_000_001n + BigInt(round)
  const balance = await usdt.balanceOf(merchant.address)
  await merchant.send([
    coins(stranger.address, toNano('0.7') + BigInt(round), 'salary'),
    coins(NOBODY, toNano('0.3'), '', true),
    jettons(shop, merchant, { to: stranger.address, amount, text: 'supplier' }),
    // More than there is: the request fails, and its coins come back.
    jettons(shop, merchant, { to: stranger.address, amount: balance * 2n }),
    internal({
      to: usdt.walletOf(merchant.address),
      value: JETTON_FEES,
      body: burnBody(7n, merchant.address),
    }),
  ])
}

function burnBody(amount: bigint, response: Address) {
  return beginCell()
    .storeUint(0x595f07bc, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(response)
    .storeMaybeRef(null)
    .endCell()
}

/** Checks the books against the contracts, the trade and the ledger. */
export async function expectBalanced(shop: BooksShop): Promise<void> {
  const { operator, merchant, usdt, chain, expected } = shop
  const books = await operator.balance(merchant.address.toString())
  expect(books.accounts.flatMap(({ alarms }) => alarms)).toEqual([])
  expect(books.state).toBe('balanced')
  const [native, jetton] = books.accounts
  expect(native).toMatchObject({
    account: merchant.address.toRawString(),
    asset: 'TON',
    opening: 0n,
    credits: expected.credits.TON,
    refunds: expected.refunds.TON,
    closing: (await chain.account(merchant.address)).balance,
    difference: 0n,
  })
  expect(jetton).toMatchObject({
    account: usdt.walletOf(merchant.address).toRawString(),
    asset: usdt.master.toRawString(),
    opening: 0n,
    credits: expected.credits.USDT,
    refunds: expected.refunds.USDT,
    fees: 0n,
    closing: await usdt.balanceOf(merchant.address),
    difference: 0n,
  })
}

/** Checks that the export has what the ledger and the chain have, to the last unit. */
export async function expectExported({ operator, merchant, usdt, expected }: BooksShop) {
  const { accounts } = await operator.balance(merchant.address.toString())
  const sums: Record<string, bigint> = {}
  for await (const row of operator.export({ decimals: { [usdt.master.toRawString()]: 6 } })) {
    const isFee = row.type === 'refund_fee' && row.recipient === ''
    const key = `${row.asset === 'TON' ? 'TON' : 'USDT'} ${isFee ? 'fees' : row.type}`
    sums[key] = (sums[key] ?? 0n) + BigInt(row.raw_amount)
  }
  const [coins, jettons] = [accounts[0]!, accounts[1]!]
  expect(sums).toEqual({
    'TON credit': expected.credits.TON,
    'USDT credit': expected.credits.USDT,
    'TON refund': expected.refunds.TON,
    'USDT refund': expected.refunds.USDT,
    'TON refund_fee': expect.any(BigInt),
    'TON fees': expect.any(BigInt),
    'TON outgoing': coins.otherOut - (sums['TON refund_fee'] ?? 0n),
    'USDT outgoing': jettons.otherOut,
  })
  expect([coins.credits, jettons.credits]).toEqual([expected.credits.TON, expected.credits.USDT])
  expect([coins.refunds, jettons.refunds]).toEqual([expected.refunds.TON, expected.refunds.USDT])
  expect(sums['TON fees']).toBeLessThan(coins.fees)
}
