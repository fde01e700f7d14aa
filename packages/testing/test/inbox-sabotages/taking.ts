import type { CreditClaim, Inbox } from '@tonplug/core'
import type { Sabotage } from './sabotage.js'

/** Changes the claims of refunds that take money from orders. */
function changeTaking(
  change: (claim: CreditClaim, inner: Inbox) => CreditClaim | Promise<CreditClaim>,
): Sabotage['change'] {
  return (inner) => ({
    credits: {
      claim: async (claim) =>
        inner.credits.claim(claim.takesFrom === undefined ? claim : await change(claim, inner)),
    },
  })
}

/** Mistakes of refunds of money that an order has claimed. */
export const TAKING: readonly Sabotage[] = [
  {
    mistake: 'takes no money from an order that another payment has completed',
    noticedBy: /S126 (ends|takes a part|takes money|gives|uses a credit once)|S137 frees what it/,
    change: changeTaking(({ takesFrom: _takesFrom, ...claim }) => claim),
  },
  {
    mistake: 'claims again as the order, and counts its use as refunded',
    noticedBy: /S126 (ends|takes a part|takes money|gives|uses a credit once)|S137 frees what it/,
    change: changeTaking(({ takesFrom: [order] = [], ...claim }) => ({
      ...claim,
      kind: 'order',
      reference: order?.reference ?? claim.reference,
    })),
  },
  {
    mistake: 'takes the credit of the payment that completed the order',
    noticedBy: /S126 (leaves the credit|takes no credit that is linked)/,
    change: changeTaking(({ takesFrom = [], ...claim }) => ({
      ...claim,
      takesFrom: takesFrom.map(({ reference }) => ({ reference })),
    })),
  },
  {
    mistake: 'leaves the claims on transactions to the order',
    noticedBy: /S126 (ends the use|takes money that is not|takes nothing from)/,
    change: changeTaking(({ payments, ...claim }) => ({
      ...claim,
      payments: payments.filter((one) => one.startsWith('credit:')),
    })),
  },
  {
    mistake: 'takes money from any order of the merchant',
    noticedBy: /S126 takes nothing from other orders/,
    change: changeTaking(async ({ takesFrom = [], ...claim }, inner) => {
      const ids = claim.payments.map((one) => one.replace('credit:', ''))
      const credits = await inner.credits.find({ ids })
      const users = credits.flatMap(({ uses }) => uses.map(({ reference }) => ({ reference })))
      return { ...claim, takesFrom: [...users, ...takesFrom] }
    }),
  },
]
