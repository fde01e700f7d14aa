import {
  handlerTaskKey,
  type Inbox,
  memoryInbox,
  type NewReport,
  type Report,
  type Task,
} from '@tonplug/core'
import { createFakeClock, describeInbox } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { runSuite } from './passing-tests.js'

interface Sabotage {
  /** A fault of the inbox. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  change: (inbox: Inbox) => Partial<Inbox>
}

const NAME = 'default'
const LONG_MS = 365 * 86_400_000

const STORING: readonly Sabotage[] = [
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
    noticedBy: /source (webhook|gateway)/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, source: 'chain' }) }),
  },
  {
    mistake: 'stores every report as a webhook',
    noticedBy: /with every field|source (chain|gateway)/,
    change: (inner) => ({ store: (report) => inner.store({ ...report, source: 'webhook' }) }),
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

const UNREADABLE: readonly Sabotage[] = [
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

const DECIDING: readonly Sabotage[] = [
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

const SUBSCRIBING: readonly Sabotage[] = [
  {
    mistake: 'schedules only the handlers of the process that decides',
    noticedBy: /S68/,
    change: (inner) => {
      let registered: Parameters<Inbox['register']>[0] | undefined
      return {
        register: async (registration) => {
          registered = registration
          return inner.register({ ...registration, handlers: [] })
        },
        decide: async (id, { event, ...record }) => {
          const report = await inner.find(id)
          const own = registered?.handlers.filter((one) => one.event === event).slice(1) ?? []
          const tasks = own.flatMap(({ handler }) =>
            report ? [{ handler, idempotencyKey: handlerTaskKey(handler, report) }] : [],
          )
          return inner.decide(id, { ...record, tasks: [...tasks, ...(record.tasks ?? [])] })
        },
      }
    },
  },
  {
    mistake: 'subscribes nothing after the first registration',
    noticedBy: /S68 schedules every|S69|processes that register concurrently/,
    change: (inner) => {
      let isFirst = true
      return {
        register: (registration) => {
          const { handlers } = registration
          const kept = isFirst ? handlers : []
          isFirst = false
          return inner.register({ ...registration, handlers: kept })
        },
      }
    },
  },
  {
    mistake: 'replaces all subscriptions by those of the last registration',
    noticedBy: /S68 schedules every|unsubscribe deletes no task/,
    change: (inner) => {
      const before = new Map<string, string[]>()
      return {
        register: async (registration) => {
          const { name } = registration
          for (const handler of before.get(name) ?? []) await inner.unsubscribe({ name, handler })
          before.set(
            name,
            registration.handlers.map(({ handler }) => handler),
          )
          return inner.register(registration)
        },
        unsubscribe: (query) => inner.unsubscribe({ ...query, handler: 'onPaid' }),
      }
    },
  },
  {
    mistake: 'schedules handlers of every event',
    noticedBy: /without subscribed handlers|S68 schedules every/,
    change: (inner) => ({
      register: (registration) =>
        inner.register({
          ...registration,
          handlers: registration.handlers.map(({ handler }) => ({ handler, event: 'onPaid' })),
        }),
    }),
  },
  {
    mistake: 'schedules handlers for a decision that is not recorded',
    noticedBy: /when the decision is not recorded/,
    change: (inner) => ({
      decide: async (id, record) => {
        const standing = await inner.decide(id, record)
        const report = await inner.find(id)
        if (!standing.isRecorded && report !== null && record.event !== undefined) {
          const other = await inner.store(copyOf(report, 'not recorded'))
          await inner.decide(other.id, record)
        }
        return standing
      },
    }),
  },
  {
    mistake: 'ignores further tasks beside an event',
    noticedBy: /further tasks/,
    change: (inner) => ({
      decide: (id, record) =>
        inner.decide(id, record.event === undefined ? record : { ...record, tasks: [] }),
    }),
  },
  {
    mistake: 'shares subscriptions between names',
    noticedBy: /S60 schedules no handler of another/,
    change: (inner) => ({
      register: async (registration) => {
        await inner.register({ ...registration, name: 'other' })
        return inner.register({ ...registration, name: NAME })
      },
    }),
  },
  {
    mistake: 'joins the parts of an idempotency key with a colon',
    noticedBy: /S83|handlerTaskKey/,
    change: withTaskKey(({ name, merchant, reference, txHash }, handler) =>
      [name, merchant, handler, reference, txHash].join(':'),
    ),
  },
  {
    mistake: 'leaves the merchant out of the idempotency key',
    noticedBy: /S66 schedules/,
    change: withTaskKey((report, handler) => handlerTaskKey(handler, { ...report, merchant: '' })),
  },
  {
    mistake: 'schedules a task for each report of a transfer',
    noticedBy: /two reports of one transfer|S38 schedules one task/,
    change: withTaskKey((report, handler) => `${handler} ${report.id}`),
  },
  {
    mistake: 'schedules handlers again when a report is decided again',
    noticedBy: /S71 does not schedule/,
    change: (inner) => {
      let round = 0
      return {
        ...withTaskKey((report, handler) => `${handler} ${report.id} ${round}`)(inner),
        redecide: (filter) => {
          round++
          return inner.redecide(filter)
        },
      }
    },
  },
  {
    mistake: 'never ends a subscription',
    noticedBy: /ends a subscription when/,
    change: (inner) => ({
      register: (registration) =>
        inner.register({ ...registration, subscriptionTtlMs: 10 * LONG_MS }),
    }),
  },
  {
    mistake: 'deletes the tasks of a handler whose subscription has expired',
    noticedBy: /keeps the tasks of a handler/,
    change: (inner) => ({
      register: async (registration) => {
        const { name, handlers } = registration
        if (handlers.length === 0) await inner.unsubscribe({ name, handler: 'onPaid' })
        return inner.register(registration)
      },
    }),
  },
  {
    mistake: 'keeps the open tasks of a handler that unsubscribed',
    noticedBy: /unsubscribe ends/,
    change: (inner) => {
      const ended = new Set<string>()
      return {
        unsubscribe: async ({ name, handler }) => {
          const isNew = !ended.has(handler)
          ended.add(handler)
          await inner.register({
            name,
            policy: '',
            policyTtlMs: 1,
            handlers: [{ handler, event: 'onPaid' }],
            subscriptionTtlMs: 0,
          })
          return isNew
        },
      }
    },
  },
  {
    mistake: 'returns true for every handler to unsubscribe',
    noticedBy: /unsubscribe returns false/,
    change: (inner) => ({
      unsubscribe: async (query) => (await inner.unsubscribe(query)) || true,
    }),
  },
]

const POLICY: readonly Sabotage[] = [
  {
    mistake: 'returns to each process its own policy',
    noticedBy: /S70 (register pins|a pinned|another|pins one)/,
    change: (inner) => ({
      register: async (registration) => {
        await inner.register(registration)
        return { policy: registration.policy }
      },
    }),
  },
  {
    mistake: 'pins a policy indefinitely',
    noticedBy: /S70 (another policy|a registration with|claimReports returns none for the former)/,
    change: (inner) => ({
      register: (registration) => inner.register({ ...registration, policyTtlMs: 10 * LONG_MS }),
    }),
  },
  {
    mistake: 'lets every registration extend the pinned policy',
    noticedBy: /does not extend the time/,
    change: (inner) => ({
      register: async (registration) => {
        const pinned = await inner.register(registration)
        return inner.register({ ...registration, ...pinned })
      },
    }),
  },
  {
    mistake: 'does not extend the pinned policy',
    noticedBy: /S70 a pinned policy stays/,
    change: (inner) => {
      const last = new Map<string, { policy: string }>()
      return {
        register: async (registration) => {
          const { name, policy } = registration
          const known = last.get(name)
          if (known?.policy === policy) return known
          const pinned = await inner.register(registration)
          last.set(name, pinned)
          return pinned
        },
      }
    },
  },
  {
    mistake: 'pins one policy for all names',
    noticedBy: /S60 S70/,
    change: (inner) => ({
      register: (registration) => inner.register({ ...registration, name: NAME }),
    }),
  },
  {
    mistake: 'lets every policy claim reports',
    noticedBy: /S70 claimReports/,
    change: (inner) => {
      let policy = ''
      return {
        register: async (registration) => {
          const pinned = await inner.register(registration)
          policy = pinned.policy
          return pinned
        },
        claimReports: (query) => inner.claimReports({ ...query, policy }),
      }
    },
  },
]

const CLAIMING: readonly Sabotage[] = [
  {
    mistake: 'claims without a limit',
    noticedBy: /at most `limit`|S77 claims at most|oldest tasks of a handler/,
    change: (inner) => ({
      claimReports: (query) => inner.claimReports({ ...query, limit: 1000 }),
      claimTasks: (query) =>
        inner.claimTasks({
          ...query,
          limits: Object.fromEntries(Object.keys(query.limits).map((name) => [name, 1000])),
        }),
      claimRelay: (query) => inner.claimRelay({ ...query, limit: 1000 }),
    }),
  },
  {
    mistake: 'does not postpone what it claims',
    noticedBy: /S45|S39 gives each report|is the time by which a claim/,
    change: (inner) => ({
      claimReports: (query) => inner.claimReports({ ...query, retryInMs: 0 }),
    }),
  },
  {
    mistake: 'does not count attempts',
    noticedBy: /S45|S56 claims/,
    change: (inner) => ({
      claimReports: async (query) =>
        (await inner.claimReports(query)).map((report) => ({ ...report, attempts: 0 })),
    }),
  },
  {
    mistake: 'claims decided reports',
    noticedBy: /never claims a decided/,
    change: (inner) => ({
      claimReports: async (query) => {
        const report = await inner.find('report-1')
        return [...(await inner.claimReports(query)), ...(report ? [report] : [])]
      },
    }),
  },
  {
    mistake: 'ignores the order when it claims reports',
    noticedBy: /the reports of one order|S66 claims no report/,
    change: (inner) => ({
      claimReports: ({ key: _key, ...query }) => inner.claimReports(query),
    }),
  },
  {
    mistake: 'ignores the merchant when it claims reports',
    noticedBy: /S66 claims no report/,
    change: (inner) => ({
      claimReports: ({ key, ...query }) =>
        inner.claimReports(key === undefined ? query : { ...query, key: { ...key, merchant: '' } }),
    }),
  },
  {
    mistake: 'claims the reports of an order before they are due',
    noticedBy: /before it is due/,
    change: (inner) => ({
      claimReports: async (query) => {
        if (query.key !== undefined) await inner.postpone('report-1', 0)
        return inner.claimReports(query)
      },
    }),
  },
  {
    mistake: 'does not postpone',
    noticedBy: /postpones a report/,
    change: () => ({ postpone: () => Promise.resolve() }),
  },
  {
    mistake: 'postpones decided reports',
    noticedBy: /decided in the meantime/,
    change: (inner) => ({
      postpone: async (id, retryInMs) => {
        const report = await inner.find(id)
        if (report?.state !== 'decided') return inner.postpone(id, retryInMs)
        const other = await inner.store({ ...copyOf(report, 'again'), retryInMs })
        assertNew(other)
      },
    }),
  },
  {
    mistake: 'counts undecided reports as matched',
    noticedBy: /nor counts/,
    change: (inner) => ({
      matchReference: async (query) => (await inner.matchReference(query)) + 1,
    }),
  },
  {
    mistake: 'matches reports of any merchant',
    noticedBy: /S66 matches/,
    change: (inner) => ({
      matchReference: async (query) => {
        let count = 0
        for (const merchant of ['', 'shop-a', 'shop-b']) {
          count += await inner.matchReference({ ...query, merchant })
        }
        return count
      },
    }),
  },
  {
    mistake: 'postpones a report that was matched in the meantime',
    noticedBy: /S56 keeps|S56 loses/,
    change: (inner) => {
      let policy = ''
      const delay = async (id: string, retryInMs: number): Promise<void> => {
        const report = await inner.find(id)
        if (report === null) return
        const { name, reference, merchant } = report
        const key = { reference, merchant }
        await inner.claimReports({ name, policy, key, retryInMs, limit: 10 })
      }
      return {
        register: (registration) => {
          policy = registration.policy
          return inner.register(registration)
        },
        decide: async (id, record) => {
          const standing = await inner.decide(id, record)
          if (record.retryInMs !== undefined) await delay(id, record.retryInMs)
          return standing
        },
        postpone: async (id, retryInMs) => {
          await inner.postpone(id, retryInMs)
          await delay(id, retryInMs)
        },
      }
    },
  },
]

const REDECIDING: readonly Sabotage[] = [
  {
    mistake: 'never decides again',
    noticedBy: /redecide > S71 (makes|records|matches (every|a ref|a merch|the state|a decision$))/,
    change: () => ({ redecide: () => Promise.resolve(-1) }),
  },
  {
    mistake: 'counts matches that it does not make due',
    noticedBy: /redecide > S71 (makes|matches every)/,
    change: (inner) => {
      let isRedecided = false
      return {
        redecide: (filter) => {
          isRedecided = true
          return inner.redecide(filter)
        },
        claimReports: async (query) => (isRedecided ? [] : inner.claimReports(query)),
      }
    },
  },
  {
    mistake: 'decides paid reports again',
    noticedBy: /never matches a report that was decided as paid/,
    change: (inner) => ({
      redecide: async (filter) => {
        const count = await inner.redecide(filter)
        return count + ((await inner.find('report-1'))?.decision?.kind === 'paid' ? 1 : 0)
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
      state: /the state/,
      decision: /redecide > S71 matches (a|the) decision/,
      receivedAfterMs: /at or after/,
    }[field]
    return {
      mistake: `ignores \`${field}\` when it decides again`,
      noticedBy,
      change: (inner) => ({
        redecide: (filter) => inner.redecide({ ...filter, [field]: undefined }),
      }),
    }
  }),
]

const RUNNING: readonly Sabotage[] = [
  {
    mistake: 'returns tasks without their order',
    noticedBy: /at once after its decision|S88 claims tasks of every/,
    change: (inner) => {
      const strip = (tasks: Task[]): Task[] =>
        tasks.map((task) => ({ ...task, merchant: '', reference: '' }))
      return {
        claimTasks: async (query) => strip(await inner.claimTasks(query)),
        claimRelay: async (query) => strip(await inner.claimRelay(query)),
      }
    },
  },
  {
    mistake: 'claims the tasks of every handler of an event',
    noticedBy: /of the given handlers only/,
    change: (inner) => ({
      claimTasks: (query) =>
        inner.claimTasks({
          ...query,
          limits: 'onPaid' in query.limits ? { 'onPaid.ship': 9, ...query.limits } : query.limits,
        }),
    }),
  },
  {
    mistake: 'adds up the limits of all handlers',
    noticedBy: /S77 claims (at most|a task of each)/,
    change: (inner) => ({
      claimTasks: (query) => {
        const limits = Object.entries(query.limits)
        const sum = limits.reduce((total, [, limit]) => total + limit, 0)
        return inner.claimTasks({
          ...query,
          limits: Object.fromEntries(limits.map(([handler]) => [handler, sum])),
        })
      },
    }),
  },
  {
    mistake: 'considers only the oldest 100 tasks',
    noticedBy: /S77 claims a task behind/,
    change: (inner) => ({
      claimTasks: async (query) => {
        const limits = { 'onPaid.slow': 100, ...query.limits }
        const tasks = await inner.claimTasks({ ...query, limits })
        return tasks.slice(0, 100).filter(({ handler }) => handler in query.limits)
      },
    }),
  },
  {
    mistake: 'lets a backlog use up the whole claim',
    noticedBy: /S77 claims a task of each/,
    change: (inner) => ({
      claimTasks: async (query) => (await inner.claimTasks(query)).slice(0, 2),
    }),
  },
  {
    mistake: 'claims the newest tasks first',
    noticedBy: /oldest tasks of a handler/,
    change: (inner) => ({
      claimTasks: async (query) => {
        const all = await inner.claimTasks({ ...query, limits: { onPaid: 100 } })
        return all.toReversed().slice(0, query.limits['onPaid'])
      },
    }),
  },
  {
    mistake: 'leases tasks without end',
    noticedBy: /S47 claims|S75 gives|S51 S76|is the time until a lease|S88 claims a task again/,
    change: (inner) => ({
      claimTasks: (query) => inner.claimTasks({ ...query, leaseMs: 10 * LONG_MS }),
      claimRelay: (query) => inner.claimRelay({ ...query, leaseMs: 10 * LONG_MS }),
      extendLease: (task) => inner.extendLease(task, 10 * LONG_MS),
    }),
  },
  {
    mistake: 'does not lease tasks',
    noticedBy: /only once|S39 gives each task|S88 gives each task/,
    change: (inner) => ({
      claimTasks: (query) => inner.claimTasks({ ...query, leaseMs: 0 }),
      claimRelay: (query) => inner.claimRelay({ ...query, leaseMs: 0 }),
    }),
  },
  {
    mistake: 'accepts the outcome of a lost lease',
    noticedBy: /S47 S75/,
    change: (inner) => ({
      finishTask: async (task, outcome) => (await inner.finishTask(task, outcome)) || true,
    }),
  },
  {
    mistake: 'does not extend leases',
    noticedBy: /S51 S76|extended by 0/,
    change: () => ({ extendLease: () => Promise.resolve(true) }),
  },
  {
    mistake: 'extends the lease of a finished task',
    noticedBy: /lease of a finished task/,
    change: (inner) => ({
      extendLease: async (task, leaseMs) => (await inner.extendLease(task, leaseMs)) || true,
    }),
  },
  {
    mistake: 'runs finished tasks again',
    noticedBy: /never runs a finished task|add a finished task again/,
    change: (inner) => ({
      finishTask: (task, outcome) =>
        inner.finishTask(
          task,
          outcome.kind === 'done' ? { kind: 'retry', retryInMs: 0, error: '' } : outcome,
        ),
    }),
  },
  {
    mistake: 'retries at once',
    noticedBy: /S50 retries|later than its lease|then until a retry/,
    change: (inner) => ({
      finishTask: (task, outcome) =>
        inner.finishTask(task, outcome.kind === 'retry' ? { ...outcome, retryInMs: 0 } : outcome),
    }),
  },
  {
    mistake: 'rejects long errors',
    noticedBy: /error text of any length/,
    change: (inner) => ({
      finishTask: (task, outcome) =>
        'error' in outcome && outcome.error.length > 1000
          ? Promise.reject(new RangeError('value too long'))
          : inner.finishTask(task, outcome),
    }),
  },
  {
    mistake: 'lists no dead tasks',
    noticedBy: /S50 lists|oldest first, up to the limit/,
    change: () => ({ listDeadLetters: () => Promise.resolve([]) }),
  },
  {
    mistake: 'lists dead tasks without their merchant',
    noticedBy: /S50 lists/,
    change: (inner) => ({
      listDeadLetters: async (query) =>
        (await inner.listDeadLetters(query)).map((task) => ({ ...task, merchant: '' })),
    }),
  },
  {
    mistake: 'lists the newest dead tasks first',
    noticedBy: /lists dead tasks oldest first/,
    change: (inner) => ({
      listDeadLetters: async ({ limit }) =>
        (await inner.listDeadLetters({ limit: 100 })).toReversed().slice(0, limit),
    }),
  },
  {
    mistake: 'buries all tasks of a report with one of them',
    noticedBy: /does not change the other tasks/,
    change: (inner) => ({
      finishTask: async (task, outcome) => {
        const isFinished = await inner.finishTask(task, outcome)
        if (outcome.kind !== 'dead') return isFinished
        for (let id = 1; id < 5; id++) {
          await inner.finishTask({ ...task, idempotencyKey: 'b', leaseId: `lease-${id}` }, outcome)
        }
        return isFinished
      },
    }),
  },
]

const RELAYING: readonly Sabotage[] = [
  {
    mistake: 'relays proofs',
    noticedBy: /except proofs/,
    change: (inner) => ({
      claimRelay: async ({ name, leaseMs, limit }) => [
        ...(await inner.claimRelay({ name, leaseMs, limit })),
        ...(await inner.claimTasks({ name, leaseMs, limits: { verifyOnChain: limit } })),
      ],
    }),
  },
  {
    mistake: 'keeps a relayed task open',
    noticedBy: /S88 (never|deletes)/,
    change: (inner) => ({
      finishTask: (task, outcome) =>
        inner.finishTask(
          task,
          outcome.kind === 'relayed' ? { kind: 'retry', retryInMs: 60_000, error: '' } : outcome,
        ),
    }),
  },
  {
    mistake: 'deletes a relayed task and adds it again',
    noticedBy: /S88 does not add/,
    change: (inner) => ({
      finishTask: async (task, outcome) => {
        if (outcome.kind !== 'relayed') return inner.finishTask(task, outcome)
        return inner.unsubscribe({ name: NAME, handler: task.handler }).then(() => true)
      },
    }),
  },
  {
    mistake: 'relays tasks of every name',
    noticedBy: /claimRelay > S60/,
    change: (inner) => ({
      claimRelay: async (query) => [
        ...(await inner.claimRelay(query)),
        ...(await inner.claimRelay({ ...query, name: 'other' })),
      ],
    }),
  },
]

const OPERATING: readonly Sabotage[] = [
  {
    mistake: 'never has a next due time',
    noticedBy: /nextDueInMs > (is the|is at most|becomes|considers)/,
    change: () => ({ nextDueInMs: () => Promise.resolve(undefined) }),
  },
  {
    mistake: 'always has a next due time',
    noticedBy: /is undefined when|then undefined|ignores tasks/,
    change: (inner) => ({ nextDueInMs: async (query) => (await inner.nextDueInMs(query)) ?? 0 }),
  },
  {
    mistake: 'ignores the handlers of a process',
    noticedBy: /ignores tasks of other/,
    change: (inner) => ({ nextDueInMs: ({ name }) => inner.nextDueInMs({ name }) }),
  },
  {
    mistake: 'shares everything between names',
    noticedBy: /names > S60/,
    change: (inner) => ({
      claimReports: (query) => inner.claimReports({ ...query, name: 'other' }),
      claimTasks: (query) => inner.claimTasks({ ...query, name: 'other' }),
      matchReference: (query) => inner.matchReference({ ...query, name: 'other' }),
      nextDueInMs: (query) => inner.nextDueInMs({ ...query, name: 'other' }),
      register: async (registration) => {
        await inner.register({ ...registration, name: 'other' })
        return inner.register(registration)
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
        replay: (id) => {
          isReplayed = true
          return inner.replay(id)
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
      replay: () => Promise.resolve(true),
      replayWhere: () => Promise.resolve(1),
    }),
  },
  {
    mistake: 'replays a task without its attempts',
    noticedBy: /with all its attempts/,
    change: (inner) => {
      let replayed = 0
      return {
        replay: (id) => {
          replayed++
          return inner.replay(id)
        },
        claimTasks: async (query) =>
          (await inner.claimTasks(query)).map((task) => ({
            ...task,
            attempt: task.attempt + replayed,
          })),
      }
    },
  },
  {
    mistake: 'replays what a filter does not match',
    noticedBy: /S50 resets|S66 resets/,
    change: (inner) => ({ replayWhere: () => inner.replayWhere({}) }),
  },
  {
    mistake: 'ignores the merchant of a filter',
    noticedBy: /S66 resets/,
    change: (inner) => ({
      replayWhere: ({ merchant: _merchant, ...filter }) => inner.replayWhere(filter),
    }),
  },
  {
    mistake: 'never deletes reports',
    noticedBy: /deletes older|S58 stores|open or dead|S88 deletes/,
    change: () => ({ forgetDecided: () => Promise.resolve(0) }),
  },
  {
    mistake: 'deletes reports beyond the limit',
    noticedBy: /up to the limit, oldest first/,
    change: (inner) => ({
      forgetDecided: (query) => inner.forgetDecided({ ...query, limit: 1000 }),
    }),
  },
  {
    mistake: 'deletes reports of any age and name',
    noticedBy: /deletes older reports/,
    change: (inner) => ({
      forgetDecided: async ({ limit }) =>
        inner.forgetDecided({ name: NAME, olderThanMs: -1, limit }),
    }),
  },
  {
    mistake: 'deletes a paid report while another report of its order is unfinished',
    noticedBy: /S58 keeps a finished/,
    change: (inner) => {
      // Kept under references of their own, no report protects another.
      let count = 0
      return {
        store: (report) => inner.store({ ...report, reference: `${report.reference} ${count++}` }),
      }
    },
  },
]

const PAYMENTS: readonly Sabotage[] = [
  {
    mistake: 'lets every order claim a payment',
    noticedBy: /S82 lets|S82 claims all/,
    change: () => ({ claimPayments: () => Promise.resolve(true) }),
  },
  {
    mistake: 'rejects a repeated claim',
    noticedBy: /S82 lets the first/,
    change: (inner) => {
      let count = 0
      return {
        claimPayments: (query) =>
          inner.claimPayments({ ...query, reference: `${query.reference} ${count++}` }),
      }
    },
  },
  {
    mistake: 'rejects a claim of no payments',
    noticedBy: /for no payments/,
    change: (inner) => ({
      claimPayments: async (query) =>
        query.payments.length > 0 && (await inner.claimPayments(query)),
    }),
  },
  {
    mistake: 'claims some of the payments',
    noticedBy: /S82 claims all/,
    change: (inner) => ({
      claimPayments: async (query) => {
        const claims: boolean[] = []
        for (const payment of query.payments) {
          claims.push(await inner.claimPayments({ ...query, payments: [payment] }))
        }
        return claims.every(Boolean)
      },
    }),
  },
  {
    mistake: 'reads and writes claims in two steps',
    noticedBy: /S82 lets one of 50 orders claim/,
    change: (inner) => {
      const claims = new Map<string, string>()
      return {
        claimPayments: async ({ payments, reference }) => {
          const isFree = payments.every((one) => (claims.get(one) ?? reference) === reference)
          await inner.stats()
          for (const payment of isFree ? payments : []) claims.set(payment, reference)
          return isFree
        },
      }
    },
  },
  {
    mistake: 'claims payments for all merchants together',
    noticedBy: /S65 lets another merchant/,
    change: (inner) => ({
      claimPayments: (query) => inner.claimPayments({ ...query, merchant: '' }),
    }),
  },
  {
    mistake: 'claims payments for all names together',
    noticedBy: /S60 lets another name/,
    change: (inner) => ({
      claimPayments: (query) => inner.claimPayments({ ...query, name: NAME }),
    }),
  },
  {
    mistake: 'deletes claims with their report',
    noticedBy: /keeps the claim when/,
    change: (inner) => {
      let generation = 0
      return {
        forgetDecided: async (query) => {
          const count = await inner.forgetDecided(query)
          generation += count
          return count
        },
        claimPayments: (query) =>
          inner.claimPayments({
            ...query,
            payments: query.payments.map((one) => `${one} ${generation}`),
          }),
      }
    },
  },
]

const SABOTAGES = [
  ...STORING,
  ...UNREADABLE,
  ...DECIDING,
  ...SUBSCRIBING,
  ...POLICY,
  ...CLAIMING,
  ...REDECIDING,
  ...RUNNING,
  ...RELAYING,
  ...OPERATING,
  ...PAYMENTS,
]

describe('describeInbox', () => {
  it.each(SABOTAGES)('notices an inbox that $mistake', async ({ change, noticedBy }) => {
    const { passed, failed } = await runSuite(
      (runner) => describeInbox('sabotaged', () => makeHarness(change), runner),
      noticedBy,
    )
    expect(passed).toEqual([])
    expect(failed).not.toEqual([])
  })
  it('notices an inbox that uses the clock of the process instead of that of the store', async () => {
    const { passed } = await runSuite(
      (runner) =>
        describeInbox('sabotaged', () => ({ inbox: memoryInbox(), advance: () => {} }), runner),
      /S45 claims|S56 claims a parked|S47 claims|S51 S76|S50 retries|becomes shorter|S70 another/,
    )
    expect(passed).toEqual([])
  })
  it('has a sabotage that each of its tests notices', async () => {
    const titles = new Set(
      (await runSuite((runner) => describeInbox('memory', () => makeHarness(() => ({})), runner)))
        .passed,
    )
    for (const { change, noticedBy } of SABOTAGES) {
      for (const title of titles) if (noticedBy.test(title)) titles.delete(title)
      expect(change).toBeTypeOf('function')
    }
    expect([...titles]).toEqual([])
  })
})

function makeHarness(change: Sabotage['change']) {
  const clock = createFakeClock()
  const memory = memoryInbox({ clock })
  return {
    inbox: { ...memory, ...change(memory) },
    advance: (ms: number) => clock.advance(ms),
  }
}

/** Stores another string as the body. */
function withRawBody(rewrite: (text: string) => string): Sabotage['change'] {
  return (inner) => ({
    store: (report) => inner.store({ ...report, rawBody: rewrite(report.rawBody) }),
  })
}

/** Schedules the handlers of an event with other idempotency keys. */
function withTaskKey(key: (report: Report, handler: string) => string): Sabotage['change'] {
  return (inner) => {
    const handlers = new Map<string, Parameters<Inbox['register']>[0]['handlers'][number]>()
    return {
      register: (registration) => {
        for (const one of registration.handlers) handlers.set(one.handler, one)
        return inner.register({ ...registration, handlers: [] })
      },
      decide: async (id, { event, tasks = [], ...record }) => {
        const report = await inner.find(id)
        const scheduled = [...handlers.values()]
          .filter((one) => one.event === event)
          .flatMap(({ handler }) =>
            report ? [{ handler, idempotencyKey: key(report, handler) }] : [],
          )
        return inner.decide(id, { ...record, tasks: [...scheduled, ...tasks] })
      },
    }
  }
}

/** Returns a report with the content of another one. */
function copyOf(report: Report, key: string): NewReport {
  const { name, merchant, source, signedWith, reference, txHash, rawBody, payments } = report
  const { wasCompletedBefore } = report
  const content = { name, merchant, source, signedWith, reference, txHash, rawBody, payments }
  return { ...content, wasCompletedBefore, key, retryInMs: 0 }
}

function assertNew({ state }: Report): void {
  if (state !== 'undecided') throw new Error(`expected an undecided report; received ${state}`)
}
