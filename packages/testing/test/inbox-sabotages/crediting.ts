import type { CreditClaim } from '@tonplug/core'
import type { Sabotage } from './sabotage.js'

export const CREDITS: readonly Sabotage[] = [
  {
    mistake: 'loses fields of a credit',
    noticedBy: /returns the facts of a stored credit/,
    change: (inner) => ({
      credits: {
        store: (credits) =>
          inner.credits.store(credits.map((credit) => ({ ...credit, root: undefined }))),
      },
    }),
  },
  {
    mistake: 'stores each report of a credit as another one',
    noticedBy: /stores a credit once/,
    change: (inner) => {
      let count = 0
      return {
        credits: {
          store: (credits) =>
            inner.credits.store(credits.map((credit) => ({ ...credit, id: `${count++}` }))),
        },
      }
    },
  },
  {
    mistake: 'forgets the order that a credit names',
    noticedBy: /keeps the first order|lists the credits that name/,
    change: (inner) => ({
      credits: {
        store: (credits) =>
          inner.credits.store(credits.map((credit) => ({ ...credit, order: undefined }))),
      },
    }),
  },
  {
    mistake: 'finds a credit by one hash only',
    noticedBy: /finds credits by their transaction/,
    change: (inner) => ({
      credits: {
        find: (query) =>
          inner.credits.find('ids' in query ? query : { hashes: query.hashes.slice(0, 1) }),
      },
    }),
  },
  {
    mistake: 'lists the credits of all merchants together',
    noticedBy: /lists the credits that name/,
    change: (inner) => ({
      credits: {
        listOf: async (order) => [
          ...(await inner.credits.listOf(order)),
          ...(await inner.credits.listOf({ ...order, merchant: 'shop-a' })),
        ],
      },
    }),
  },
  {
    mistake: 'lists the credits of a wallet by id',
    noticedBy: /S123 lists the credits of a wallet/,
    change: (inner) => ({
      credits: {
        listOfWallet: async (query) =>
          (await inner.credits.listOfWallet(query)).toSorted((one, other) =>
            one.id < other.id ? -1 : 1,
          ),
      },
    }),
  },
  {
    mistake: 'begins each page of credits at the start of the period',
    noticedBy: /lists the credits of a period/,
    change: (inner) => ({
      credits: { list: (period) => inner.credits.list({ ...period, after: undefined }) },
    }),
  },
  {
    mistake: 'does not use a credit that is not stored',
    noticedBy: /S119 records the use of a credit that is stored later/,
    change: (inner) => ({
      credits: {
        claim: async (query) => {
          const ids = query.payments.map((one) => one.replace('credit:', ''))
          const known = await inner.credits.find({ ids })
          const isKnown = known.length === ids.length
          return isKnown ? inner.credits.claim(query) : true
        },
      },
    }),
  },
  {
    mistake: 'deletes uses with their report',
    noticedBy: /S119 keeps the uses/,
    change: (inner) => {
      let isForgotten = false
      return {
        reports: {
          forget: (query) => {
            isForgotten = true
            return inner.reports.forget(query)
          },
        },
        credits: {
          listOf: async (order) => (isForgotten ? [] : inner.credits.listOf(order)),
        },
      }
    },
  },
  {
    mistake: 'records no kind of a use',
    noticedBy: /S119 gives a credit to an order or/,
    change: (inner) => ({
      credits: { claim: (query) => inner.credits.claim({ ...query, kind: 'order' }) },
    }),
  },
  {
    mistake: 'releases nothing',
    noticedBy:
      /S137 frees|S137 claims nothing|S137 uses a credit|S137 gives|S119 releases the lost|S132 releases/,
    change: () => ({ credits: { release: async () => undefined } }),
  },
  {
    mistake: 'releases the use of an order that its payment has completed',
    noticedBy: /S119 releases the lost|S132 releases/,
    change: (inner) => {
      const links: (string | undefined)[] = []
      return {
        credits: {
          claim: (query) => {
            links.push(query.payment)
            return inner.credits.claim(query)
          },
          release: async (query) => {
            if (!('payment' in query)) return inner.credits.release(query)
            for (const payment of links) {
              await inner.credits.release({ ...query, payment: payment ?? query.payment })
            }
          },
        },
      }
    },
  },
  {
    mistake: 'releases the refund of another credit, merchant or number',
    noticedBy: /S137 releases no use/,
    change: (inner) => {
      const refunds: CreditClaim[] = []
      return {
        credits: {
          claim: (query) => {
            if (query.kind === 'refund') refunds.push(query)
            return inner.credits.claim(query)
          },
          release: async (query) => {
            for (const { name, merchant, reference } of refunds) {
              await inner.credits.release({ ...query, name, merchant, reference })
            }
          },
        },
      }
    },
  },
  {
    mistake: 'claims again for a released refund',
    noticedBy: /S137 claims nothing for a released/,
    change: (inner) => {
      let count = 0
      return {
        credits: {
          claim: async (query) =>
            (await inner.credits.claim(query)) ||
            (query.kind === 'refund' &&
              count > 0 &&
              inner.credits.claim({ ...query, reference: `["refund",${count++}]` })),
          release: (query) => {
            count++
            return inner.credits.release(query)
          },
        },
      }
    },
  },
  {
    mistake: 'uses the whole credit where an order needs a part',
    noticedBy: /S134 uses the price of credits|S134 uses no credit after/,
    change: (inner) => ({
      credits: { claim: (query) => inner.credits.claim({ ...query, usedAmount: undefined }) },
    }),
  },
  {
    mistake: 'uses the whole of a credit that is not stored yet',
    noticedBy: /S134 keeps the surplus of a credit that is used before/,
    change: (inner) => ({
      credits: {
        claim: async (query) => {
          const ids = query.payments.map((payment) => payment.replace('credit:', ''))
          const isStored = (await inner.credits.find({ ids })).length === ids.length
          return inner.credits.claim(isStored ? query : { ...query, usedAmount: undefined })
        },
      },
    }),
  },
  {
    mistake: 'lets several orders use parts of a credit',
    noticedBy: /S134 (?:gives the surplus|uses a part)/,
    change: (inner) => ({
      credits: {
        claim: async (query) =>
          (await inner.credits.claim(query)) || query.usedAmount !== undefined,
      },
    }),
  },
  {
    mistake: 'claims without a look at the stored credits',
    noticedBy: /claims nothing when a credit of/,
    change: (inner) => ({
      credits: { claim: (query) => inner.credits.claim({ ...query, unlessStored: undefined }) },
    }),
  },
  {
    mistake: 'links payments to credits that are not stored',
    noticedBy: /does not link a payment to a credit that/,
    change: (inner) => {
      const links = new Set<string>()
      return {
        credits: {
          claim: async ({ payment = '', ...query }) => {
            const isFirst = !links.has(payment)
            links.add(payment)
            return isFirst && inner.credits.claim({ payment, ...query })
          },
        },
      }
    },
  },
  {
    mistake: 'does not link payments to credits',
    noticedBy: /S117 links|S119 records what|links a payment to several/,
    change: (inner) => ({
      credits: { claim: (query) => inner.credits.claim({ ...query, payment: undefined }) },
    }),
  },
]
