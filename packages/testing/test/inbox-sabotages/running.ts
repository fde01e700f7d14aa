import type { Task } from '@tonplug/core'
import { NAME, LONG_MS } from './sabotage.js'
import type { Sabotage } from './sabotage.js'

export const RUNNING: readonly Sabotage[] = [
  {
    mistake: 'returns tasks without their order',
    noticedBy: /at once after its decision|S88 claims tasks of every/,
    change: (inner) => {
      const strip = (tasks: Task[]): Task[] =>
        tasks.map((task) => ({ ...task, merchant: '', reference: '' }))
      return {
        tasks: {
          claim: async (query) => strip(await inner.tasks.claim(query)),
          claimRelay: async (query) => strip(await inner.tasks.claimRelay(query)),
        },
      }
    },
  },
  {
    mistake: 'claims the tasks of every handler of an event',
    noticedBy: /of the given handlers only/,
    change: (inner) => ({
      tasks: {
        claim: (query) =>
          inner.tasks.claim({
            ...query,
            limits: 'onPaid' in query.limits ? { 'onPaid.ship': 9, ...query.limits } : query.limits,
          }),
      },
    }),
  },
  {
    mistake: 'adds up the limits of all handlers',
    noticedBy: /S77 claims (at most|a task of each)/,
    change: (inner) => ({
      tasks: {
        claim: (query) => {
          const limits = Object.entries(query.limits)
          const sum = limits.reduce((total, [, limit]) => total + limit, 0)
          return inner.tasks.claim({
            ...query,
            limits: Object.fromEntries(limits.map(([handler]) => [handler, sum])),
          })
        },
      },
    }),
  },
  {
    mistake: 'considers only the oldest 100 tasks',
    noticedBy: /S77 claims a task behind/,
    change: (inner) => ({
      tasks: {
        claim: async (query) => {
          const limits = { 'onPaid.slow': 100, ...query.limits }
          const tasks = await inner.tasks.claim({ ...query, limits })
          return tasks.slice(0, 100).filter(({ handler }) => handler in query.limits)
        },
      },
    }),
  },
  {
    mistake: 'lets a backlog use up the whole claim',
    noticedBy: /S77 claims a task of each/,
    change: (inner) => ({
      tasks: { claim: async (query) => (await inner.tasks.claim(query)).slice(0, 2) },
    }),
  },
  {
    mistake: 'claims the newest tasks first',
    noticedBy: /oldest tasks of a handler/,
    change: (inner) => ({
      tasks: {
        claim: async (query) => {
          const all = await inner.tasks.claim({ ...query, limits: { onPaid: 100 } })
          return all.toReversed().slice(0, query.limits['onPaid'])
        },
      },
    }),
  },
  {
    mistake: 'leases tasks without end',
    noticedBy: /S47 claims|S75 gives|S51 S76|is the time until a lease|S88 claims a task again/,
    change: (inner) => ({
      tasks: {
        claim: (query) => inner.tasks.claim({ ...query, leaseMs: 10 * LONG_MS }),
        claimRelay: (query) => inner.tasks.claimRelay({ ...query, leaseMs: 10 * LONG_MS }),
        extendLease: (task) => inner.tasks.extendLease(task, 10 * LONG_MS),
      },
    }),
  },
  {
    mistake: 'does not lease tasks',
    noticedBy: /only once|S39 gives each task|S88 gives each task/,
    change: (inner) => ({
      tasks: {
        claim: (query) => inner.tasks.claim({ ...query, leaseMs: 0 }),
        claimRelay: (query) => inner.tasks.claimRelay({ ...query, leaseMs: 0 }),
      },
    }),
  },
  {
    mistake: 'accepts the outcome of a lost lease',
    noticedBy: /S47 S75/,
    change: (inner) => ({
      tasks: { finish: async (task, outcome) => (await inner.tasks.finish(task, outcome)) || true },
    }),
  },
  {
    mistake: 'does not extend leases',
    noticedBy: /S51 S76|extended by 0/,
    change: () => ({ tasks: { extendLease: () => Promise.resolve(true) } }),
  },
  {
    mistake: 'extends the lease of a finished task',
    noticedBy: /lease of a finished task/,
    change: (inner) => ({
      tasks: {
        extendLease: async (task, leaseMs) =>
          (await inner.tasks.extendLease(task, leaseMs)) || true,
      },
    }),
  },
  {
    mistake: 'runs finished tasks again',
    noticedBy: /never runs a finished task|add a finished task again/,
    change: (inner) => ({
      tasks: {
        finish: (task, outcome) =>
          inner.tasks.finish(
            task,
            outcome.kind === 'done' ? { kind: 'retry', retryInMs: 0, error: '' } : outcome,
          ),
      },
    }),
  },
  {
    mistake: 'retries at once',
    noticedBy: /S50 retries|later than its lease|then until a retry/,
    change: (inner) => ({
      tasks: {
        finish: (task, outcome) =>
          inner.tasks.finish(
            task,
            outcome.kind === 'retry' ? { ...outcome, retryInMs: 0 } : outcome,
          ),
      },
    }),
  },
  {
    mistake: 'rejects long errors',
    noticedBy: /error text of any length/,
    change: (inner) => ({
      tasks: {
        finish: (task, outcome) =>
          'error' in outcome && outcome.error.length > 1000
            ? Promise.reject(new RangeError('value too long'))
            : inner.tasks.finish(task, outcome),
      },
    }),
  },
  {
    mistake: 'lists no dead tasks',
    noticedBy: /S50 lists|oldest first, up to the limit/,
    change: () => ({ tasks: { listDead: () => Promise.resolve([]) } }),
  },
  {
    mistake: 'lists dead tasks without their merchant',
    noticedBy: /S50 lists/,
    change: (inner) => ({
      tasks: {
        listDead: async (query) =>
          (await inner.tasks.listDead(query)).map((task) => ({ ...task, merchant: '' })),
      },
    }),
  },
  {
    mistake: 'lists the newest dead tasks first',
    noticedBy: /lists dead tasks oldest first/,
    change: (inner) => ({
      tasks: {
        listDead: async ({ limit }) =>
          (await inner.tasks.listDead({ limit: 100 })).toReversed().slice(0, limit),
      },
    }),
  },
  {
    mistake: 'buries all tasks of a report with one of them',
    noticedBy: /does not change the other tasks/,
    change: (inner) => ({
      tasks: {
        finish: async (task, outcome) => {
          const isFinished = await inner.tasks.finish(task, outcome)
          if (outcome.kind !== 'dead') return isFinished
          for (let id = 1; id < 5; id++) {
            await inner.tasks.finish(
              { ...task, idempotencyKey: 'b', leaseId: `lease-${id}` },
              outcome,
            )
          }
          return isFinished
        },
      },
    }),
  },
]

