import type { Decision, Inbox, Report } from '@tonplug/core'
import { NAME, LONG_MS, withRawBody } from './sabotage.js'
import type { Sabotage } from './sabotage.js'

const UNSTORABLE = /[\0\p{Surrogate}]/gu

export const STORING: readonly Sabotage[] = [
  {
    mistake: 'has no name',
    noticedBy: /has a name/,
    change: () => ({ name: '' }),
  },
  {
    mistake: 'stores every repetition',
    noticedBy: /S26 returns the stored|S38 stores one row|S72 stores a report with a problem/,
    change: (inner) => {
      let count = 0
      return {
        reports: { store: (report) => inner.reports.store({ ...report, key: `${count++}` }) },
      }
    },
  },
  {
    mistake: 'compares keys without case',
    noticedBy: /distinguishes keys/,
    change: (inner) => ({
      reports: {
        store: (report) => inner.reports.store({ ...report, key: report.key.toLowerCase() }),
      },
    }),
  },
  {
    mistake: 'stores one report for all names',
    noticedBy: /S60 stores a report of its own/,
    change: (inner) => ({
      reports: { store: (report) => inner.reports.store({ ...report, name: NAME }) },
    }),
  },
  {
    mistake: 'replaces characters that it cannot store',
    noticedBy: /never converts NUL or a lone surrogate/,
    change: (inner) => ({
      reports: {
        store: (report) =>
          inner.reports.store({
            ...report,
            reference: report.reference.replace(UNSTORABLE, '\uFFFD'),
          }),
      },
    }),
  },
  {
    mistake: 'stores the body as JSON',
    noticedBy: /with line breaks|with duplicate keys/,
    change: (inner) => ({
      reports: {
        store: (report) =>
          inner.reports.store({ ...report, rawBody: JSON.stringify(JSON.parse(report.rawBody)) }),
      },
    }),
  },
  {
    mistake: 'stores ASCII only',
    noticedBy: /beyond ASCII/,
    change: withRawBody((text) => text.replaceAll(/[^\t\n\r -~]/g, '?')),
  },
  {
    mistake: 'escapes quotes',
    noticedBy: /looks like SQL/,
    change: withRawBody((text) => text.replaceAll("'", "''")),
  },
  {
    mistake: 'removes escaped NUL characters',
    noticedBy: /escaped NUL/,
    change: withRawBody((text) => text.replaceAll('\\u0000', '')),
  },
  {
    mistake: 'shortens long bodies',
    noticedBy: /of 64 KiB/,
    change: withRawBody((text) => text.slice(0, 65_535)),
  },
  {
    mistake: 'stores one of several concurrent reports',
    noticedBy: /rows for 50 different/,
    change: (inner) => {
      let storing: Promise<Report> | undefined
      return {
        reports: {
          store: (report) =>
            (storing ??= inner.reports.store(report).finally(() => {
              storing = undefined
            })),
        },
      }
    },
  },
  {
    mistake: 'stores every report as found on the chain',
    noticedBy: /source (webhook|gateway|operator)/,
    change: (inner) => ({
      reports: { store: (report) => inner.reports.store({ ...report, source: 'chain' }) },
    }),
  },
  {
    mistake: 'stores every report as a webhook',
    noticedBy: /with every field|source (chain|gateway|operator)/,
    change: (inner) => ({
      reports: { store: (report) => inner.reports.store({ ...report, source: 'webhook' }) },
    }),
  },
  {
    mistake: 'stores a report without its decision',
    noticedBy: /with its decision|does not match a refund/,
    change: (inner) => ({
      reports: { store: (report) => inner.reports.store({ ...report, decision: undefined }) },
    }),
  },
  {
    mistake: 'does not store the payments of a report',
    noticedBy: /with every field/,
    change: (inner) => ({
      reports: { store: (report) => inner.reports.store({ ...report, payments: [] }) },
    }),
  },
  {
    mistake: 'records the time of the last repetition',
    noticedBy: /records when a report was stored/,
    change: (inner) => ({
      reports: {
        store: async (report) => ({ ...(await inner.reports.store(report)), receivedAtMs: 1.5 }),
      },
    }),
  },
  {
    mistake: 'throws for an unknown id',
    noticedBy: /an unknown id/,
    change: (inner) => ({
      reports: {
        find: (id) =>
          /-\d+$/.test(id) ? inner.reports.find(id) : Promise.reject(new TypeError('no uuid')),
        postpone: (id, retryInMs) =>
          /-\d+$/.test(id)
            ? inner.reports.postpone(id, retryInMs)
            : Promise.reject(new TypeError('no uuid')),
      },
    }),
  },
  {
    mistake: 'shortens long references',
    noticedBy: /1024 characters/,
    change: (inner) => ({
      reports: {
        store: (report) =>
          inner.reports.store({ ...report, reference: report.reference.slice(0, 255) }),
      },
    }),
  },
]

