import type { Invoice } from '@tonplug/core'
import type { Row } from './run.js'
import type { World } from './world.js'

const HOUR_MS = 3_600_000
const paidOnce = 'paid · completed, 1 parcel · onPaid'

/** All rows of the demo. */
export const rows: readonly Row[] = [
  {
    title: 'A buyer opens the link of an invoice',
    promised: paidOnce,
    run: withInvoice('10.5', 'TON', ({ buyer }, { link }) => buyer.pay(link)),
  },
  {
    title: 'A buyer pays USDT by TON Connect',
    promised: paidOnce,
    run: withInvoice('25', 'USDT', async ({ buyer }, { tonConnect }) =>
      buyer.pay(await tonConnect({ sender: buyer.address.toString() })),
    ),
  },
  {
    title: 'A buyer pays the same invoice twice',
    promised: 'paid, extra_payment · completed, 1 parcel · onPaid, onExtraPayment',
    run: withInvoice('10.5', 'TON', async ({ buyer }, { link }) => {
      await buyer.pay(link)
      await buyer.pay(link)
    }),
  },
  {
    title: 'A buyer pays half',
    promised: 'amount_mismatch · pending, 0 parcels · onMismatch',
    run: withInvoice('10', 'TON', ({ buyer }, { link }) =>
      buyer.pay(link.replace('amount=10000000000', 'amount=5000000000')),
    ),
  },
  {
    title: 'A stranger pays with a jetton of his own that is called USDT, too',
    promised: 'asset_mismatch · pending, 0 parcels · onMismatch',
    run: withInvoice('25', 'USDT', async ({ chain, buyer, usdt }, { link }) => {
      const forged = await chain.deployJetton()
      await forged.mint(buyer.address, 25_000_000n)
      await buyer.pay(link.replace(usdt.master.toString(), forged.master.toString()))
    }),
  },
  {
    title: 'The gateway reports a payment by webhook',
    promised: `200 · ${paidOnce}`,
    run: withGateway((world, reference) => world.pay(reference)),
  },
  {
    title: 'The webhook is never sent',
    promised: paidOnce,
    run: withGateway((world, reference) => world.pay(reference, { delivery: 'none' })),
  },
  {
    title: 'The webhook arrives fifty times at once',
    promised: `200 ×50 · ${paidOnce}`,
    run: withGateway((world, reference) => world.pay(reference, { delivery: { times: 50 } })),
  },
  {
    title: 'The shop is down for a moment, and the gateway sends the webhook again',
    promised: `500, 200 · ${paidOnce}`,
    run: withGateway(async (world, reference) => {
      world.failNext(1)
      await world.pay(reference)
    }),
  },
  {
    title: 'A stranger posts a webhook that is signed with another secret',
    promised: '401 · pending, 0 parcels',
    run: withGateway((world, reference) => world.postForged(reference)),
  },
  {
    title: 'The webhook is signed well, but an hour later the chain has no such payment',
    promised: '200 · unverified · pending, 0 parcels · onUnverified',
    run: withGateway(async ({ gateway, moveClock }, reference) => {
      await gateway.pay(reference)
      moveClock(HOUR_MS)
    }),
  },
]

/** Lets something happen with a new invoice. */
function withInvoice(
  amount: string,
  coin: 'TON' | 'USDT',
  happen: (world: World, invoice: Invoice) => Promise<unknown>,
): Row['run'] {
  return async (world) => {
    const invoice = await world.sell(amount, coin)
    await happen(world, invoice)
    return invoice.order.reference
  }
}

/** Lets something happen with a new order of the gateway. */
function withGateway(happen: (world: World, reference: string) => Promise<unknown>): Row['run'] {
  return async (world) => {
    const reference = await world.sellByGateway()
    await happen(world, reference)
    return reference
  }
}
