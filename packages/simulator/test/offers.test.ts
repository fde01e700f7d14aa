import { createInvoice } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { openInvoices } from './invoice-shop.js'

/** A body hash binds the native offer, so that no proof allows another body. */
const BY_AMOUNT = {
  watcher: { matchBy: ['amount'] },
  payments: { verifyOnChain: undefined },
} as const

/** Opens a shop with an invoice of 12.50 USD, payable in coins and in USDT. */
async function openOffers(options: Parameters<typeof openInvoices>[0] = {}) {
  const shop = await openInvoices(options)
  const wallet = shop.merchant.address.toString({ bounceable: false })
  const usdt = shop.usdt.master.toString()
  const { v3, clock } = shop
  const invoice = await createInvoice({
    price: '12.50',
    currency: 'USD',
    accept: ['TON', usdt],
    rates: (asset) => ({ price: asset === 'TON' ? '5.23' : '0.999', at: new Date(clock.nowMs()) }),
    decimals: { [usdt]: 6 },
    wallet,
    v3,
    clock,
  })
  shop.orders.add(invoice.order)
  const [native, jetton] = invoice.offers
  if (native === undefined || jetton === undefined) throw new Error('expected two offers')
  const stored = async () => shop.orders.find({ reference: invoice.order.reference })
  return { ...shop, invoice, native, jetton, stored }
}

describe('an invoice with a price in a currency', () => {
  it.each(['native', 'jetton'] as const)(
    'S127 S102 S152 is paid on the chain by its %s offer, by link and by TON Connect',
    async (name) => {
      for (const way of ['link', 'messages', 'items']) {
        const shop = await openOffers()
        const offer = shop[name]
        const wallet = await shop.payer()
        const sender = way === 'messages' ? wallet.address.toString() : undefined
        await wallet.pay(way === 'link' ? offer.link : await offer.tonConnect({ sender }))
        expect(await shop.look()).toEqual(['paid'])
        const { asset, rawAmount } = offer
        expect((await shop.stored())?.payment).toMatchObject({
          asset,
          rawAmount,
          offer: {
            asset,
            rawAmount: `${rawAmount}`,
            rate: { currency: 'USD', orderPrice: '12.50' },
          },
        })
      }
    },
  )

  it('S128 S129 is paid by an older link after a switch of coins, and the other payment is extra', async () => {
    const shop = await openOffers()
    const { native, jetton } = shop
    const payer = await shop.payer()
    await payer.pay(jetton.link)
    expect(await shop.look()).toEqual(['paid'])
    await payer.pay(native.link)
    expect(await shop.look()).toEqual(['extra_payment'])
    expect(shop.events).toEqual([`extra ${shop.invoice.order.reference}`])
  })

  it('S99 is found by the amount of either offer where comments are missing', async () => {
    for (const name of ['native', 'jetton'] as const) {
      const shop = await openOffers(BY_AMOUNT)
      const payer = await shop.payer()
      await payer.pay(withoutText(shop[name].link))
      expect(await shop.look()).toEqual(['paid'])
    }
  })

  it('S99 is not paid by an amount that an offer of another order has, too', async () => {
    const shop = await openOffers(BY_AMOUNT)
    const { rawAmount } = shop.jetton
    await shop.open({ asset: shop.usdt.master.toString(), rawAmount })
    const payer = await shop.payer()
    await payer.pay(withoutText(shop.jetton.link))
    expect(await shop.look()).not.toContain('paid')
    expect(shop.paid).toEqual([])
  })
})

function withoutText(link: string): string {
  return link.replace(/&text=[^&]*/, '')
}
