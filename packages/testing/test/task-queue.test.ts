import { randomUUID } from 'node:crypto'
import type { QueuedTask, TaskQueue, TaskWorker } from '@tonplug/core'
import { createFakeClock, describeTaskQueue } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryEngine, type MemoryEngine } from './memory-task-queue.js'
import { runSuite } from './passing-tests.js'

type Change = (queue: TaskQueue, engine: MemoryEngine) => Partial<TaskQueue>

interface Sabotage {
  /** A fault of the queue. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  change: Change
}

const ADDING: readonly Sabotage[] = [
  { mistake: 'has no name', noticedBy: /has a name/, change: () => ({ name: '' }) },
  {
    mistake: 'runs nothing',
    noticedBy: /as attempt 1|S83|added before|work > (S68|runs the|S77)/,
    change: () => ({ add: () => Promise.resolve() }),
  },
  {
    mistake: 'passes only the reference of a task',
    noticedBy: /S83/,
    change: withRun((run) => (task, context) => run({ ...task, merchant: '' }, context)),
  },
  {
    mistake: 'separates the fields of a task by a colon',
    noticedBy: /S83/,
    change: (inner, engine) => {
      engine.keyOf = ({ name, merchant, handler, reference }) =>
        [handler, name, merchant, reference].join(':')
      return { add: (tasks, retry) => inner.add(tasks, retry) }
    },
  },
  {
    mistake: 'keeps tasks only for processes that run',
    noticedBy: /added before/,
    change: (inner, engine) => ({
      work: (worker) => {
        for (const [key, { state }] of engine.jobs) if (state === 'waiting') engine.jobs.delete(key)
        return inner.work(worker)
      },
    }),
  },
  {
    mistake: 'rejects an empty list',
    noticedBy: /accepts no tasks/,
    change: (inner) => ({
      add: (tasks, retry) =>
        tasks.length === 0 ? Promise.reject(new RangeError('no tasks')) : inner.add(tasks, retry),
    }),
  },
  {
    mistake: 'adds a job for every task',
    noticedBy: /S88 (runs a task once|runs each task|does not run)/,
    change: (inner, engine) => {
      engine.keyOf = () => randomUUID()
      return { add: (tasks, retry) => inner.add(tasks, retry) }
    },
  },
  {
    mistake: 'looks for a job, then adds it',
    noticedBy: /several processes add/,
    change: (inner, engine) => {
      engine.keyOf = () => randomUUID()
      const isNew = ({ idempotencyKey }: QueuedTask): boolean =>
        ![...engine.jobs.values()].some(({ task }) => task.idempotencyKey === idempotencyKey)
      return {
        add: async (tasks, retry) => {
          const added = tasks.filter(isNew)
          await Promise.resolve()
          await inner.add(added, retry)
        },
      }
    },
  },
  {
    mistake: 'forgets finished jobs',
    noticedBy: /after it has finished/,
    change: (inner, engine) => ({
      add: async (tasks, retry) => {
        for (const [key, job] of engine.jobs) if (job.state === 'finished') engine.jobs.delete(key)
        await inner.add(tasks, retry)
      },
    }),
  },
  {
    mistake: 'forgets running jobs',
    noticedBy: /added while it runs/,
    change: (inner, engine) => ({
      add: async (tasks, retry) => {
        for (const [key, job] of engine.jobs) if (job.state === 'running') engine.jobs.delete(key)
        await inner.add(tasks, retry)
      },
    }),
  },
  {
    mistake: 'shares jobs between names',
    noticedBy: /S60/,
    change: (inner, engine) => {
      engine.keyOf = ({ reference, handler }) => JSON.stringify([reference, handler])
      return { add: (tasks, retry) => inner.add(tasks, retry) }
    },
  },
  {
    mistake: 'runs a task in every process',
    noticedBy: /S88 runs each of 60/,
    change: (inner, engine) => ({
      work: (worker) => {
        const workers = workersOf(engine)
        workers.add(worker)
        const run: TaskWorker['run'] = async (task, context) => {
          await Promise.all([...workers].map((one) => one.run(task, context)))
        }
        return inner.work({ ...worker, run })
      },
    }),
  },
]

const RETRYING: readonly Sabotage[] = [
  {
    mistake: 'runs a task once, also when it fails',
    noticedBy: /S50 (retries|waits|counts|stores)/,
    change: withRetry((retry) => ({ ...retry, maxAttempts: 1 })),
  },
  {
    mistake: 'does not count attempts',
    noticedBy: /S50 (retries|counts|stores)/,
    change: withRun((run) => (task, context) => run(task, { ...context, attempt: 1 })),
  },
  {
    mistake: 'counts attempts in each process',
    noticedBy: /S50 counts/,
    change: (inner) => ({
      work: (worker) => {
        const counts = new Map<string, number>()
        return inner.work({
          ...worker,
          run: (task, context) => {
            const attempt = (counts.get(task.idempotencyKey) ?? 0) + 1
            counts.set(task.idempotencyKey, attempt)
            return worker.run(task, { ...context, attempt })
          },
        })
      },
    }),
  },
  {
    mistake: 'retries at once',
    noticedBy: /S50 waits/,
    change: withRetry((retry) => ({ ...retry, minDelayMs: 0 })),
  },
  {
    mistake: 'finishes a task that rejects with a string',
    noticedBy: /not an error/,
    change: withRun((run) => async (task, context) => {
      try {
        await run(task, context)
      } catch (thrown) {
        if (thrown instanceof Error) throw thrown
      }
    }),
  },
  {
    mistake: 'finishes a task that rejects with an error',
    noticedBy: /rejects with an error|S50 (waits|counts|stores)|S88 does not run a dead/,
    change: withRun((run) => (task, context) => run(task, context).catch(() => undefined)),
  },
  {
    mistake: 'blocks a handler while a task waits for its retry',
    noticedBy: /other tasks of the handler while one waits/,
    change: (inner, engine) => ({
      add: (tasks, retry) =>
        [...engine.jobs.values()].some(({ attempts, state }) => attempts > 0 && state === 'waiting')
          ? Promise.resolve()
          : inner.add(tasks, retry),
    }),
  },
  {
    mistake: 'retries without end',
    noticedBy: /S50 stores|S88 does not run a dead/,
    change: withRetry((retry) => ({ ...retry, maxAttempts: Infinity })),
  },
  {
    mistake: 'forgets dead jobs',
    noticedBy: /S88 does not run a dead/,
    change: (inner, engine) => ({
      add: async (tasks, retry) => {
        for (const [key, job] of engine.jobs) if (job.state === 'dead') engine.jobs.delete(key)
        await inner.add(tasks, retry)
      },
    }),
  },
]

const WORKING: readonly Sabotage[] = [
  {
    mistake: 'runs tasks in processes without their handler',
    noticedBy: /S68/,
    change: (inner) => ({
      work: (worker) =>
        inner.work({ ...worker, handlers: ['onPaid', 'onPaid.ship', 'onPaid.mail'] }),
    }),
  },
  {
    mistake: 'runs the first handler of a process only',
    noticedBy: /tasks of all handlers|S77 a handler/,
    change: (inner) => ({
      work: (worker) => inner.work({ ...worker, handlers: worker.handlers.slice(0, 1) }),
    }),
  },
  {
    mistake: 'finishes tasks of another handler without a run',
    noticedBy: /S68 (runs|leaves)/,
    change: (inner) => ({
      work: (worker) =>
        inner.work({
          ...worker,
          handlers: ['onPaid', 'onPaid.ship', 'onPaid.mail'],
          run: async (task, context) => {
            if (worker.handlers.includes(task.handler)) await worker.run(task, context)
          },
        }),
    }),
  },
  {
    mistake: 'ignores the concurrency',
    noticedBy: /at most `concurrency`|S77 a handler/,
    change: (inner) => ({ work: (worker) => inner.work({ ...worker, concurrency: 1000 }) }),
  },
  {
    mistake: 'shares the concurrency between handlers',
    noticedBy: /S77 a handler/,
    change: (inner) => ({
      work: async (worker) => {
        let free = worker.concurrency
        const waiting: (() => void)[] = []
        const run: TaskWorker['run'] = async (task, context) => {
          if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
          else free--
          await worker.run(task, context).finally(() => {
            const next = waiting.shift()
            if (next === undefined) free++
            else next()
          })
        }
        return inner.work({ ...worker, run })
      },
    }),
  },
  {
    mistake: 'gives all tasks to the first process',
    noticedBy: /S77 runs tasks of a handler in another|S52 (a stopped|stop of one)/,
    change: (inner, engine) => ({
      work: async (worker) => {
        const workers = workersOf(engine)
        workers.add(worker)
        return workers.size === 1 ? inner.work(worker) : { stop: () => Promise.resolve() }
      },
    }),
  },
  {
    mistake: 'stops before running tasks have ended',
    noticedBy: /S52 stop resolves/,
    change: withStop((stop) => () => Promise.resolve(void stop())),
  },
  {
    mistake: 'never stops',
    noticedBy: /S52 a stopped process/,
    change: withStop(() => () => Promise.resolve()),
  },
]

const SABOTAGES = [...ADDING, ...RETRYING, ...WORKING]

describeTaskQueue(
  'memory',
  makeHarness(() => ({})),
  { describe, it },
)

describe('describeTaskQueue', () => {
  it.each(SABOTAGES)('notices a queue that $mistake', async ({ change, noticedBy }) => {
    const { passed, failed } = await runSuite(
      (runner) => describeTaskQueue('sabotaged', makeHarness(change), runner),
      noticedBy,
    )
    expect(passed).toEqual([])
    expect(failed).not.toEqual([])
  })
  it('has a sabotage that each of its tests notices', async () => {
    const titles: string[] = []
    describeTaskQueue(
      'memory',
      makeHarness(() => ({})),
      collectTitles(titles),
    )
    const unnoticed = titles.filter(
      (title) => !SABOTAGES.some(({ noticedBy }) => noticedBy.test(title)),
    )
    expect(unnoticed).toEqual([])
  })
})

function makeHarness(change: Change) {
  return () => {
    const clock = createFakeClock()
    const engine = createMemoryEngine(clock)
    return {
      open: async () => {
        const queue = engine.open()
        return { ...queue, ...change(queue, engine) }
      },
      nowMs: () => clock.nowMs(),
      passTime: (ms: number) => clock.advance(ms),
      listDeadLetters: async () =>
        [...engine.jobs.values()]
          .filter(({ state }) => state === 'dead')
          .map(({ task }) => task.idempotencyKey),
    }
  }
}

function collectTitles(titles: string[]) {
  const path: string[] = []
  const collect = (name: string): void => void titles.push([...path, name].join(' > '))
  return {
    describe: (name: string, define: () => void) => {
      path.push(name)
      define()
      path.pop()
    },
    it: Object.assign(collect, { skip: collect }),
  }
}

const allWorkers = new WeakMap<MemoryEngine, Set<TaskWorker>>()

/** Returns the changed workers. */
function workersOf(engine: MemoryEngine): Set<TaskWorker> {
  const workers = allWorkers.get(engine) ?? new Set()
  allWorkers.set(engine, workers)
  return workers
}

function withRun(rewrite: (run: TaskWorker['run']) => TaskWorker['run']): Change {
  return (inner) => ({
    work: (worker) =>
      inner.work({ ...worker, run: rewrite((task, context) => worker.run(task, context)) }),
  })
}

function withRetry(rewrite: (retry: TaskWorker['retry']) => TaskWorker['retry']): Change {
  return (inner) => ({ add: (tasks, retry) => inner.add(tasks, rewrite(retry)) })
}

function withStop(rewrite: (stop: () => Promise<void>) => () => Promise<void>): Change {
  return (inner) => ({
    work: async (worker) => {
      const work = await inner.work(worker)
      return { stop: rewrite(() => work.stop()) }
    },
  })
}
