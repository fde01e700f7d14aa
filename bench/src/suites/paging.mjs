// Measures the pagination of 100 000 transactions: the cost of its last pages relative to its first, and its heap usage.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createV3Client } from '@tonplug/core/toncenter'
import { counted, report } from '../report.mjs'
import { ratio } from '../rounds.mjs'

const ROUNDS = 7
const PAGES = 100
const ACCOUNT = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

const server = fork(join(import.meta.dirname, '../servers/index-server.mjs'), { execArgv: [] })
const [port] = await once(server, 'message')
const client = createV3Client({ baseUrl: `http://127.0.0.1:${port}`, rps: Infinity })
try {
  const first = []
  const last = []
  const heap = []
  await walk(10)
  const onePage = await sizeOfPage()
  for (let round = 0; round < ROUNDS; round++) {
    const { times, heaps } = await walk(PAGES)
    // The median of ten consecutive pages, because one page is too short to measure.
    first.push({ wallMs: middle(times.slice(0, 10)) })
    last.push({ wallMs: middle(times.slice(-10)) })
    heap.push(Math.max(...heaps) / onePage)
  }
  report([
    {
      id: 'F1',
      what: 'pages 91 to 100 of a walk',
      beside: 'its pages 1 to 10',
      spread: ratio(last, first, 'wallMs'),
      floor: '<= 1.3',
      goal: '<= 1.1',
    },
    {
      id: 'F1h',
      what: 'heap that a walk keeps, at most',
      beside: 'one page of 1000',
      spread: counted(Math.max(...heap)),
      floor: '<= 3',
      goal: '<= 2',
    },
  ])
} finally {
  server.kill()
}
setImmediate(() => process.exit())

async function walk(count) {
  const times = []
  const heaps = []
  const pages = client.transactions.paginate({ account: ACCOUNT }, { pageSize: 1000 }).pages()
  const base = heapAfterCollection()
  let before = performance.now()
  for await (const page of pages) {
    if (page.length < 999) throw new Error(`a page has ${page.length} rows`)
    times.push(performance.now() - before)
    if (times.length % 20 === 0) heaps.push(heapAfterCollection() - base)
    if (times.length === count) break
    before = performance.now()
  }
  return { times, heaps }
}

async function sizeOfPage() {
  const before = heapAfterCollection()
  const page = await client.transactions({ account: ACCOUNT, limit: 1000 })
  const bytes = heapAfterCollection() - before
  if (page.transactions.length !== 1000) throw new Error('the page is not whole')
  return bytes
}

function heapAfterCollection() {
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

function middle(values) {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1]
}
