import { copyOf, assertNew } from './sabotage.js'
import type { Sabotage } from './sabotage.js'

export const CLAIMING: readonly Sabotage[] = [
  {
    mistake: 'claims without a limit',
    noticedBy: /at most `limit`|S77 claims at most|oldest tasks of a handler/,
    change: (inner) => ({
      reports: { claim: (query) => inner.reports.claim({ ...query, limit: 1000 }) },
      tasks: {
        claim: (query) =>
          inner.tasks.claim({
            ...query,
            limits: Object.fromEntries(Object.keys(query.limits).map((name) => [name, 1000])),
          }),
        claimRelay: (query) => inner.tasks.claimRelay({ ...query, limit: 1000 }),
      },
    }),
  },
  {
    mistake: 'does not postpone what it claims',
    noticedBy: /S45|S39 gives each report|is the time by which a claim/,
    change: (inner) => ({
      reports: { claim: (query) => inner.reports.claim({ ...query, retryInMs: 0 }) },
    }),
  },
  {
    mistake: 'does not count attempts',
    noticedBy: /S45|S56 claims/,
    change: (inner) => ({
      reports: {
        claim: async (query) =>
          (await inner.reports.claim(query)).map((report) => ({ ...report, attempts: 0 })),
      },
    }),
  },
  {
    mistake: 'claims decided reports',
    noticedBy: /never claims a decided/,
    change: (inner) => ({
      reports: {
        claim: async (query) => {
          const report = await inner.reports.find('report-1')
          return [...(await inner.reports.claim(query)), ...(report ? [report] : [])]
        },
      },
    }),
  },
  {
    mistake: 'ignores the order when it claims reports',
    noticedBy: /the reports of one order|S66 claims no report/,
    change: (inner) => ({
      reports: { claim: ({ key: _key, ...query }) => inner.reports.claim(query) },
    }),
  },
  {
    mistake: 'ignores the merchant when it claims reports',
    noticedBy: /S66 claims no report/,
    change: (inner) => ({
      reports: {
        claim: ({ key, ...query }) =>
          inner.reports.claim(
            key === undefined ? query : { ...query, key: { ...key, merchant: '' } },
          ),
      },
    }),
  },
  {
    mistake: 'claims the reports of an order before they are due',
    noticedBy: /before it is due/,
    change: (inner) => ({
      reports: {
        claim: async (query) => {
          if (query.key !== undefined) await inner.reports.postpone('report-1', 0)
          return inner.reports.claim(query)
        },
      },
    }),
  },
  {
    mistake: 'does not postpone',
    noticedBy: /postpones a report/,
    change: () => ({ reports: { postpone: () => Promise.resolve() } }),
  },
  {
    mistake: 'postpones decided reports',
    noticedBy: /decided in the meantime/,
    change: (inner) => ({
      reports: {
        postpone: async (id, retryInMs) => {
          const report = await inner.reports.find(id)
          if (report?.state !== 'decided') return inner.reports.postpone(id, retryInMs)
          const other = await inner.reports.store({ ...copyOf(report, 'again'), retryInMs })
          assertNew(other)
        },
      },
    }),
  },
  {
    mistake: 'counts undecided reports as matched',
    noticedBy: /nor counts/,
    change: (inner) => ({
      reports: { orderCreated: async (query) => (await inner.reports.orderCreated(query)) + 1 },
    }),
  },
  {
    mistake: 'matches reports of any merchant',
    noticedBy: /S66 matches/,
    change: (inner) => ({
      reports: {
        orderCreated: async (query) => {
          let count = 0
          for (const merchant of ['', 'shop-a', 'shop-b']) {
            count += await inner.reports.orderCreated({ ...query, merchant })
          }
          return count
        },
      },
    }),
  },
  {
    mistake: 'postpones a report that was matched in the meantime',
    noticedBy: /S56 keeps|S56 loses/,
    change: (inner) => {
      let policy = ''
      const delay = async (id: string, retryInMs: number): Promise<void> => {
        const report = await inner.reports.find(id)
        if (report === null) return
        const { name, reference, merchant } = report
        const key = { reference, merchant }
        await inner.reports.claim({ name, policy, key, retryInMs, limit: 10 })
      }
      return {
        processes: {
          register: (registration) => {
            policy = registration.policy
            return inner.processes.register(registration)
          },
        },
        reports: {
          decide: async (id, record) => {
            const standing = await inner.reports.decide(id, record)
            if (record.retryInMs !== undefined) await delay(id, record.retryInMs)
            return standing
          },
          postpone: async (id, retryInMs) => {
            await inner.reports.postpone(id, retryInMs)
            await delay(id, retryInMs)
          },
        },
      }
    },
  },
]

