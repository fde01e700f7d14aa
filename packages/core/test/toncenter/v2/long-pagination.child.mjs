// Walks a whole history in a process of its own and measures what the walk keeps in memory.
import { setImmediate } from 'node:timers/promises'
import { createV2Client } from '@tonplug/core/toncenter'

const [baseUrl, address, pageSize, prefetch] = process.argv.slice(2)
const options = { pageSize: Number(pageSize), prefetch: prefetch === 'true' }
const v2 = createV2Client({ baseUrl, rps: Infinity })

/** Bytes that are still reachable when all that was begun has settled. */
async function retained() {
  await setImmediate()
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

/** The pages of a walk, as many as asked for. */
async function take(count) {
  const pages = []
  for await (const page of v2.getTransactions.paginate({ address }, options).pages()) {
    if (pages.push(page) === count) break
  }
  return pages
}

/** The memory of one decoded page. */
async function weighPage() {
  const pages = await take(5)
  const held = await retained()
  const count = pages.length
  pages.length = 0
  return (held - (await retained())) / count
}

async function walk(pageBytes) {
  const base = await retained()
  let peakBytes = 0
  let count = 0
  let lastLt
  let isDescending = true
  for await (const { transaction_id } of v2.getTransactions.paginate({ address }, options)) {
    isDescending &&= lastLt === undefined || transaction_id.lt < lastLt
    lastLt = transaction_id.lt
    count++
    // At the beginning and in the middle of each page: beside the page before, and the one requested ahead.
    if (count % (options.pageSize / 2) === 1) {
      peakBytes = Math.max(peakBytes, (await retained()) - base)
    }
  }
  return { count, isDescending, lastLt: String(lastLt), peakPages: peakBytes / pageBytes }
}

// The first time compiles everything and opens the connections.
await weighPage()
const pageBytes = await weighPage()
process.send({ ...(await walk(pageBytes)), pageBytes })
