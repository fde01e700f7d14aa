import { readFileSync } from 'node:fs'
import type { Order } from '@tonplug/core'
import { describeOrderRepository } from '@tonplug/testing'
import { createPool, type Pool } from 'mysql2/promise'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { mysqlOrders } from '../repositories/mysql-orders.js'

const CREATE_TABLE = readFileSync('docs/repositories/mysql-orders.sql', 'utf8')
const { TEST_MARIADB_URL } = process.env
const CONNECTIONS = 20
const DATABASE = `tonplug_docs_${process.pid}`

const NEEDS_MARIADB = TEST_MARIADB_URL === undefined ? ' (skipped: set TEST_MARIADB_URL)' : ''

describe.skipIf(TEST_MARIADB_URL === undefined)(
  `the repository of the guide on MySQL or MariaDB${NEEDS_MARIADB}`,
  () => {
    let server: Pool
    let pool: Pool
    beforeAll(async () => {
      server = createPool({ uri: TEST_MARIADB_URL ?? '' })
      await server.query(`CREATE DATABASE ${DATABASE}`)
      const uri = Object.assign(new URL(TEST_MARIADB_URL ?? ''), { pathname: `/${DATABASE}` }).href
      pool = createPool({ uri, timezone: 'Z', connectionLimit: CONNECTIONS })
      await pool.query(CREATE_TABLE)
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
        return { repository: mysqlOrders(pool), insert: (order: Order) => insert(pool, order) }
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

async function insert(pool: Pool, order: Order): Promise<void> {
  const { reference, rawAmount, asset, recipient = null, status, createdAt = new Date() } = order
  await pool.query(
    'INSERT INTO orders (reference, raw_amount, asset, recipient, status, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [reference, String(rawAmount), asset, recipient, status, createdAt],
  )
}
