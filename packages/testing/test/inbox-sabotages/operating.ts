import { memoryInbox } from '@tonplug/core'
import { NAME } from './sabotage.js'
import type { Sabotage } from './sabotage.js'

export const OPERATING: readonly Sabotage[] = [
  {
    mistake: 'never has a next due time',
    noticedBy: /nextDueInMs > (is the|is at most|becomes|considers)/,
    change: () => ({ processes: { nextDueInMs: () => Promise.resolve(undefined) } }),
  },
  {
    mistake: 'always has a next due time',
    noticedBy: /is undefined when|then undefined|ignores tasks/,
    change: (inner) => ({
      processes: { nextDueInMs: async (query) => (await inner.processes.nextDueInMs(query)) ?? 0 },
    }),
  },
  {
    mistake: 'ignores the handlers of a process',
    noticedBy: /ignores tasks of other/,
    change: (inner) => ({
      processes: { nextDueInMs: ({ name }) => inner.processes.nextDueInMs({ name }) },
    }),
  },
  {
    mistake: 'shares everything between names',
    noticedBy: /names > S60/,
    change: (inner) => ({
      reports: {
        claim: (query) => inner.reports.claim({ ...query, name: 'other' }),
        orderCreated: (query) => inner.reports.orderCreated({ ...query, name: 'other' }),
      },
      tasks: { claim: (query) => inner.tasks.claim({ ...query, name: 'other' }) },
      processes: {
        nextDueInMs: (query) => inner.processes.nextDueInMs({ ...query, name: 'other' }),
        register: async (registration) => {
          await inner.processes.register({ ...registration, name: 'other' })
          return inner.processes.register(registration)
        },
      },
    }),
  },
  {
    mistake: 'counts nothing',
    noticedBy: /S72 counts|waiting retry|with its parked|S60 counts|age of/,
    change: () => {
      const empty = memoryInbox()
      return { stats: () => empty.stats() }
    },
  },
  {
    mistake: 'counts proofs as open tasks',
    noticedBy: /counts a proof with/,
    change: (inner) => ({
      stats: async (query) => {
        const stats = await inner.stats(query)
        return { ...stats, open: stats.open + stats.parked }
      },
    }),
  },
  {
    mistake: 'counts all names',
    noticedBy: /S60 counts/,
    change: (inner) => ({ stats: () => inner.stats() }),
  },
  {
    mistake: 'counts in an empty inbox',
    noticedBy: /counts nothing in/,
    change: (inner) => ({
      stats: async (query) => ({ ...(await inner.stats(query)), problem: 'none' }),
    }),
  },
  {
    mistake: 'returns a point in time as age',
    noticedBy: /the age of/,
    change: (inner) => ({
      stats: async (query) => {
        const { oldestOpenAgeMs, ...stats } = await inner.stats(query)
        const age = oldestOpenAgeMs === undefined ? undefined : Date.now() - oldestOpenAgeMs
        return { ...stats, oldestOpenAgeMs: age }
      },
    }),
  },
  {
    mistake: 'returns the age of a replayed task since its report',
    noticedBy: /since its replay/,
    change: (inner) => {
      let isReplayed = false
      return {
        tasks: {
          replay: (id) => {
            isReplayed = true
            return inner.tasks.replay(id)
          },
        },
        stats: async (query) => {
          const { oldestOpenAgeMs: age, ...stats } = await inner.stats(query)
          return {
            ...stats,
            oldestOpenAgeMs: isReplayed && age !== undefined ? age + 300_000 : age,
          }
        },
      }
    },
  },
  {
    mistake: 'replays nothing and returns that it did',
    noticedBy: /S50 runs a dead|S50 resets|done, open or unknown/,
    change: () => ({
      tasks: { replay: () => Promise.resolve(true), replayWhere: () => Promise.resolve(1) },
    }),
  },
  {
    mistake: 'replays a task without its attempts',
    noticedBy: /with all its attempts/,
    change: (inner) => {
      let replayed = 0
      return {
        tasks: {
          replay: (id) => {
            replayed++
            return inner.tasks.replay(id)
          },
          claim: async (query) =>
            (await inner.tasks.claim(query)).map((task) => ({
              ...task,
              attempt: task.attempt + replayed,
            })),
        },
      }
    },
  },
  {
    mistake: 'replays what a filter does not match',
    noticedBy: /S50 resets|S66 resets/,
    change: (inner) => ({ tasks: { replayWhere: () => inner.tasks.replayWhere({}) } }),
  },
  {
    mistake: 'ignores the merchant of a filter',
    noticedBy: /S66 resets/,
    change: (inner) => ({
      tasks: {
        replayWhere: ({ merchant: _merchant, ...filter }) => inner.tasks.replayWhere(filter),
      },
    }),
  },
  {
    mistake: 'never deletes reports',
    noticedBy: /deletes older|S58 stores|open or dead|S88 deletes/,
    change: () => ({ reports: { forget: () => Promise.resolve(0) } }),
  },
  {
    mistake: 'deletes reports beyond the limit',
    noticedBy: /up to the limit, oldest first/,
    change: (inner) => ({
      reports: { forget: (query) => inner.reports.forget({ ...query, limit: 1000 }) },
    }),
  },
  {
    mistake: 'deletes reports of any age and name',
    noticedBy: /deletes older reports/,
    change: (inner) => ({
      reports: {
        forget: async ({ limit }) => inner.reports.forget({ name: NAME, olderThanMs: -1, limit }),
      },
    }),
  },
  {
    mistake: 'deletes a paid report while another report of its order is unfinished',
    noticedBy: /S58 keeps a finished/,
    change: (inner) => {
      // Kept under references of their own, no report protects another.
      let count = 0
      return {
        reports: {
          store: (report) =>
            inner.reports.store({ ...report, reference: `${report.reference} ${count++}` }),
        },
      }
    },
  },
]

