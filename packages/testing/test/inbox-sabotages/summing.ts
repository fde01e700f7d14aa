import type { Sabotage } from './sabotage.js'

export const SUMS: readonly Sabotage[] = [
  {
    mistake: 'sums amounts as numbers',
    noticedBy: /sums the credits of a period by asset/,
    change: (inner) => ({
      sums: async (period) => {
        const sums = await inner.sums(period)
        const rounded = sums.credits.map((sum) => ({
          ...sum,
          rawAmount: BigInt(Number(sum.rawAmount)),
        }))
        return { ...sums, credits: rounded }
      },
    }),
  },
  {
    mistake: 'sums the credits of one name as credits of all',
    noticedBy: /S60 (S137 )?sums (the credits|a credit)/,
    change: (inner) => ({ sums: (period) => inner.sums({ ...period, name: 'other' }) }),
  },
  {
    mistake: 'adds prices as numbers',
    noticedBy: /S127 sums the prices/,
    change: (inner) => ({
      sums: async (period) => {
        const sums = await inner.sums(period)
        return {
          ...sums,
          prices: sums.prices.map((sum) => ({ ...sum, price: '12.799999999999999' })),
        }
      },
    }),
  },
  {
    mistake: 'sums the prices of all times',
    noticedBy: /within the period/,
    change: (inner) => ({
      sums: ({ name }) => inner.sums({ name, fromMs: 0, beforeMs: Infinity }),
    }),
  },
]
