import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { paste, TSCONFIG } from './pasted-server.js'

const GUIDE = readFileSync('docs/guide/your-own-database.md', 'utf8')
/** Lines of code that map a table and create the inbox. Imports count. */
const MOST_LINES = 15
const SECRET = 'whsec_test'
const { TEST_DATABASE_URL } = process.env

/** A table as a shop has it, with the columns that the guide maps. */
const CREATE_TABLE = `CREATE TABLE orders (
  id serial PRIMARY KEY, number text NOT NULL UNIQUE, nanotons bigint NOT NULL,
  state text NOT NULL DEFAULT 'awaiting_payment', customer_email text NOT NULL, payment jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO orders (number, nanotons, customer_email) VALUES ('order-1', 10500000000, 'a@b.example')`

const PACKAGE = '{ "private": true, "type": "module" }'

/** Servers around the code of the guide. */
const EXPRESS = {
  'db.ts': `import { drizzle } from 'drizzle-orm/node-postgres'
    export const db = drizzle(process.env['DATABASE_URL'] ?? '')`,
  'main.ts': `import express from 'express'
    import { createPayments, createWebhookReceiver } from '@tonplug/core'
    import { tonplugWebhook } from '@tonplug/express'
    import { inbox, orders } from './orders.js'
    const onPaid = ({ order }: { order: { email: string } }) => console.log('paid by ' + order.email)
    const payments = createPayments({ orders, inbox, onPaid })
    const receiver = createWebhookReceiver({ payments, secrets: '${SECRET}' })
    express().post('/webhooks/ton', tonplugWebhook(receiver)).listen(process.env.PORT ?? 3000)`,
}
const NEST = {
  'main.ts': `import 'reflect-metadata'
    import { Module } from '@nestjs/common'
    import { NestFactory } from '@nestjs/core'
    import { OnPaid, TonplugModule, WebhookController } from '@tonplug/nestjs'
    import type { Order, PaidTransfer } from '@tonplug/core'
    import { DataSource } from 'typeorm'
    import { paymentStores } from './payment-stores.js'
    const source = new DataSource({ type: 'postgres', url: process.env['DATABASE_URL'] ?? '' })
    await source.initialize()
    @WebhookController('webhooks/ton')
    class Webhooks {
      @OnPaid()
      paid({ order }: PaidTransfer<Order & { email: string }>) {
        console.log('paid by ' + order.email)
      }
    }
    @Module({
      imports: [TonplugModule.forRootAsync({
        useFactory: () => ({
          network: 'testnet', payments: paymentStores(source), webhook: { secrets: '${SECRET}' },
        }),
      })],
      controllers: [Webhooks],
    })
    class App {}
    const app = await NestFactory.create(App, { logger: false })
    await app.listen(process.env.PORT ?? 3000)`,
}

describe('a shop with its own orders table', () => {
  it.each([
    ['Drizzle on Express', 'orders.ts', EXPRESS],
    ['TypeORM on NestJS', 'payment-stores.ts', NEST],
  ])(`writes at most ${MOST_LINES} lines with %s`, async (library, file, server) => {
    const code = codeOf(file)
    const lines = code.split('\n').filter((line) => /^\s*(?!\/\/)\S/.test(line))
    console.info(`${library}: ${lines.length} lines map the table`)
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
    if (TEST_DATABASE_URL === undefined) return

    const url = await createShopDatabase(TEST_DATABASE_URL)
    const files = { 'package.json': PACKAGE, 'tsconfig.json': TSCONFIG, [file]: code, ...server }
    const shop = await paste(`own-${file}`, files)
    await shop.run('tsc')
    const printed = await shop.start(`DATABASE_URL=${url} node main.js`)
    const { body, headers } = signPayload(transferCompleted({ reference: 'order-1' }), SECRET)
    const address = `http://127.0.0.1:${shop.port}/webhooks/ton`
    const { status } = await fetch(address, { method: 'POST', headers, body })

    expect(status).toBe(200)
    await expect.poll(printed).toContain('paid by a@b.example')
  })
})

/** Returns the code block of the guide that begins with the name of a file. */
function codeOf(file: string): string {
  const [, code = ''] = GUIDE.split(`\n// ${file}\n`)
  return code.slice(0, code.indexOf('```'))
}

async function createShopDatabase(server: string): Promise<string> {
  const name = `tonplug_docs_${randomUUID().replaceAll('-', '')}`
  await query(server, `CREATE DATABASE ${name}`)
  onTestFinished(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`))
  const url = new URL(server)
  url.pathname = `/${name}`
  await query(url.href, CREATE_TABLE)
  return url.href
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
