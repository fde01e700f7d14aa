import { postgresInbox, type InboxEntryQuery } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'
import { countOf } from '../table.js'

/** More reports than any order has. */
const LIMIT = 1000

/** The order whose reports are decided. */
type MatchQuery = Pick<InboxEntryQuery, 'name' | 'merchant'> & { reference: string }

/** Makes the parked reports of an order due, so that a server decides them within seconds. */
export function inboxMatch(location: DatabaseLocation, query: MatchQuery): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    const entries = await reader.list({ ...query, state: 'parked', limit: LIMIT })
    const inbox = postgresInbox(db)
    const { reference } = query
    const orders = new Map(
      entries.map(({ report: { name, merchant } }) => [
        JSON.stringify([name, merchant]),
        { name, merchant, reference },
      ]),
    )
    let matched = 0
    for (const order of orders.values()) matched += await inbox.reports.orderCreated(order)
    return { isDone: matched > 0, json: { reference, matched }, text: toText(reference, matched) }
  })
}

function toText(reference: string, matched: number): string {
  const name = JSON.stringify(reference)
  if (matched === 0) return `No report waits for the order ${name}.`
  return `A server decides ${countOf(matched, 'report')} of ${name} within seconds. A report without an order keeps waiting.`
}