export const REDECIDING: readonly Sabotage[] = [
  {
    mistake: 'never decides again',
    noticedBy:
      /redecide > S71 (makes|ends|records|matches (every|a ref|a merch|the state|a decision$))/,
    change: () => ({ reports: { redecide: () => Promise.resolve(-1) } }),
  },
  {
    mistake: 'counts matches that it does not make due',
    noticedBy: /redecide > S71 (makes|matches every)/,
    change: (inner) => {
      let isRedecided = false
      return {
        reports: {
          redecide: (filter) => {
            isRedecided = true
            return inner.reports.redecide(filter)
          },
          claim: async (query) => (isRedecided ? [] : inner.reports.claim(query)),
        },
      }
    },
  },
  {
    mistake: 'decides paid reports again',
    noticedBy: /never matches a report that was decided as paid/,
    change: (inner) => ({
      reports: {
        redecide: async (filter) => {
          const count = await inner.reports.redecide(filter)
          return count + ((await inner.reports.find('report-1'))?.decision?.kind === 'paid' ? 1 : 0)
        },
      },
    }),
  },
  ...(
    ['name', 'ids', 'merchant', 'reference', 'state', 'decision', 'receivedAfterMs'] as const
  ).map((field): Sabotage => {
    const noticedBy = {
      name: /S60 matches the reports/,
      ids: /unknown ids/,
      merchant: /matches (a merchant|no merchant)/,
      reference: /matches a reference$/,
      state: /redecide > S71 matches the state/,
      decision: /redecide > S71 matches (a|the) decision/,
      receivedAfterMs: /redecide > S71 matches reports that were stored at or after/,
    }[field]
    return {
      mistake: `ignores \`${field}\` when it decides again`,
      noticedBy,
      change: (inner) => ({
        reports: {
          redecide: (filter) => inner.reports.redecide({ ...filter, [field]: undefined }),
        },
      }),
    }
  }),
]

export const LISTING: readonly Sabotage[] = [
  {
    mistake: 'lists reports oldest first',
    noticedBy: /listReports > lists (every report|the newest)/,
    change: (inner) => ({
      reports: {
        list: async ({ limit, ...query }) =>
          (await inner.reports.list({ ...query, limit: 100 })).toReversed().slice(0, limit),
      },
    }),
  },
  {
    mistake: 'lists reports without their decision',
    noticedBy: /returns reports as find does/,
    change: (inner) => ({
      reports: {
        list: async (query) =>
          (await inner.reports.list(query)).map((report) => ({ ...report, decision: undefined })),
      },
    }),
  },
  ...(
    [
      'name',
      'ids',
      'merchant',
      'reference',
      'txHashes',
      'hashes',
      'state',
      'decision',
      'receivedAfterMs',
    ] as const
  ).map((field): Sabotage => {
    const noticedBy = {
      name: /S60 lists the reports/,
      txHashes: /lists (a|two|no) transactions?( and a reference)?$/,
      hashes: /lists (a trace|a hash|no hash)/,
      ids: /with these ids/,
      merchant: /lists (a merchant|no merchant|a reference of a merchant)/,
      reference: /lists a reference( and a state| without reports)?$/,
      state: /lists (the state|two states)/,
      decision: /lists (the decision|two decisions)/,
      receivedAfterMs: /listReports > lists reports that were stored at or after/,
    }[field]
    return {
      mistake: `ignores \`${field}\` when it lists reports`,
      noticedBy,
      change: (inner) => ({
        reports: { list: (query) => inner.reports.list({ ...query, [field]: undefined }) },
      }),
    }
  }),
]
