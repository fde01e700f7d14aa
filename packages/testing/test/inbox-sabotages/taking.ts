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
    noticedBy:
      /S119 (ends|takes a part|takes money|gives the money|uses a credit once in \d+ concurrent claims of an order and)|S137 frees what it/,
    change: changeTaking(({ takesFrom: _takesFrom, ...claim }) => claim),
  },
  {
    mistake: 'claims again as the order, and counts its use as refunded',
    noticedBy:
      /S119 (ends|takes a part|takes money|gives the money|uses a credit once in \d+ concurrent claims of an order and)|S137 frees what it/,
    change: changeTaking(({ takesFrom: [order] = [], ...claim }) => ({
      ...claim,
      kind: 'order',
      reference: order?.reference ?? claim.reference,
    })),
  },
  {
    mistake: 'takes the credit of the payment that completed the order',
    noticedBy: /S119 (leaves the credit|takes no credit that is linked)/,
    change: changeTaking(({ takesFrom = [], ...claim }) => ({
      ...claim,
      takesFrom: takesFrom.map(({ reference }) => ({ reference })),
    })),
  },
  {
    mistake: 'leaves the claims on transactions to the order',
    noticedBy: /S119 (ends the use|takes money that is not|takes nothing from)/,
    change: changeTaking(({ payments, ...claim }) => ({
      ...claim,
      payments: payments.filter((one) => one.startsWith('credit:')),
    })),
  },
  {
    mistake: 'takes money from any order of the merchant',
    noticedBy: /S119 takes nothing from other orders/,
    change: changeTaking(async ({ takesFrom = [], ...claim }, inner) => {
      const ids = claim.payments.map((one) => one.replace('credit:', ''))
      const credits = await inner.credits.find({ ids })
      const users = credits.flatMap(({ uses }) => uses.map(({ reference }) => ({ reference })))
      return { ...claim, takesFrom: [...users, ...takesFrom] }
    }),
  },
]
