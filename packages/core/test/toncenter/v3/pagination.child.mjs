// Iterates in its own process, reports each page, and resumes from a given cursor.
import { createV3Client } from '@tonplug/core/toncenter'

const [baseUrl, name, cursor] = process.argv.slice(2)
const v3 = createV3Client({
  baseUrl,
  rps: Infinity,
  retry: { minDelayMs: 1, maxDelayMs: 2, maxAttempts: 10 },
})

/** The parent gets each page before the next one is asked for, as a database would. */
async function tell(message) {
  await new Promise((resolve) => process.send(message, resolve))
}

const stored = cursor === undefined ? {} : { cursor: JSON.parse(cursor) }
const walk = v3[name].paginate({}, { pageSize: 1000, prefetch: true, ...stored })
for await (const page of walk.pages()) {
  const ids = page.map((row) => row.hash ?? row.transaction_hash)
  await tell({ ids, cursor: JSON.stringify(walk.cursor()) })
}
await tell({ ids: [], cursor: JSON.stringify(walk.cursor()) })
process.disconnect()
