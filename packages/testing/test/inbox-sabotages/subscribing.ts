import { handlerTaskKey } from '@tonplug/core'
import type { Inbox } from '@tonplug/core'
import { NAME, LONG_MS, withTaskKey, copyOf } from './sabotage.js'
import type { Sabotage } from './sabotage.js'

export const SUBSCRIBING: readonly Sabotage[] = [
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

export const POLICY: readonly Sabotage[] = [
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
