import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Order, OrderRepository } from '@tonplug/core'
import { describeOrderRepository } from '@tonplug/testing'
import { createPool, type Pool } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const GUIDE = readFileSync('docs/guide/write-a-repository.md', 'utf8')
const { TEST_MARIADB_URL } = process.env
const CONNECTIONS = 20
const DATABASE = `tonplug_docs_${process.pid}`

const NEEDS_MARIADB = TEST_MARIADB_URL === undefined ? ' (skipped: set TEST_MARIADB_URL)' : ''

describe.skipIf(TEST_MARIADB_URL === undefined)(
  `the repository of the guide on MySQL or MariaDB${NEEDS_MARIADB}`,
  () => {
    let server: Pool
    let pool: Pool
    let makeOrders: (pool: Pool) => OrderRepository
    beforeAll(async () => {
      server = createPool({ uri: TEST_MARIADB_URL ?? '' })
      await server.query(`CREATE DATABASE ${DATABASE}`)
      const uri = Object.assign(new URL(TEST_MARIADB_URL ?? ''), { pathname: `/${DATABASE}` }).href
      pool = createPool({ uri, timezone: 'Z', connectionLimit: CONNECTIONS })
      await pool.query(codeOf('```sql\nCREATE TABLE orders').replace('```sql\n', ''))
      mkdirSync('docs/.check/mysql', { recursive: true })
      const file = resolve('docs/.check/mysql/mysql-orders.ts')
      writeFileSync(file, codeOf('// mysql-orders.ts'))
      // The exports of the block.
      const exported = (await import(pathToFileURL(file).href)) as {
        mysqlOrders: (pool: Pool) => OrderRepository
      }
      makeOrders = exported.mysqlOrders
    })
    afterAll(async () => {
      await pool.end()
      await server.query(`DROP DATABASE ${DATABASE}`)
      await server.end()
    })

    describeOrderRepository(
      'mysqlOrders',
      async () => {
        await pool.query('DELETE FROM orders')
        return { repository: makeOrders(pool), insert: (order: Order) => insert(pool, order) }
      },
      { describe, it },
      {
        merchants: false,
        bodyHashes: false,
        offers: false,
        findByReferences: false,
        checkAccess: false,
      },
    )
  },
)

it('is shown by the guide', () => {
  expect(codeOf('// mysql-orders.ts')).toContain('export function mysqlOrders')
})

async function insert(pool: Pool, order: Order): Promise<void> {
  const { reference, rawAmount, asset, recipient = null, status, createdAt = new Date() } = order
  await pool.query(
    'INSERT INTO orders (reference, raw_amount, asset, recipient, status, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [reference, String(rawAmount), asset, recipient, status, createdAt],
  )
}

/** Returns a code block of the guide from this text on. */
function codeOf(start: string): string {
  const code = GUIDE.slice(GUIDE.indexOf(start))
  return code.slice(0, code.indexOf('\n```'))
}
