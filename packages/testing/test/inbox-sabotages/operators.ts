import type { Inbox } from '@tonplug/core'
import type { Sabotage } from './sabotage.js'

export const OPERATORS: readonly Sabotage[] = [
  {
    mistake: 'ignores senders',
    noticedBy: /of one of these senders/,
    change: (inner) => ({
      reports: { list: (query) => inner.reports.list({ ...query, senderAddrs: undefined }) },
    }),
  },
  {
    mistake: 'ignores amounts',
    noticedBy: /of one of these senders|with one of these amounts/,
    change: (inner) => ({
      reports: { list: (query) => inner.reports.list({ ...query, rawAmounts: undefined }) },
    }),
  },
  {
    mistake: 'compares comments with regard to case',
    noticedBy: /with a comment, without regard to case/,
    change: (inner) => ({
      reports: {
        list: ({ comment, ...query }) =>
          inner.reports.list(comment === undefined ? query : { ...query, reference: comment }),
      },
    }),
  },
  {
    mistake: 'finds senders by their beginning alone',
    noticedBy: /transactions and the senders with these parts/,
    change: (inner) => ({
      reports: {
        findValues: ({ senderEnds, ...parts }) =>
          inner.reports.findValues({
            ...parts,
            senderEnds: senderEnds.map(({ start }) => ({ start, end: '' })),
          }),
      },
    }),
  },
  {
    mistake: 'finds transactions of other names',
    noticedBy: /transactions and the senders with these parts/,
    change: (inner) => ({
      reports: {
        findValues: async (parts) => {
          const { name: _name, ...all } = { ...parts, limit: 1000 }
          const reports = await inner.reports.list({ limit: all.limit })
          const { senderAddrs } = await inner.reports.findValues(parts)
          const found = reports.map(({ txHash }) => txHash)
          const isFound = (hash: string) => all.txHashStarts.some((start) => hash.startsWith(start))
          return {
            txHashes: [...new Set(found.filter(isFound))].slice(0, parts.limit),
            senderAddrs,
          }
        },
      },
    }),
  },
  {
    mistake: 'rejects a long sender',
    noticedBy: /senders and amounts of any length/,
    change: (inner) => ({
      reports: {
        store: async (report) => {
          if ((report.senderAddr ?? '').length > 1000) throw new Error('value too long')
          return inner.reports.store(report)
        },
      },
    }),
  },
  {
    mistake: 'begins every page with the newest report',
    noticedBy: /on one page, in one sequence|before an unknown report/,
    change: (inner) => ({
      reports: { list: (query) => inner.reports.list({ ...query, before: undefined }) },
    }),
  },
  {
    mistake: 'lists reports without dead tasks too',
    noticedBy: /selects the reports with a dead task/,
    change: (inner) => ({
      reports: { list: (query) => inner.reports.list({ ...query, hasDeadTask: undefined }) },
    }),
  },
  {
    mistake: 'shows no tasks',
    noticedBy:
      /lists the tasks of reports|runs of a task|queue engine has accepted|when a task is due/,
    change: () => ({ tasks: { list: async () => [] } }),
  },
  {
    mistake: 'records no actions',
    noticedBy: /what operators did about reports/,
    change: () => ({ reports: { recordAction: async () => undefined } }),
  },
  {
    mistake: 'keeps actions of unknown and deleted reports',
    noticedBy: /records nothing about an unknown|deletes actions with their report/,
    change: () => {
      const actions: Awaited<ReturnType<Inbox['reports']['listActions']>> = []
      return {
        reports: {
          recordAction: async (action) => void actions.push({ ...action, atMs: 1 }),
          listActions: async () => actions,
        },
      }
    },
  },
]
