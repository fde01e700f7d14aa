import { handlerTaskKey } from '@tonplug/core'
import type { Inbox } from '@tonplug/core'
import { NAME, LONG_MS, withTaskKey, copyOf } from './sabotage.js'
import type { Sabotage } from './sabotage.js'

export const SUBSCRIBING: readonly Sabotage[] = [
  {
    mistake: 'schedules only the handlers of the process that decides',
    noticedBy: /S68/,
    change: (inner) => {
      let registered: Parameters<Inbox['processes']['register']>[0] | undefined
      return {
        processes: {
          register: async (registration) => {
            registered = registration
            return inner.processes.register({ ...registration, handlers: [] })
          },
        },
        reports: {
          decide: async (id, { event, ...record }) => {
            const report = await inner.reports.find(id)
            const own = registered?.handlers.filter((one) => one.event === event).slice(1) ?? []
            const tasks = own.flatMap(({ handler }) =>
              report ? [{ handler, idempotencyKey: handlerTaskKey(handler, report) }] : [],
            )
            return inner.reports.decide(id, {
              ...record,
              tasks: [...tasks, ...(record.tasks ?? [])],
            })
          },
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
        processes: {
          register: (registration) => {
            const { handlers } = registration
            const kept = isFirst ? handlers : []
            isFirst = false
            return inner.processes.register({ ...registration, handlers: kept })
          },
        },
      }
    },
  },
  {
    mistake: 'replaces all subscriptions by the last registration',
    noticedBy: /S68 schedules every|unsubscribe deletes no task/,
    change: (inner) => {
      const before = new Map<string, string[]>()
      return {
        processes: {
          register: async (registration) => {
            const { name } = registration
            for (const handler of before.get(name) ?? [])
              await inner.processes.unsubscribe({ name, handler })
            before.set(
              name,
              registration.handlers.map(({ handler }) => handler),
            )
            return inner.processes.register(registration)
          },
          unsubscribe: (query) => inner.processes.unsubscribe({ ...query, handler: 'onPaid' }),
        },
      }
    },
  },
  {
    mistake: 'schedules handlers of every event',
    noticedBy: /without subscribed handlers|S68 schedules every/,
    change: (inner) => ({
      processes: {
        register: (registration) =>
          inner.processes.register({
            ...registration,
            handlers: registration.handlers.map(({ handler }) => ({ handler, event: 'onPaid' })),
          }),
      },
    }),
  },
  {
    mistake: 'schedules handlers for a decision that is not recorded',
    noticedBy: /when the decision is not recorded/,
    change: (inner) => ({
      reports: {
        decide: async (id, record) => {
          const standing = await inner.reports.decide(id, record)
          const report = await inner.reports.find(id)
          if (!standing.isRecorded && report !== null && record.event !== undefined) {
            const other = await inner.reports.store(copyOf(report, 'not recorded'))
            await inner.reports.decide(other.id, record)
          }
          return standing
        },
      },
    }),
  },
  {
    mistake: 'ignores further tasks beside an event',
    noticedBy: /further tasks/,
    change: (inner) => ({
      reports: {
        decide: (id, record) =>
          inner.reports.decide(id, record.event === undefined ? record : { ...record, tasks: [] }),
      },
    }),
  },
  {
    mistake: 'shares subscriptions between names',
    noticedBy: /S60 schedules no handler of another/,
    change: (inner) => ({
      processes: {
        register: async (registration) => {
          await inner.processes.register({ ...registration, name: 'other' })
          return inner.processes.register({ ...registration, name: NAME })
        },
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
      const otherKeys = withTaskKey((report, handler) => `${handler} ${report.id} ${round}`)(inner)
      return {
        ...otherKeys,
        reports: {
          ...otherKeys.reports,
          redecide: (filter) => {
            round++
            return inner.reports.redecide(filter)
          },
        },
      }
    },
  },
  {
    mistake: 'never ends a subscription',
    noticedBy: /ends a subscription when/,
    change: (inner) => ({
      processes: {
        register: (registration) =>
          inner.processes.register({ ...registration, subscriptionTtlMs: 10 * LONG_MS }),
      },
    }),
  },
  {
    mistake: 'deletes the tasks of a handler whose subscription has expired',
    noticedBy: /keeps the tasks of a handler/,
    change: (inner) => ({
      processes: {
        register: async (registration) => {
          const { name, handlers } = registration
          if (handlers.length === 0) await inner.processes.unsubscribe({ name, handler: 'onPaid' })
          return inner.processes.register(registration)
        },
      },
    }),
  },
  {
    mistake: 'keeps the open tasks of a handler that unsubscribed',
    noticedBy: /unsubscribe ends/,
    change: (inner) => {
      const ended = new Set<string>()
      return {
        processes: {
          unsubscribe: async ({ name, handler }) => {
            const isNew = !ended.has(handler)
            ended.add(handler)
            await inner.processes.register({
              name,
              policy: '',
              policyTtlMs: 1,
              handlers: [{ handler, event: 'onPaid' }],
              subscriptionTtlMs: 0,
            })
            return isNew
          },
        },
      }
    },
  },
  {
    mistake: 'returns true for every handler to unsubscribe',
    noticedBy: /unsubscribe returns false/,
    change: (inner) => ({
      processes: {
        unsubscribe: async (query) => (await inner.processes.unsubscribe(query)) || true,
      },
    }),
  },
]

export const POLICY: readonly Sabotage[] = [
  {
    mistake: 'conceals other names',
    noticedBy: /S119 states/,
    change: (inner) => ({
      processes: {
        register: async (registration) => ({
          ...(await inner.processes.register(registration)),
          hasOtherNames: false,
        }),
      },
    }),
  },
  {
    mistake: 'conceals the watchers of other processes',
    noticedBy: /S116 states/,
    change: (inner) => ({
      processes: {
        register: async (registration) => ({
          ...(await inner.processes.register(registration)),
          isWatched: registration.isWatching === true,
        }),
      },
    }),
  },
  {
    mistake: 'returns to each process its own policy',
    noticedBy: /S70 (register pins|a pinned|another|pins one)/,
    change: (inner) => ({
      processes: {
        register: async (registration) => {
          await inner.processes.register(registration)
          return { policy: registration.policy }
        },
      },
    }),
  },
  {
    mistake: 'pins a policy indefinitely',
    noticedBy: /S70 (another policy|a registration with|claimReports returns none for the former)/,
    change: (inner) => ({
      processes: {
        register: (registration) =>
          inner.processes.register({ ...registration, policyTtlMs: 10 * LONG_MS }),
      },
    }),
  },
  {
    mistake: 'lets every registration extend the pinned policy',
    noticedBy: /does not extend the time/,
    change: (inner) => ({
      processes: {
        register: async (registration) => {
          const pinned = await inner.processes.register(registration)
          return inner.processes.register({ ...registration, ...pinned })
        },
      },
    }),
  },
  {
    mistake: 'does not extend the pinned policy',
    noticedBy: /S70 a pinned policy stays/,
    change: (inner) => {
      const last = new Map<string, { policy: string }>()
      return {
        processes: {
          register: async (registration) => {
            const { name, policy } = registration
            const known = last.get(name)
            if (known?.policy === policy) return known
            const pinned = await inner.processes.register(registration)
            last.set(name, pinned)
            return pinned
          },
        },
      }
    },
  },
  {
    mistake: 'pins one policy for all names',
    noticedBy: /S60 S70/,
    change: (inner) => ({
      processes: {
        register: (registration) => inner.processes.register({ ...registration, name: NAME }),
      },
    }),
  },
  {
    mistake: 'lets every policy claim reports',
    noticedBy: /S70 claimReports/,
    change: (inner) => {
      let policy = ''
      return {
        processes: {
          register: async (registration) => {
            const pinned = await inner.processes.register(registration)
            policy = pinned.policy
            return pinned
          },
        },
        reports: { claim: (query) => inner.reports.claim({ ...query, policy }) },
      }
    },
  },
]
