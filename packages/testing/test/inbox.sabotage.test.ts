import { type Inbox, memoryInbox, type NewDelivery } from '@tonplug/core'
import { describeInbox } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { findPassing } from './passing-tests.js'

interface Sabotage {
  /** What is wrong with the inbox. */
  mistake: string
  /** The tests that must notice. */
  noticedBy: RegExp
  change: (inbox: Inbox) => Partial<Inbox>
}

const SABOTAGES: readonly Sabotage[] = [
  {
    mistake: 'stores every repetition',
    noticedBy: /S26 answers the first row|S38 stores one row/,
    change: (inner) => {
      let count = 0
      return { store: (delivery: NewDelivery) => inner.store({ ...delivery, key: `${count++}` }) }
    },
  },
  {
    mistake: 'keeps the body as JSON',
    noticedBy: /with line breaks|with duplicate keys/,
    change: (inner) => ({
      store: (delivery) =>
        inner.store({ ...delivery, rawBody: JSON.stringify(JSON.parse(delivery.rawBody)) }),
    }),
  },
  {
    mistake: 'says that every decision was recorded',
    noticedBy: /keeps the first final decision|S38 records one/,
    change: (inner) => ({
      decide: async (id, verdict) => {
        await inner.decide(id, verdict)
        return { isRecorded: true, decision: verdict.decision }
      },
    }),
  },
  {
    mistake: 'takes parking for a final decision',
    noticedBy: /S25|S56/,
    change: (inner) => ({
      decide: (id, { decision, tasks }) => inner.decide(id, { decision, tasks }),
    }),
  },
  {
    mistake: 'asks the clock of the machine',
    noticedBy: /from its time on|moment of its decision|not before|S51/,
    change: (inner) => ({
      claimDeliveries: (query) => inner.claimDeliveries({ ...query, nowMs: Date.now() }),
      claimTasks: (query) => inner.claimTasks({ ...query, nowMs: Date.now() }),
    }),
  },
  {
    mistake: 'claims without a limit',
    noticedBy: /no more than the limit/,
    change: (inner) => ({
      claimDeliveries: (query) => inner.claimDeliveries({ ...query, limit: 1000 }),
      claimTasks: (query) => inner.claimTasks({ ...query, limit: 1000 }),
    }),
  },
  {
    mistake: 'lets whoever lost a lease finish the task',
    noticedBy: /S47 refuses/,
    change: (inner) => ({
      finishTask: async (task, outcome) => (await inner.finishTask(task, outcome)) || true,
    }),
  },
  {
    mistake: 'counts what is undecided as matched',
    noticedBy: /counts neither/,
    change: (inner) => ({
      matchReference: async (query) => (await inner.matchReference(query)) + 1,
    }),
  },
  {
    mistake: 'puts off what was matched meanwhile',
    noticedBy: /S56 keeps due/,
    change: (inner) => ({
      decide: async (id, verdict) => {
        const standing = await inner.decide(id, verdict)
        if (verdict.retryAtMs !== undefined) await inner.postpone(id, verdict.retryAtMs)
        return standing
      },
    }),
  },
  {
    mistake: 'never says when it is due',
    noticedBy: /nextDueMs > is (the|no later)/,
    change: () => ({ nextDueMs: () => Promise.resolve(undefined) }),
  },
  {
    mistake: 'forgets dead letters',
    noticedBy: /S50 lists|lists the oldest first/,
    change: () => ({ listDead: () => Promise.resolve([]) }),
  },
  {
    mistake: 'replays nothing and says that it did',
    noticedBy: /S50 runs a dead task|S50 runs the dead tasks|done, open or unknown/,
    change: () => ({
      replay: () => Promise.resolve(true),
      replayWhere: () => Promise.resolve(1),
    }),
  },
  {
    mistake: 'replays what a filter does not name',
    noticedBy: /S50 runs the dead tasks/,
    change: (inner) => ({ replayWhere: () => inner.replayWhere({}) }),
  },
  {
    mistake: 'says that what is replayed has waited since it came',
    noticedBy: /since when it waits again/,
    change: (inner) => ({
      replay: (id) => inner.replay(id, 0),
      replayWhere: (filter) => inner.replayWhere(filter, 0),
    }),
  },
  {
    mistake: 'counts nothing',
    noticedBy: /counts what/,
    change: (inner) => {
      const empty = memoryInbox()
      return { ...inner, stats: () => empty.stats() }
    },
  },
  {
    mistake: 'forgets whatever the limit',
    noticedBy: /up to the limit, the oldest first/,
    change: (inner) => ({
      forgetDecided: (query) => inner.forgetDecided({ ...query, limit: 1000 }),
    }),
  },
  {
    mistake: 'lets every order claim a payment',
    noticedBy: /claims it first|claim it at once/,
    change: () => ({ claimPayment: ({ reference }) => Promise.resolve(reference) }),
  },
  {
    mistake: 'never forgets',
    noticedBy: /deletes what is older|of what it forgot|open or dead/,
    change: () => ({ forgetDecided: () => Promise.resolve(0) }),
  },
  {
    mistake: 'throws for an id that it never gave',
    noticedBy: /never gave/,
    change: (inner) => ({
      find: (id) => (/^\d+$/.test(id) ? inner.find(id) : Promise.reject(new TypeError('no uuid'))),
    }),
  },
]

describe('describeInbox', () => {
  it.each(SABOTAGES)('notices an inbox that $mistake', async ({ change, noticedBy }) => {
    const makeHarness = () => {
      const memory = memoryInbox()
      return { inbox: { ...memory, ...change(memory) } }
    }
    const define = describeInbox.bind(undefined, 'sabotaged', makeHarness)
    expect(await findPassing(define, noticedBy)).toEqual([])
  })
})