export const PAYMENTS: readonly Sabotage[] = [
  {
    mistake: 'lets every order claim a payment',
    noticedBy: /S82 lets|S82 claims all|S119 (uses a credit once|gives|counts)|S117/,
    change: () => ({ credits: { claim: () => Promise.resolve(true) } }),
  },
  {
    mistake: 'takes a repeated claim for that of another order',
    noticedBy: /S82 lets the first|S119 (records what|claims a credit in 50)/,
    change: (inner) => {
      let count = 0
      return {
        credits: {
          claim: (query) =>
            inner.credits.claim({ ...query, reference: `${query.reference} ${count++}` }),
        },
      }
    },
  },
  {
    mistake: 'rejects a claim of no payments',
    noticedBy: /for no payments/,
    change: (inner) => ({
      credits: {
        claim: async (query) => query.payments.length > 0 && (await inner.credits.claim(query)),
      },
    }),
  },
  {
    mistake: 'claims the payments of one claim one by one',
    noticedBy:
      /S82 claims all|S119 claims nothing|S119 gives two credits together|links a payment to several credits/,
    change: (inner) => ({
      credits: {
        claim: async (query) => {
          const claims: boolean[] = []
          for (const payment of query.payments) {
            claims.push(await inner.credits.claim({ ...query, payments: [payment] }))
          }
          return claims.every(Boolean)
        },
      },
    }),
  },
  {
    mistake: 'reads and writes claims in two steps',
    noticedBy: /S82 lets one of 50 orders claim/,
    change: (inner) => {
      const claims = new Map<string, string>()
      return {
        credits: {
          claim: async ({ payments, reference }) => {
            const isFree = payments.every((one) => (claims.get(one) ?? reference) === reference)
            await inner.stats()
            for (const payment of isFree ? payments : []) claims.set(payment, reference)
            return isFree
          },
        },
      }
    },
  },
  {
    mistake: 'claims payments for all merchants together',
    noticedBy: /S65 lets another merchant/,
    change: (inner) => ({
      credits: { claim: (query) => inner.credits.claim({ ...query, merchant: '' }) },
    }),
  },
  {
    mistake: 'claims payments for all names together',
    noticedBy: /S60 lets another name/,
    change: (inner) => ({
      credits: { claim: (query) => inner.credits.claim({ ...query, name: NAME }) },
    }),
  },
  {
    mistake: 'claims credits for each name by itself',
    noticedBy: /S119 lets one/,
    change: (inner) => ({
      credits: {
        claim: (query) =>
          inner.credits.claim({
            ...query,
            payments: query.payments.map((one) => `${query.name} ${one}`),
          }),
      },
    }),
  },
  {
    mistake: 'claims credits for equal references of two names',
    noticedBy: /S119 lets one order of all/,
    change: () => {
      const claims = new Map<string, string>()
      return {
        credits: {
          claim: async ({ name, merchant, reference, payments }) => {
            const keys = payments.map((one) =>
              one.startsWith('credit:') ? one : JSON.stringify([name, merchant, one]),
            )
            const isFree = keys.every((key) => (claims.get(key) ?? reference) === reference)
            for (const key of isFree ? keys : []) claims.set(key, reference)
            return isFree
          },
        },
      }
    },
  },
  {
    mistake: 'deletes claims with their report',
    noticedBy: /keeps the claim when/,
    change: (inner) => {
      let generation = 0
      return {
        reports: {
          forget: async (query) => {
            const count = await inner.reports.forget(query)
            generation += count
            return count
          },
        },
        credits: {
          claim: (query) =>
            inner.credits.claim({
              ...query,
              payments: query.payments.map((one) => `${one} ${generation}`),
            }),
        },
      }
    },
  },
]
