import type { ChainScene } from '../scene.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const proven = { decisions: 'verifying, paid', order: 'completed, 1 parcel, on chain' }
const inCoins = [
  ['TON', 'hoodie'],
  ['USDT', 'gift-box'],
] as const

/** Payments that a wallet contract makes on a simulated chain, and one that nobody makes. */
export const chainScenes: readonly ChainScene[] = [
  ...inCoins.map(([coin, product]): ChainScene => ({
    sent: `a wallet pays in ${coin} on a simulated chain`,
    promised: { answers: '200', ...proven, handlers: 'onPaid' },
    async playOnChain(stage) {
      const reference = await stage.buy(product)
      await stage.pay(reference)
      return reference
    },
  })),
  ...inCoins.map(([coin, product]): ChainScene => ({
    sent: `a wallet pays in ${coin}; the webhook is never sent`,
    promised: { answers: 'none', ...proven, handlers: 'onLostWebhook, onPaid' },
    async playOnChain(stage) {
      const reference = await stage.buy(product)
      await stage.pay(reference, { delivery: 'none' })
      // Younger orders wait for their webhook.
      stage.moveAhead(2 * MINUTE_MS)
      await stage.reconcile()
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
    async playOnChain(stage) {
      const reference = await stage.buy('hoodie')
      await stage.lie(reference)
      stage.moveAhead(HOUR_MS)
      return reference
    },
  },
]
