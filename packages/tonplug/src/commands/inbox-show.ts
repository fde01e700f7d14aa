import type { InboxEntry, InboxHandler } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { bodyText } from '../body-text.js'
import { entryJson, isoTime } from '../entry-json.js'
import { CommandError } from '../failure.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'
import { onOneLine, table } from '../table.js'

/** Shows one delivery: what came, what was decided, and how its handlers fared. */
export function inboxShow(location: DatabaseLocation, deliveryId: string): Promise<Report> {
  return withInbox(location, async ({ reader }) => {
    const entry = await reader.find(deliveryId)
    if (entry === null) {
      throw new CommandError(
        `there is no delivery ${JSON.stringify(deliveryId)}; \`tonplug inbox list\` shows the ids of those that are kept`,
      )
    }
    const json = { ...entryJson(entry), rawBody: entry.delivery.rawBody }
    return { isDone: true, json, text: toText(entry) }
  })
}

function toText(entry: InboxEntry): string {
  const { state, delivery, retryAtMs, handlers } = entry
  const { decision } = delivery
  const facts: [string, string][] = [
    ['delivery', delivery.id],
    ['state', state],
    ['receiver', delivery.receiver],
    ['reference', delivery.reference],
    ['transaction', delivery.txHash],
    ['received', isoTime(delivery.receivedAtMs)],
    ['signed with', delivery.signedWith],
  ]
  if (retryAtMs !== undefined) facts.push(['looked at next', lookTime(retryAtMs)])
  return [
    lines(facts),
    decision === undefined ? 'Decision: none yet' : `Decision\n${lines(decisionFacts(decision))}`,
    handlers.length === 0 ? 'Handlers: none' : `Handlers\n${handlersText(handlers)}`,
    // Without the reference, which a shell might take for something else.
    ...(state === 'parked' ? ['Once its order is there: tonplug inbox match <reference>'] : []),
    ...(state === 'dead' ? [`Run them again: tonplug inbox replay ${delivery.id}`] : []),
    `Body\n${bodyText(delivery.rawBody)}`,
  ].join('\n\n')
}

function decisionFacts(decision: object): [string, string][] {
  return Object.entries(decision).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
}

function handlersText(handlers: InboxHandler[]): string {
  const head = ['HANDLER', 'STATE', 'ATTEMPTS', 'NEXT RUN', 'LAST ERROR']
  const rows = handlers.map(({ handler, state, attempts, isRunning, dueAtMs, error }) => [
    handler,
    isRunning ? 'running' : state,
    String(attempts),
    nextRun({ state, isRunning, dueAtMs }),
    error ?? '-',
  ])
  return table(head, rows)
}

/** Those that were never run, or are replayed, are due since ever. */
function nextRun(task: Pick<InboxHandler, 'state' | 'isRunning' | 'dueAtMs'>): string {
  if (task.state !== 'open' || task.isRunning) return '-'
  return task.dueAtMs === 0 ? 'at once' : isoTime(task.dueAtMs)
}

/** What was matched is due since ever. */
function lookTime(retryAtMs: number): string {
  return retryAtMs === 0 ? 'at once' : isoTime(retryAtMs)
}

function lines(facts: [string, string][]): string {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${onOneLine(value)}`).join('\n')
}
