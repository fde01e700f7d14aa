import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPayments } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { createTestLogger } from '@tonplug/testing'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { COMMAND, tonplug } from './run-command.js'

/** `EXPORT_ROWS=1000000` is a year of a large shop. */
const CREDITS = Number(process.env['EXPORT_ROWS'] ?? 100_000)
/** Bytes; 100,000 rows as JSON have 50 MB. */
const MAX_GROWTH = 8 * 2 ** 20
/** MB of the whole process, which also holds garbage and what was printed last. */
const MAX_PROCESS_GROWTH = 64
/** Rows after which the command has loaded its code. */
const FIRST_ROWS = 1000

/** One credit of 1 TON each minute from 2026-01-01; every second one has paid an order. */
const FILL = `
  INSERT INTO tonplug.credits
    (id, account, wallet, tx_hash, asset, raw_amount, trace_id, utime, facts, name, merchant, reference, seen_at)
  SELECT lpad(to_hex(n), 32, '0'), '0:' || repeat('0a', 32), '0:' || repeat('0a', 32),
    lpad(to_hex(n), 64, '0'), 'TON', 1000000000, lpad(to_hex(n), 64, '0'),
    extract(epoch FROM timestamptz '2026-01-01 00:00Z')::bigint + n * 60,
    $1::jsonb, CASE WHEN n % 2 = 0 THEN 'default' END, CASE WHEN n % 2 = 0 THEN '' END,
    CASE WHEN n % 2 = 0 THEN 'order-' || n END, now()
  FROM generate_series(0, ${CREDITS - 1}) AS n`

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns the bytes that are in use. */
function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

async function openDatabase() {
  const database = await createPostgresDatabase()
  onTestFinished(() => database.drop())
  const db = new pg.Pool({ connectionString: database.url, max: 2 })
  onTestFinished(() => db.end())
  const payments = createPayments({
    orders: postgresOrderRepository(db),
    inbox: postgresInbox(db),
    autoStart: false,
    logger: createTestLogger(),
  })
  onTestFinished(() => payments.close())
  const { credits } = payments.internals.inbox
  await credits.store([SAMPLE])
  const { rows } = await db.query<{ facts: object }>('SELECT facts FROM tonplug.credits')
  await db.query('TRUNCATE tonplug.credits CASCADE')
  await db.query(FILL, [JSON.stringify(rows[0]?.facts)])
  await db.query('ANALYZE tonplug.credits')
  return { url: database.url, operator: createOperator({ payments }) }
}

const SAMPLE = {
  id: 'sample',
  account: `0:${'0a'.repeat(32)}`,
  wallet: `0:${'0a'.repeat(32)}`,
  txHash: '',
  asset: 'TON',
  rawAmount: 1n,
  traceId: '',
  utime: 0,
  route: [
    {
      hash: 'aa'.repeat(32),
      sender: `0:${'0b'.repeat(32)}`,
      recipient: `0:${'0a'.repeat(32)}`,
      value: 1n,
      isCommentEncrypted: false,
      transaction: 'aa'.repeat(32),
      fees: 0n,
      isShared: false,
    },
  ],
} as const

describe.skipIf(!hasPostgres)(`an export of ${CREDITS} rows, on ${NEEDS_POSTGRES}`, () => {
  it('has every credit, in constant memory, from the library and the command', async () => {
    const { operator, url } = await openDatabase()
    let count = 0
    let sum = 0n
    const heap: number[] = []
    for await (const row of operator.export()) {
      count += 1
      sum += BigInt(row.raw_amount)
      if (count % 10_000 === 0) heap.push(usedHeap())
    }
    expect(count).toBe(CREDITS)
    expect(sum).toBe(BigInt(CREDITS) * 1_000_000_000n)
    expect(Math.max(...heap) - Number(heap[0])).toBeLessThan(MAX_GROWTH)

    const day = ['--from', '2026-01-02', '--to', '2026-01-02', '--zone', 'Europe/Berlin']
    const csv = await tonplug(['export', '--csv', ...day, '--database', url])
    expect(csv.stderr).toBe('')
    const lines = csv.stdout.split('\r\n').slice(1, -1)
    expect(lines).toHaveLength(1440)
    expect(lines[0]).toMatch(/^2026-01-01T23:00:00\.000Z,credit,in,1,TON,1000000000,/)
    const all = await tonplug(['export', '--jsonl', '--database', url])
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(CREDITS)
    const neither = await tonplug(['export', '--database', url])
    expect([neither.code, neither.stderr]).toEqual([2, 'error: give --csv or --jsonl\n'])
    expect(await readFirstChunk(['export', '--csv', '--database', url])).toEqual({
      code: 0,
      warnings: '',
    })
  })

  it.runIf(process.platform === 'linux')(
    'prints every row while the process grows by less than 64 MB',
    async () => {
      const { url } = await openDatabase()
      const { lines, growth, warnings } = await measure(['export', '--csv', '--database', url])
      expect(lines).toBe(CREDITS + 1)
      expect(growth).toBeLessThan(MAX_PROCESS_GROWTH)
      expect(warnings).toBe('')
    },
  )
})

/** Runs the command. @returns the printed lines, and how many MB of memory the process has gained since the first rows */
async function measure(args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args])
  let [lines, first, most] = [0, 0, 0]
  let warnings = ''
  child.stderr.on('data', (chunk: Buffer) => (warnings += chunk.toString()))
  for await (const chunk of child.stdout) {
    lines += String(chunk).split('\n').length - 1
    most = Math.max(most, residentMegabytes(child.pid))
    if (lines < FIRST_ROWS) first = most
  }
  if (process.env['EXPORT_ROWS'] !== undefined) console.log({ lines, first, most })
  return { lines, growth: most - first, warnings }
}

/** Closes the pipe after the first rows, as `head` does. */
async function readFirstChunk(args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args])
  let warnings = ''
  child.stderr.on('data', (chunk: Buffer) => (warnings += chunk.toString()))
  child.stdout.once('data', () => child.stdout.destroy())
  const [code] = await once(child, 'close')
  return { code, warnings }
}

/** Returns 0 after the end of the process, whose last output may be read later. */
function residentMegabytes(pid: number | undefined): number {
  let status = ''
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(String(Reflect.get(Object(error), 'code')))) throw error
  }
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}
