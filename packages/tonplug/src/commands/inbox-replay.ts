import type { Inbox } from '@tonplug/core'
import {
  postgresInbox,
  type DeadInboxHandler,
  type DeadInboxHandlerQuery,
  type InboxEntry,
  type InboxReader,
} from '@tonplug/postgres'
import { confirm } from '../confirm.js'
import type { DatabaseLocation } from '../database-location.js'
import { CommandError } from '../failure.js'
import { withInbox } from '../open-inbox.js'
import { createProgress } from '../progress.js'
import type { Report } from '../report.js'
import { table } from '../table.js'

/** As many as a pool has connections. */
const AT_ONCE = 10
const SHOWN = 20

/**
 * Gives dead handlers their attempts back; a server runs them within seconds. Those that were replayed stay so when
 * it is stopped in the middle.
 */
export function inboxReplay(
  location: DatabaseLocation,
  query: DeadInboxHandlerQuery,
  { isAgreed }: { isAgreed: boolean },
): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    const dead = await reader.listDead(query)
    const notReplayed = await explainOthers(reader, query, dead)
    const reasons = notReplayed.map(({ deliveryId, reason }) => `Delivery ${deliveryId}: ${reason}`)
    if (dead.length === 0) {
      return {
        isDone: false,
        json: { replayed: [], alreadyTaken: 0, notReplayed },
        text: ['There is no dead handler to replay.', ...reasons].join('\n'),
      }
    }
    if (!isAgreed) {
      process.stderr.write(`${describe(dead)}\n`)
      const terminal = { input: process.stdin, output: process.stderr }
      const isConfirmed = await confirm(`Run ${count(dead.length)} again?`, terminal)
      if (!isConfirmed) throw new CommandError('nothing was replayed')
    }
    const replayed = await replayAll(dead, postgresInbox(db))
    const taken = dead.length - replayed.length
    const done =
      `Replayed ${count(replayed.length)}. A server that has them runs them within seconds.` +
      (taken > 0 ? ` ${count(taken)} had been replayed meanwhile.` : '')
    return {
      isDone: replayed.length > 0,
      json: { replayed: replayed.map(handlerJson), alreadyTaken: taken, notReplayed },
      text: [done, ...reasons].join('\n'),
    }
  })
}

async function replayAll(dead: DeadInboxHandler[], inbox: Inbox): Promise<DeadInboxHandler[]> {
  const waiting = dead.values()
  const replayed: DeadInboxHandler[] = []
  const progress = createProgress(dead.length)
  const work = async () => {
    for (const task of waiting) {
      if (await inbox.replay(task.id)) replayed.push(task)
      progress.advance()
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  progress.stop()
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed === undefined) return replayed
  throw new CommandError(
    `${count(replayed.length)} of ${dead.length} replayed, then the database failed; the same command replays the others`,
    { cause: failed.reason },
  )
}

/** Of deliveries that were named, those without a dead handler. */
async function explainOthers(
  reader: InboxReader,
  { deliveryIds = [] }: DeadInboxHandlerQuery,
  dead: DeadInboxHandler[],
): Promise<{ deliveryId: string; reason: string }[]> {
  const found = new Set(dead.map(({ deliveryId }) => deliveryId))
  const others = [...new Set(deliveryIds)].filter((id) => !found.has(id))
  return Promise.all(
    others.map(async (id) => ({ deliveryId: id, reason: whyNot(await reader.find(id)) })),
  )
}

function whyNot(entry: InboxEntry | null): string {
  if (entry === null) return 'there is none; see `tonplug inbox list`.'
  const reasons = {
    dead: 'its dead handlers are not those of the filter.',
    undecided: 'the rules have not finished; the receiver takes it up by itself.',
    parked: `it waits for an order ${JSON.stringify(entry.delivery.reference)}, and is decided when there is one; \`tonplug inbox match\` hastens that.`,
    open: 'its handlers still have attempts left, and run by themselves.',
    done: 'its handlers are done, and are never run again.',
  }
  return reasons[entry.state]
}

function describe(dead: DeadInboxHandler[]): string {
  const head = ['DELIVERY', 'REFERENCE', 'HANDLER', 'ATTEMPTS', 'LAST ERROR']
  const rows = dead
    .slice(0, SHOWN)
    .map((task) => [
      task.deliveryId,
      task.reference,
      task.handler,
      String(task.attempts),
      task.error,
    ])
  const more = dead.length > SHOWN ? `\n… and ${dead.length - SHOWN} more` : ''
  return table(head, rows) + more
}

function handlerJson({ id, deliveryId, receiver, reference, handler }: DeadInboxHandler) {
  return { id, deliveryId, receiver, reference, handler }
}

function count(handlers: number): string {
  return handlers === 1 ? '1 handler' : `${handlers} handlers`
}
