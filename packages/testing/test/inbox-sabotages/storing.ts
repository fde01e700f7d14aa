import type { Inbox, Report } from '@tonplug/core'
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
      return { store: (report) => inner.store({ ...report, key: `${count++}` }) }
    },
  },
  {
    mistake: 'compares keys without case',
    noticedBy: /distinguishes keys/,
    change: (inner) => ({
      store: (report) => inner.store({ ...report, key: report.key.toLowerCase() }),
    }),
  },
  {
    mistake: 'stores one report for all names',
    noticedBy: /S60 stores a report of its own/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, name: NAME }) }),
  },
  {
    mistake: 'replaces characters that it cannot store',
    noticedBy: /never converts NUL or a lone surrogate/,
    change: (inner) => ({
      store: (report) =>
        inner.store({ ...report, reference: report.reference.replace(UNSTORABLE, '\uFFFD') }),
    }),
  },
  {
    mistake: 'stores the body as JSON',
    noticedBy: /with line breaks|with duplicate keys/,
    change: (inner) => ({
      store: (report) =>
        inner.store({ ...report, rawBody: JSON.stringify(JSON.parse(report.rawBody)) }),
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
        store: (report) =>
          (storing ??= inner.store(report).finally(() => {
            storing = undefined
          })),
      }
    },
  },
  {
    mistake: 'stores every report as found on the chain',
    noticedBy: /source (webhook|gateway|operator)/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, source: 'chain' }) }),
  },
  {
    mistake: 'stores every report as a webhook',
    noticedBy: /with every field|source (chain|gateway|operator)/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, source: 'webhook' }) }),
  },
  {
    mistake: 'stores a report without its decision',
    noticedBy: /with its decision|does not match a refund/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, decision: undefined }) }),
  },
  {
    mistake: 'does not store the payments of a report',
    noticedBy: /with every field/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, payments: [] }) }),
  },
  {
    mistake: 'records the time of the last repetition',
    noticedBy: /records when a report was stored/,
    change: (inner) => ({
      store: async (report) => ({ ...(await inner.store(report)), receivedAtMs: 1.5 }),
    }),
  },
  {
    mistake: 'throws for an unknown id',
    noticedBy: /an unknown id/,
    change: (inner) => ({
      find: (id) => (/-\d+$/.test(id) ? inner.find(id) : Promise.reject(new TypeError('no uuid'))),
      postpone: (id, retryInMs) =>
        /-\d+$/.test(id) ? inner.postpone(id, retryInMs) : Promise.reject(new TypeError('no uuid')),
    }),
  },
  {
    mistake: 'shortens long references',
    noticedBy: /1024 characters/,
    change: (inner) => ({
      store: (report) => inner.store({ ...report, reference: report.reference.slice(0, 255) }),
    }),
  },
]

export const UNREADABLE: readonly Sabotage[] = [
  {
    mistake: 'stores a report with a problem as undecided',
    noticedBy: /S72 stores a report|S72 neither|S72 redecide|S72 counts/,
    change: (inner) => ({ store: ({ problem: _problem, ...report }) => inner.store(report) }),
  },
  {
    mistake: 'loses a report that was reread',
    noticedBy: /S72 the sweep claims|S72 a report that was reread/,
    change: (inner) => ({
      reread: async (id, parsed) => {
        await inner.reread(id, parsed)
        await inner.postpone(id, 10 * LONG_MS)
      },
      matchReference: () => Promise.resolve(0),
    }),
  },
  {
    mistake: 'ignores a body that was parsed again',
    noticedBy: /S72 redecide makes|S72 a report that was reread|S72 reread makes/,
    change: () => ({ reread: () => Promise.resolve() }),
  },
  {
    mistake: 'rereads decided reports',
    noticedBy: /reread does not change/,
    change: (inner) => {
      const parsedBodies = new Map<string, Parameters<Inbox['reread']>[1]>()
      return {
        reread: async (id, parsed) => {
          parsedBodies.set(id, parsed)
          await inner.reread(id, parsed)
        },
        find: async (id) => {
          const report = await inner.find(id)
          return report && { ...report, ...parsedBodies.get(id) }
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
        reread: async (id, parsed) => {
          reread.add(id)
          await inner.reread(id, parsed)
        },
        find: async (id) => {
          const report = await inner.find(id)
          return report && reread.has(id) ? { ...report, rawBody: '' } : report
        },
      }
    },
  },
]

export const DECIDING: readonly Sabotage[] = [
  {
    mistake: 'returns every decision as recorded',
    noticedBy: /keeps the first final decision|S38 records one|does not park/,
    change: (inner) => ({
      decide: async (id, record) => {
        await inner.decide(id, record)
        return { isRecorded: true, decision: record.decision }
      },
    }),
  },
  {
    mistake: 'returns a stored report without its decision',
    noticedBy: /S26 returns the decision/,
    change: (inner) => ({
      store: async (report) => ({ ...(await inner.store(report)), decision: undefined }),
    }),
  },
  {
    mistake: 'schedules a task before there is a decision',
    noticedBy: /claims nothing before a decision/,
    change: (inner) => ({
      decide: (id, record) => inner.decide(id, { ...record, tasks: [] }),
      store: async (given) => {
        const report = await inner.store(given)
        const { reference, txHash } = report
        const decision = { kind: 'unmatched', reference, txHash } as const
        const tasks = [{ handler: 'onPaid', idempotencyKey: report.id }]
        await inner.decide(report.id, { decision, tasks, retryInMs: 0 })
        return report
      },
    }),
  },
  {
    mistake: 'stores the kind of a decision only',
    noticedBy: /every kind of decision/,
    change: (inner) => ({
      decide: (id, record) => {
        const { reference, txHash } = record.decision
        const decision = { kind: 'duplicate', reference, txHash } as const
        return inner.decide(id, { ...record, decision })
      },
    }),
  },
  {
    mistake: 'makes parking a final decision',
    noticedBy: /S25|S54|S56 (claims|makes|keeps)/,
    change: (inner) => ({
      decide: (id, { retryInMs: _retryInMs, ...record }) => inner.decide(id, record),
    }),
  },
  {
    mistake: 'keeps any final decision, also when the order was completed after it',
    noticedBy: /S38 replaces another|S55/,
    change: (inner) => ({
      decide: async (id, record) => {
        const { state, decision } = (await inner.find(id)) ?? {}
        if (state === 'decided' && decision) return { isRecorded: false, decision }
        return inner.decide(id, record)
      },
    }),
  },
  {
    mistake: 'adds no tasks when it parks a report',
    noticedBy: /S54|also when it parks/,
    change: (inner) => ({
      decide: (id, record) =>
        inner.decide(id, record.retryInMs === undefined ? record : { ...record, tasks: [] }),
    }),
  },
  {
    mistake: 'adds a task for every decision',
    noticedBy: /one task per idempotency key|add a finished task again|S38 adds one task/,
    change: (inner) => {
      let count = 0
      return {
        decide: (id, { tasks = [], ...record }) =>
          inner.decide(id, {
            ...record,
            tasks: tasks.map((task) => ({
              ...task,
              idempotencyKey: `${task.idempotencyKey} ${count++}`,
            })),
          }),
      }
    },
  },
]
