import { postgresInbox } from '@tonplug/postgres'
import type { DatabaseLocation } from '../database-location.js'
import { withInbox } from '../open-inbox.js'
import type { Report } from '../report.js'

/** More of one reference than any receiver has. */
const LIMIT = 1000

/** Has a server look at once at the parked deliveries of a reference, whose order is there now. */
export function inboxMatch(location: DatabaseLocation, reference: string): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    const entries = await reader.list({ reference, limit: LIMIT })
    const parked = entries.filter(({ delivery }) => delivery.state === 'parked')
    const inbox = postgresInbox(db)
    let matched = 0
    for (const receiver of new Set(parked.map(({ delivery }) => delivery.receiver))) {
      matched += await inbox.matchReference({ receiver, reference })
    }
    return { isDone: matched > 0, json: { reference, matched }, text: toText(reference, matched) }
  })
}

function toText(reference: string, matched: number): string {
  const name = JSON.stringify(reference)
  if (matched === 0) return `No delivery waits for the order ${name}.`
  const what = matched === 1 ? '1 delivery' : `${matched} deliveries`
  return `A server looks at ${what} of ${name} within seconds. What has no order still goes on waiting.`
}
