import type { Inbox, NewReport, Report } from '@tonplug/core'

export interface Sabotage {
  /** A fault of the inbox. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  change: (inbox: Inbox) => Partial<Inbox>
}

export const NAME = 'default'
export const LONG_MS = 365 * 86_400_000

export function withRawBody(rewrite: (text: string) => string): Sabotage['change'] {
  return (inner) => ({
    store: (report) => inner.store({ ...report, rawBody: rewrite(report.rawBody) }),
  })
}

/** Schedules the handlers of an event with other idempotency keys. */
export function withTaskKey(key: (report: Report, handler: string) => string): Sabotage['change'] {
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
export function copyOf(report: Report, key: string): NewReport {
  const { name, merchant, source, signedWith, reference, txHash, rawBody, payments } = report
  const { wasCompletedBefore } = report
  const content = { name, merchant, source, signedWith, reference, txHash, rawBody, payments }
  return { ...content, wasCompletedBefore, key, retryInMs: 0 }
}

export function assertNew({ state }: Report): void {
  if (state !== 'undecided') throw new Error(`expected an undecided report; received ${state}`)
}
