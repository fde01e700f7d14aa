import type { ChainScenario } from '../scenario.js'

const HOUR_MS = 3_600_000

const proven = { decisions: 'verifying, paid', order: 'completed, 1 parcel, on chain' }
const inCoins = [
  ['TON', 'hoodie'],
  ['USDT', 'gift-box'],
] as const

/** Payments of a wallet contract on a simulated chain, and a webhook without a payment. */
export const chainScenarios: readonly ChainScenario[] = [
  ...inCoins.map(([coin, product]): ChainScenario => ({
    sent: `a wallet pays in ${coin} on a simulated chain`,
    promised: { answers: '200', ...proven, handlers: 'onPaid' },
    async runOnChain(shop) {
      const reference = await shop.buy(product)
      await shop.pay(reference)
      return reference
    },
  })),
  ...inCoins.map(([coin, product]): ChainScenario => ({
    sent: `a wallet pays in ${coin}; the webhook is never sent`,
    promised: { answers: 'none', ...proven, handlers: 'onPaid (chain)' },
    async runOnChain(shop) {
      const reference = await shop.buy(product)
      await shop.pay(reference, { delivery: 'none' })
      await shop.runWatcher()
      return reference
    },
  })),
  {
    sent: 'a signed payment that is not on the chain an hour later',
    promised: {
      answers: '200',
      decisions: 'verifying, unverified',
      order: 'pending, not on chain',
      handlers: 'onUnverified',
    },
    async runOnChain(shop) {
      const reference = await shop.buy('hoodie')
      await shop.deliverUnpaid(reference)
      shop.advanceClock(HOUR_MS)
      return reference
    },
  },
]