export const UNREADABLE: readonly Sabotage[] = [
  {
    mistake: 'stores a report with a problem as undecided',
    noticedBy: /S72 stores a report|S72 neither|S72 redecide|S72 counts/,
    change: (inner) => ({
      reports: { store: ({ problem: _problem, ...report }) => inner.reports.store(report) },
    }),
  },
  {
    mistake: 'loses a report that was reread',
    noticedBy: /S72 the sweep claims|S72 a report that was reread/,
    change: (inner) => ({
      reports: {
        reread: async (id, parsed) => {
          await inner.reports.reread(id, parsed)
          await inner.reports.postpone(id, 10 * LONG_MS)
        },
        orderCreated: () => Promise.resolve(0),
      },
    }),
  },
  {
    mistake: 'ignores a body that was parsed again',
    noticedBy: /S72 redecide makes|S72 a report that was reread|S72 reread makes/,
    change: () => ({ reports: { reread: () => Promise.resolve() } }),
  },
  {
    mistake: 'rereads decided reports',
    noticedBy: /reread does not change/,
    change: (inner) => {
      const parsedBodies = new Map<string, Parameters<Inbox['reports']['reread']>[1]>()
      return {
        reports: {
          reread: async (id, parsed) => {
            parsedBodies.set(id, parsed)
            await inner.reports.reread(id, parsed)
          },
          find: async (id) => {
            const report = await inner.reports.find(id)
            return report && { ...report, ...parsedBodies.get(id) }
          },
        },
      }
    },
  },
  {
    mistake: 'changes the body when it is reread',
    noticedBy: /keeps its body/,
    change: (inner) => {
      const reread = new Set<string>()
      return {
        reports: {
          reread: async (id, parsed) => {
            reread.add(id)
            await inner.reports.reread(id, parsed)
          },
          find: async (id) => {
            const report = await inner.reports.find(id)
            return report && reread.has(id) ? { ...report, rawBody: '' } : report
          },
        },
      }
    },
  },
]

function withoutCredit(decision: Decision): Decision {
  return 'credit' in decision ? { ...decision, credit: undefined } : decision
}

export const DECIDING: readonly Sabotage[] = [
  {
    mistake: 'returns every decision as recorded',
    noticedBy: /keeps (the first|a) final decision|S38 records one|does not park/,
    change: (inner) => ({
      reports: {
        decide: async (id, record) => {
          await inner.reports.decide(id, record)
          return { isRecorded: true, decision: record.decision }
        },
      },
    }),
  },
  {
    mistake: 'decides a credit for each report',
    noticedBy: /S115 decides a credit (for|of)/,
    change: (inner) => ({
      reports: {
        decide: (id, { decision, ...record }) =>
          inner.reports.decide(id, { ...record, decision: withoutCredit(decision) }),
      },
    }),
  },
  {
    mistake: 'decides a credit once, also for its own report and another name',
    noticedBy: /S115 decides a credit again|S119 decides a credit/,
    change: (inner) => {
      const told = new Set<string>()
      return {
        reports: {
          decide: async (id, record) => {
            const { decision } = record
            const credit = 'credit' in decision ? decision.credit : undefined
            if (credit !== undefined && told.has(credit)) {
              return { isRecorded: false, decision, toldAs: decision.kind }
            }
            if (credit !== undefined) told.add(credit)
            return inner.reports.decide(id, record)
          },
        },
      }
    },
  },
  {
    mistake: 'returns a stored report without its decision',
    noticedBy: /S26 returns the decision/,
    change: (inner) => ({
      reports: {
        store: async (report) => ({ ...(await inner.reports.store(report)), decision: undefined }),
      },
    }),
  },
  {
    mistake: 'schedules a task before there is a decision',
    noticedBy: /claims nothing before a decision/,
    change: (inner) => ({
      reports: {
        decide: (id, record) => inner.reports.decide(id, { ...record, tasks: [] }),
        store: async (given) => {
          const report = await inner.reports.store(given)
          const { reference, txHash } = report
          const decision = { kind: 'unknown_order', reference, txHash } as const
          const tasks = [{ handler: 'onPaid', idempotencyKey: report.id }]
          await inner.reports.decide(report.id, { decision, tasks, retryInMs: 0 })
          return report
        },
      },
    }),
  },
  {
    mistake: 'stores the kind of a decision only',
    noticedBy: /every kind of decision/,
    change: (inner) => ({
      reports: {
        decide: (id, record) => {
          const { reference, txHash } = record.decision
          const decision = { kind: 'duplicate', reference, txHash } as const
          return inner.reports.decide(id, { ...record, decision })
        },
      },
    }),
  },
  {
    mistake: 'makes parking a final decision',
    noticedBy: /S25|S54|S56 (claims|makes|keeps)/,
    change: (inner) => ({
      reports: {
        decide: (id, { retryInMs: _retryInMs, ...record }) => inner.reports.decide(id, record),
      },
    }),
  },
  {
    mistake: 'keeps any final decision, also when the order was completed after it',
    noticedBy: /S38 replaces another|S55/,
    change: (inner) => ({
      reports: {
        decide: async (id, record) => {
          const { state, decision } = (await inner.reports.find(id)) ?? {}
          if (state === 'decided' && decision) return { isRecorded: false, decision }
          return inner.reports.decide(id, record)
        },
      },
    }),
  },
  {
    mistake: 'adds no tasks when it parks a report',
    noticedBy: /S54|also when it parks/,
    change: (inner) => ({
      reports: {
        decide: (id, record) =>
          inner.reports.decide(
            id,
            record.retryInMs === undefined ? record : { ...record, tasks: [] },
          ),
      },
    }),
  },
  {
    mistake: 'adds a task for every decision',
    noticedBy: /one task per idempotency key|add a finished task again|S38 adds one task/,
    change: (inner) => {
      let count = 0
      return {
        reports: {
          decide: (id, { tasks = [], ...record }) =>
            inner.reports.decide(id, {
              ...record,
              tasks: tasks.map((task) => ({
                ...task,
                idempotencyKey: `${task.idempotencyKey} ${count++}`,
              })),
            }),
        },
      }
    },
  },
]
