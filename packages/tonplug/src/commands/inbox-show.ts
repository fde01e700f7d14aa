import { DECISIONS } from '@tonplug/core/internal'
import type { InboxEntry, InboxHandler } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { bodyText } from '../body-text.js'
import { entryJson, isCommentEncrypted, isoTime } from '../entry-json.js'
import { CommandError } from '../failure.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'
import { onOneLine, table } from '../table.js'

/** Shows one report, its decision, and the runs of its handlers. */
export function inboxShow(location: DatabaseLocation, reportId: string): Promise<Report> {
  return withInbox(location, async ({ reader }) => {
    const entry = await reader.find(reportId)
    if (entry === null) {
      throw new CommandError(
        `report ${JSON.stringify(reportId)} does not exist; \`tonplug inbox list\` shows the ids of stored reports`,
      )
    }
    const json = { ...entryJson(entry), rawBody: entry.report.rawBody }
    return { isDone: true, json, text: toText(entry) }
  })
}

function toText(entry: InboxEntry): string {
  const { state, report, retryAtMs, handlers } = entry
  const { decision } = report
  const facts: [string, string][] = [
    ['report', report.id],
    ['state', state],
    ['name', report.name],
    ['reference', report.reference || '-'],
    ['transaction', report.txHash || '-'],
    ['received', isoTime(report.receivedAtMs)],
    ['source', report.source],
  ]
  if (report.merchant !== '') facts.push(['merchant', report.merchant])
  if (report.signedWith !== '') facts.push(['signed with', report.signedWith])
  if (report.problem !== undefined) facts.push(['problem', report.problem])
  if (isCommentEncrypted(report)) facts.push(['comment', 'encrypted'])
  if (retryAtMs !== undefined) facts.push(['decided next', dueTime(retryAtMs)])
  return [
    lines(facts),
    decision === undefined ? 'Decision: none yet' : `Decision\n${lines(decisionFacts(decision))}`,
    handlers.length === 0 ? 'Handlers: none' : `Handlers\n${handlersText(handlers)}`,
    // Without the reference, which a shell might interpret.
    ...(state === 'parked' ? ['When its order is stored: tonplug inbox match <reference>'] : []),
    ...(isAcceptable(decision)
      ? ['Accept it, or send it back: tonplug accept <reference>, or tonplug refund <transaction>']
      : []),
    ...(state === 'dead' ? [`Run them again: tonplug inbox replay ${report.id}`] : []),
    ...(state === 'unreadable' ? [`After an upgrade: tonplug inbox reprocess ${report.id}`] : []),
    `Body\n${bodyText(report.rawBody)}`,
  ].join('\n\n')
}

function isAcceptable(decision: InboxEntry['report']['decision']): boolean {
  return decision !== undefined && DECISIONS[decision.kind].action === 'accept_or_refund'
}

function decisionFacts(decision: object): [string, string][] {
  return Object.entries(decision).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
}

function handlersText(handlers: InboxHandler[]): string {
  const head = ['HANDLER', 'STATE', 'ATTEMPTS', 'NEXT RUN', 'LAST ERROR']
  const rows = handlers.map((task) => [
    task.handler,
    task.isRunning ? 'running' : task.state,
    String(task.attempts),
    nextRun(task),
    task.error ?? '-',
  ])
  return table(head, rows)
}

function nextRun(task: InboxHandler): string {
  if (task.state === 'relayed') return `queued since ${isoTime(task.relayedAtMs ?? 0)}`
  if (task.state !== 'open' || task.isRunning) return '-'
  return dueTime(task.dueAtMs)
}

function dueTime(dueAtMs: number): string {
  return dueAtMs <= Date.now() ? 'at once' : isoTime(dueAtMs)
}

function lines(facts: [string, string][]): string {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${onOneLine(value)}`).join('\n')
}
