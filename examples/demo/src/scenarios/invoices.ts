import type { InvoiceScenario } from '../scenario.js'

const paidOnce = { answers: 'none', order: 'completed, 1 parcel' }

/** Invoices that a wallet contract pays on a simulated chain, to a shop without a gateway. */
export const invoiceScenarios: readonly InvoiceScenario[] = [
  {
    sent: 'an invoice in TON, paid by its link',
    promised: { ...paidOnce, decisions: 'paid', handlers: 'onPaid (chain)' },
    async runWithoutGateway(shop) {
      const { order, link } = await shop.sell('TON', '10.5')
      await shop.buyer.pay(link)
      return order.reference
    },
  },
  {
    sent: 'an invoice in USDT, paid by TON Connect',
    promised: { ...paidOnce, decisions: 'paid', handlers: 'onPaid (chain)' },
    async runWithoutGateway(shop) {
      const { order, tonConnect } = await shop.sell('USDT', '25')
      await shop.buyer.pay(await tonConnect(shop.buyer.address.toString()))
      return order.reference
    },
  },
  {
    sent: 'an invoice, paid twice',
    promised: {
      ...paidOnce,
      decisions: 'paid, extra_payment',
      handlers: 'onPaid (chain), onExtraPayment (chain)',
    },
    async runWithoutGateway(shop) {
      const { order, link } = await shop.sell('TON', '10.5')
      await shop.buyer.pay(link)
      await shop.buyer.pay(link)
      return order.reference
    },
  },
  {
    sent: 'an invoice, paid by half',
    promised: {
      answers: 'none',
      decisions: 'amount_mismatch',
      order: 'pending',
      handlers: 'onMismatch (chain)',
    },
    async runWithoutGateway(shop) {
      const { order, link } = await shop.sell('TON', '10')
      await shop.buyer.pay(link.replace('amount=10000000000', 'amount=5000000000'))
      return order.reference
    },
  },
]