export const RELAYING: readonly Sabotage[] = [
  {
    mistake: 'relays proofs',
    noticedBy: /except proofs/,
    change: (inner) => ({
      tasks: {
        claimRelay: async ({ name, leaseMs, limit }) => [
          ...(await inner.tasks.claimRelay({ name, leaseMs, limit })),
          ...(await inner.tasks.claim({ name, leaseMs, limits: { verifyOnChain: limit } })),
        ],
      },
    }),
  },
  {
    mistake: 'keeps a relayed task open',
    noticedBy: /S88 never/,
    change: (inner) => ({
      tasks: {
        finish: (task, outcome) =>
          inner.tasks.finish(
            task,
            outcome.kind === 'relayed' ? { kind: 'retry', retryInMs: 60_000, error: '' } : outcome,
          ),
      },
    }),
  },
  {
    mistake: 'deletes a relayed task and adds it again',
    noticedBy: /S88 does not add/,
    change: (inner) => ({
      tasks: {
        finish: async (task, outcome) => {
          if (outcome.kind !== 'relayed') return inner.tasks.finish(task, outcome)
          return inner.processes.unsubscribe({ name: NAME, handler: task.handler }).then(() => true)
        },
      },
    }),
  },
  {
    mistake: 'relays tasks of every name',
    noticedBy: /claimRelay > S60/,
    change: (inner) => ({
      tasks: {
        claimRelay: async (query) => [
          ...(await inner.tasks.claimRelay(query)),
          ...(await inner.tasks.claimRelay({ ...query, name: 'other' })),
        ],
      },
    }),
  },
  {
    mistake: 'forgets what it has handed over',
    noticedBy: /S111 (lists|hands)/,
    change: () => ({ tasks: { listRelayed: () => Promise.resolve([]) } }),
  },
  {
    mistake: 'records no outcome of a job',
    noticedBy: /S111 (lists|keeps the outcome|keeps reports)/,
    change: () => ({ tasks: { finishRelayed: () => Promise.resolve(true) } }),
  },
  {
    mistake: 'resets relayed tasks together with dead ones',
    noticedBy: /S111 resets no relayed/,
    change: (inner) => ({
      tasks: {
        replayWhere: async (filter) => {
          const count = await inner.tasks.replayWhere(filter)
          const relayed = await inner.tasks.listRelayed({ name: NAME, limit: 100 })
          for (const { id } of relayed) await inner.tasks.replay(id)
          return count + relayed.length
        },
      },
    }),
  },
  {
    mistake: 'unsubscribes nothing',
    noticedBy: /S111 deletes the relayed/,
    change: () => ({ processes: { unsubscribe: () => Promise.resolve(true) } }),
  },
]
