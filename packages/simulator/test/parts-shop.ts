import { comment, internal } from '@ton/core'
import { createInvoice, restInvoice } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { expect } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

export const ADD_UP: InvoiceShopOptions = {
  payments: { verifyOnChain: undefined, amounts: { partial: 'add-up' } },
}
export const ANN = { by: 'ann@shop.example' }
export const NOTE = { ...ANN, reason: 'ticket 7' }
export const PRICE = 2_000_000_000n

export type Shop = Awaited<ReturnType<typeof openInvoices>>
export type Wallet = Awaited<ReturnType<Shop['payer']>>
export type OffersShop = Awaited<ReturnType<typeof openOffers>>

/** Opens a shop with an invoice in coins and in USDT, at a rate that holds for 15 minutes. */
export async function openOffers(options: InvoiceShopOptions = ADD_UP, lockMs = 900_000) {
  const shop = await openInvoices(options)
  const { v3, clock } = shop
  const usdt = shop.usdt.master.toString()
  const invoice = await createInvoice({
    price: '2',
    currency: 'USD',
    lockMs,
    accept: ['TON', usdt],
    rates: () => ({ price: '1', at: new Date(clock.nowMs()) }),
    decimals: { [usdt]: 6 },
    wallet: shop.merchant.address.toString({ bounceable: false }),
    v3,
    clock,
  })
  shop.orders.add(invoice.order)
  const { reference } = invoice.order
  const operator = createOperator({ payments: shop.payments, v3 })
  const rest = () => restInvoice({ payments: shop.payments, reference, v3 })
  const pay = async (value: bigint, payer?: Wallet): Promise<void> => {
    const body = comment(reference)
    const from = payer ?? (await shop.payer())
    await from.send([internal({ to: shop.merchant.address, value, bounce: false, body })])
  }
  const status = async () => {
    for await (const event of shop.payments.watchStatus(reference)) return event
    return undefined
  }
  const run = async (): Promise<void> => {
    await shop.pass(120)
    await shop.watcher.run()
    for (let step = 0; step < 20; step++) await shop.clock.advance(1000)
  }
  /** Runs the watcher, and waits for the decisions that follow. Those about a released refund ask the index. */
  const find = async (): Promise<void> => {
    await run()
    const undecided = async () => {
      const reports = await shop.inbox.reports.list({ state: ['parked', 'undecided'], limit: 10 })
      if (reports.length > 0) await shop.clock.advance(1000)
      return reports.filter(({ source }) => source !== 'webhook').length
    }
    await expect.poll(undecided).toBe(0)
    for (let step = 0; step < 5; step++) await shop.clock.advance(1000)
  }
  const order = async () => shop.orders.find({ reference })
  return {
    ...shop,
    reference,
    operator,
    usdtAsset: invoice.offers[1]!.asset,
    rest,
    pay,
    status,
    run,
    find,
    order,
  }
}

/** Opens an order with two halves. A refund of the first one was proposed before the second one arrived. */
export async function openHalfRefunded(options: InvoiceShopOptions = ADD_UP) {
  const shop = await openOffers(options, 86_400_000)
  await shop.pay(PRICE / 2n)
  await shop.find()
  const [first] = await shop.operator.list({ reference: shop.reference })
  const half = { transactionHash: first!.txHash }
  const proposed = await shop.operator.refund(half, ANN)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  const { request } = proposed
  await shop.pay(PRICE / 2n)
  await shop.find()
  expect(shop.paid).toEqual([])
  const sign = async (): Promise<void> => {
    await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
    await shop.merchant.pay(request)
  }
  const uses = async () => {
    const period = { fromUtime: 0, limit: 100 }
    const credits = await shop.inbox.credits.list(period)
    return credits
      .flatMap((one) => one.uses.map((use) => `${use.kind} ${use.rawAmount}`))
      .toSorted()
  }
  return { ...shop, half, request, sign, uses }
}

/** Opens an order with a half whose refund was released, then sent by a wallet that ignores the end of a request. */
export async function openReturnedHalf(
  options: InvoiceShopOptions,
  pay: (shop: OffersShop) => Promise<void>,
) {
  const shop = await openOffers(options, 86_400_000)
  await pay(shop)
  await shop.find()
  const [first] = await shop.operator.list({ reference: shop.reference })
  const half = { transactionHash: first!.txHash }
  const proposed = await shop.operator.refund(half, ANN)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  await shop.pass(5000)
  await shop.find()
  expect(await shop.status()).toMatchObject({ status: 'partially_paid' })
  await shop.chain.fund(shop.merchant.address, 1_000_000_000n)
  const send = () => shop.merchant.pay({ ...proposed.request, validUntil: 2 ** 31 })
  return { ...shop, half, send }
}

export const ton = (units: bigint) => ({ asset: 'TON', rawAmount: `${units}` })

export function usdtLink(
  { merchant, usdt, reference }: Shop & { reference: string },
  amount: bigint,
) {
  return `ton://transfer/${merchant.address.toString()}?amount=${amount}&text=${reference}&jetton=${usdt.master.toString()}`
}
