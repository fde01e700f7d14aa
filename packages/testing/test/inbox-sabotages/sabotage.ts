import type { Inbox, NewReport, Report } from '@tonplug/core'

export interface Sabotage {
  /** A fault of the inbox. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  change: (inbox: Inbox) => InboxChange
}

type InboxGroup = 'reports' | 'tasks' | 'credits' | 'processes'

/** Methods that replace methods of an inbox. */
type InboxChange = Partial<Omit<Inbox, InboxGroup>> & {
  [Group in InboxGroup]?: Partial<Inbox[Group]>
}

/** Returns the inbox with a change. */
export function changed(
  inbox: Inbox,
  { reports, tasks, credits, processes, ...rest }: InboxChange,
): Inbox {
  return {
    ...inbox,
    ...rest,
    reports: { ...inbox.reports, ...reports },
    tasks: { ...inbox.tasks, ...tasks },
    credits: { ...inbox.credits, ...credits },
    processes: { ...inbox.processes, ...processes },
  }
}

export const NAME = 'default'
export const LONG_MS = 365 * 86_400_000

export function withRawBody(rewrite: (text: string) => string): Sabotage['change'] {
  return (inner) => ({
    reports: {
      store: (report) => inner.reports.store({ ...report, rawBody: rewrite(report.rawBody) }),
    },
  })
}

/** Schedules the handlers of an event with other idempotency keys. */
export function withTaskKey(key: (report: Report, handler: string) => string): Sabotage['change'] {
  return (inner) => {
    const handlers = new Map<
      string,
      Parameters<Inbox['processes']['register']>[0]['handlers'][number]
    >()
    return {
      processes: {
        register: (registration) => {
          for (const one of registration.handlers) handlers.set(one.handler, one)
          return inner.processes.register({ ...registration, handlers: [] })
        },
      },
      reports: {
        decide: async (id, { event, tasks = [], ...record }) => {
          const report = await inner.reports.find(id)
          const scheduled = [...handlers.values()]
            .filter((one) => one.event === event)
            .flatMap(({ handler }) =>
              report ? [{ handler, idempotencyKey: key(report, handler) }] : [],
            )
          return inner.reports.decide(id, { ...record, tasks: [...scheduled, ...tasks] })
        },
      },
    }
  }
}

/** Returns a report with the content of another one. */
export function copyOf(report: Report, key: string): NewReport {
  const { name, merchant, source, signedWith, reference, txHash, rawBody, payments } = report
  const { wasCompletedBefore } = report
  const content = { name, merchant, source, signedWith, reference, txHash, rawBody, payments }
  return { ...content, wasCompletedBefore, key, retryInMs: 0 }
}

export function assertNew({ state }: Report): void {
  if (state !== 'undecided') throw new Error(`expected an undecided report; received ${state}`)
}
