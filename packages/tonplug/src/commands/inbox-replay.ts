import type { Inbox } from '@tonplug/core'
import type { OperatorNote } from '@tonplug/core/operator'
import {
  postgresInbox,
  type DeadInboxHandler,
  type DeadInboxHandlerQuery,
  type InboxEntry,
} from '@tonplug/postgres'
import { printLine } from '../escape-hidden.js'
import { confirm } from '../confirm.js'
import type { DatabaseLocation } from '../database-location.js'
import { explainSkipped } from '../explain-skipped.js'
import { CommandError } from '../failure.js'
import { withInbox } from '../open-inbox.js'
import { createProgress } from '../progress.js'
import type { Report } from '../report.js'
import { countOf, table } from '../table.js'

/** The connections of a pool. */
const AT_ONCE = 10
const SHOWN = 20

/**
 * Resets dead handlers, and records who did it; a server runs them within seconds. After an interruption the replayed ones
 * stay replayed.
 */
export function inboxReplay(
  location: DatabaseLocation,
  query: DeadInboxHandlerQuery,
  { note, isAgreed }: { note: OperatorNote; isAgreed: boolean },
): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    const dead = await reader.listDeadLetters(query)
    const found = new Set(dead.map(({ reportId }) => reportId))
    const others = (query.reportIds ?? []).filter((id) => !found.has(id))
    const { skipped: notReplayed, lines } = await explainSkipped(reader, others, whyNot)
    if (dead.length === 0) {
      return {
        isDone: false,
        json: { replayed: [], alreadyTaken: 0, notReplayed },
        text: ['No dead handler to replay.', ...lines].join('\n'),
      }
    }
    if (!isAgreed) {
      printLine(describe(dead), process.stderr)
      const question = `Run ${countOf(dead.length, 'handler')} again?`
      if (!(await confirm(question))) throw new CommandError('nothing was replayed')
    }
    const inbox = postgresInbox(db)
    await recordAll(dead, { inbox, note })
    const replayed = await replayAll(dead, inbox)
    const taken = dead.length - replayed.length
    const done =
      `Replayed ${countOf(replayed.length, 'handler')}. A server that has the handler runs it within seconds.` +
      (taken > 0 ? ` ${countOf(taken, 'handler')} had been replayed in the meantime.` : '')
    return {
      isDone: replayed.length > 0,
      json: { replayed: replayed.map(handlerJson), alreadyTaken: taken, notReplayed },
      text: [done, ...lines].join('\n'),
    }
  })
}

/** Records one action for each report before a handler is reset. */
async function recordAll(
  dead: DeadInboxHandler[],
  { inbox, note: { by, reason = '' } }: { inbox: Inbox; note: OperatorNote },
): Promise<void> {
  for (const reportId of new Set(dead.map((task) => task.reportId))) {
    await inbox.reports.recordAction({ reportId, action: 'retry', by, note: reason })
  }
}

async function replayAll(dead: DeadInboxHandler[], inbox: Inbox): Promise<DeadInboxHandler[]> {
  const waiting = dead.values()
  const replayed: DeadInboxHandler[] = []
  const progress = createProgress(dead.length)
  const work = async () => {
    for (const task of waiting) {
      if (await inbox.tasks.replay(task.id)) replayed.push(task)
      progress.increment()
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  progress.stop()
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed === undefined) return replayed
  throw new CommandError(
    `${countOf(replayed.length, 'handler')} of ${dead.length} replayed, then the database failed; the same command replays the others`,
    { cause: failed.reason },
  )
}

function whyNot(entry: InboxEntry): string {
  const reasons: Record<InboxEntry['state'], string> = {
    dead: 'its dead handlers do not match the filter.',
    undecided: 'the rules have not finished; a server decides it.',
    parked: `it waits for the order ${JSON.stringify(entry.report.reference)}; \`tonplug inbox match\` decides it at once when the order is stored.`,
    unreadable: 'its body cannot be read; `tonplug inbox reprocess` reads it again.',
    open: 'its handlers still have attempts left, and run by themselves.',
    relayed: 'its handlers are jobs of a queue engine, which runs them.',
    done: 'its handlers are done, and are never run again.',
  }
  return reasons[entry.state]
}

function describe(dead: DeadInboxHandler[]): string {
  const head = ['REPORT', 'REFERENCE', 'HANDLER', 'ATTEMPTS', 'LAST ERROR']
  const rows = dead
    .slice(0, SHOWN)
    .map((task) => [task.reportId, task.reference, task.handler, String(task.attempts), task.error])
  const more = dead.length > SHOWN ? `\n… and ${dead.length - SHOWN} more` : ''
  return table(head, rows) + more
}

function handlerJson({ id, reportId, name, merchant, reference, handler }: DeadInboxHandler) {
  return { id, reportId, name, merchant, reference, handler }
}
