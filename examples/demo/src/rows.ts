import type { Row } from './run.js'

const HOUR_MS = 3_600_000
const paidOnce = 'paid · completed, 1 parcel · onPaid'

/** All rows of the demo. */
export const rows: readonly Row[] = [
  {
    title: 'A buyer opens the link of an invoice',
    promised: paidOnce,
    async run({ sell, buyer }) {
      const { order, link } = await sell('TON', '10.5')
      await buyer.pay(link)
      return order.reference
    },
  },
  {
    title: 'A buyer pays USDT by TON Connect',
    promised: paidOnce,
    async run({ sell, buyer }) {
      const { order, tonConnect } = await sell('USDT', '25')
      await buyer.pay(await tonConnect({ sender: buyer.address.toString() }))
      return order.reference
    },
  },
  {
    title: 'A buyer pays the same invoice twice',
    promised: 'paid, extra_payment · completed, 1 parcel · onPaid, onExtraPayment',
    async run({ sell, buyer }) {
      const { order, link } = await sell('TON', '10.5')
      await buyer.pay(link)
      await buyer.pay(link)
      return order.reference
    },
  },
  {
    title: 'A buyer pays half',
    promised: 'amount_mismatch · pending, 0 parcels · onMismatch',
    async run({ sell, buyer }) {
      const { order, link } = await sell('TON', '10')
      await buyer.pay(link.replace('amount=10000000000', 'amount=5000000000'))
      return order.reference
    },
  },
  {
    title: 'A stranger pays with a jetton of his own that is called USDT, too',
    promised: 'asset_mismatch · pending, 0 parcels · onMismatch',
    async run({ sell, chain, buyer, usdt }) {
      const { order, link } = await sell('USDT', '25')
      const forged = await chain.deployJetton()
      await forged.mint(buyer.address, 25_000_000n)
      await buyer.pay(link.replace(usdt.master.toString(), forged.master.toString()))
      return order.reference
    },
  },
  {
    title: 'The gateway reports a payment by webhook',
    promised: `200 · ${paidOnce}`,
    async run({ sellByGateway, payByGateway }) {
      const reference = await sellByGateway()
      await payByGateway(reference)
      return reference
    },
  },
  {
    title: 'The webhook is never sent',
    promised: paidOnce,
    async run({ sellByGateway, payByGateway }) {
      const reference = await sellByGateway()
      await payByGateway(reference, { delivery: 'none' })
      return reference
    },
  },
  {
    title: 'The webhook arrives fifty times at once',
    promised: `200 ×50 · ${paidOnce}`,
    async run({ sellByGateway, payByGateway }) {
      const reference = await sellByGateway()
      await payByGateway(reference, { delivery: { times: 50 } })
      return reference
    },
  },
  {
    title: 'The shop is down for a moment, and the gateway sends the webhook again',
    promised: `500, 200 · ${paidOnce}`,
    async run({ sellByGateway, payByGateway, failNext }) {
      const reference = await sellByGateway()
      failNext(1)
      await payByGateway(reference)
      return reference
    },
  },
  {
    title: 'A stranger posts a webhook that is signed with another secret',
    promised: '401 · pending, 0 parcels',
    async run({ sellByGateway, postForged }) {
      const reference = await sellByGateway()
      await postForged(reference)
      return reference
    },
  },
  {
    title: 'The webhook is signed well, but an hour later the chain has no such payment',
    promised: '200 · unverified · pending, 0 parcels · onUnverified',
    async run({ sellByGateway, gateway, moveClock }) {
      const reference = await sellByGateway()
      await gateway.pay(reference)
      moveClock(HOUR_MS)
      return reference
    },
  },
]
