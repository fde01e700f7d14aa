import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { paste, TSCONFIG } from './pasted-server.js'

const SECRET = 'whsec_test'
const WALLET = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
/** Lines that add prices in USD to a shop: the code, the column, and its place in the mapping. */
const MOST_LINES = 15
const PACKAGE = '{ "private": true, "type": "module" }'
const { TEST_DATABASE_URL } = process.env

const ORDERS = `import { mappedOrderRepository, postgresInbox } from '@tonplug/postgres'
  import { db } from './db.js'
  export const inbox = postgresInbox(db)
  export const orders = mappedOrderRepository(db, {
    table: 'orders',
    columns: { reference: 'number', status: 'state', payment: 'payment', offers: 'offers' },
    statuses: { pending: 'new', completed: 'paid' },
  })
  export const rates = (asset: string) => ({ price: asset === 'TON' ? '5' : '1', at: new Date() })`
const DB = `import pg from 'pg'
  export const db = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })`

/** Servers around the code of the guide. */
const SERVERS = {
  Express: `import express from 'express'
    import { createPayments, createWebhookReceiver } from '@tonplug/core'
    import { tonplugWebhook } from '@tonplug/express'
    import { inbox, orders, rates } from './orders.js'
    import { invoiceOf } from './usd-prices.js'
    const payments = createPayments({ orders, inbox, onPaid: ({ payment }) => console.log('paid in ' + payment.offer?.asset) })
    const receiver = createWebhookReceiver({ payments, secrets: '${SECRET}' })
    express()
      .get('/invoice', async (_, response) => void response.json(await invoiceOf('order-1', 1250, rates)))
      .post('/webhooks/ton', tonplugWebhook(receiver))
      .listen(3000)`,
  NestJS: `import 'reflect-metadata'
    import { Controller, Get, Module } from '@nestjs/common'
    import { NestFactory } from '@nestjs/core'
    import type { PaidTransfer } from '@tonplug/core'
    import { OnPaid, TonplugModule, WebhookController } from '@tonplug/nestjs'
    import { inbox, orders, rates } from './orders.js'
    import { invoiceOf } from './usd-prices.js'
    @Controller()
    class Checkout {
      @Get('invoice')
      invoice() {
        return invoiceOf('order-1', 1250, rates)
      }
    }
    @WebhookController('webhooks/ton')
    class Webhooks {
      @OnPaid()
      paid({ payment }: PaidTransfer) {
        console.log('paid in ' + payment.offer?.asset)
      }
    }
    @Module({
      imports: [TonplugModule.forRootAsync({
        useFactory: () => ({ network: 'mainnet', payments: { orders, inbox }, webhook: { secrets: '${SECRET}' } }),
      })],
      controllers: [Checkout, Webhooks],
    })
    class App {}
    const app = await NestFactory.create(App, { logger: false })
    await app.listen(3000)`,
}

describe('S139 a shop with cents in its own table', () => {
  it.each(Object.entries(SERVERS))(
    `adds prices in USD, paid in TON and USDT, in at most ${MOST_LINES} lines on %s`,
    async (name, main) => {
      const code = blocksOf('prices-in-your-currency').find((block) => block.startsWith('// usd'))
      const lines = (code ?? '').split('\n').filter((line) => /^\s*(?!\/\/)\S/.test(line))
      // The column, and its place in the mapping.
      const count = lines.length + 2
      console.info(`${name}: ${count} lines add prices in USD`)
      expect(code).toBeDefined()
      expect(count).toBeLessThanOrEqual(MOST_LINES)
      if (TEST_DATABASE_URL === undefined) return

      const url = await createShopDatabase(TEST_DATABASE_URL)
      const shop = await paste(`usd-${name}`, {
        'package.json': PACKAGE,
        'tsconfig.json': TSCONFIG,
        'usd-prices.ts': code ?? '',
        'orders.ts': ORDERS,
        'db.ts': DB,
        'main.ts': main,
      })
      await shop.run('tsc')
      const printed = await shop.start(`DATABASE_URL=${url} SHOP_WALLET=${WALLET} node main.js`)
      const address = `http://127.0.0.1:${shop.port}`
      const invoice: unknown = await (await fetch(`${address}/invoice`)).json()
      expect(invoice).toMatchObject({
        offers: [
          { asset: 'TON', rawAmount: '2500000000', amount: '2.5' },
          { asset: USDT, rawAmount: '12500000', amount: '12.5' },
        ],
      })
      const paid = transferCompleted({ reference: 'order-1', asset: USDT, rawAmount: '12500000' })
      const date = new Date().toISOString()
      const { body, headers } = signPayload({ ...paid, data: { ...paid.data, date } }, SECRET)
      const response = await fetch(`${address}/webhooks/ton`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      await expect.poll(printed).toContain(`paid in ${USDT}`)
    },
  )
})

describe.each([
  ['prices-in-your-currency', 'TON 2.390057362 ton:'],
  ['amounts-and-fees', ''],
])('%s', (guide, printed) => {
  it('runs as pasted', async () => {
    // Without the block for a database, and the block that asks the real chain.
    const blocks = blocksOf(guide).filter((block) => !/^\/\/ usd|jettonDecimals\(/.test(block))
    expect(blocks.length).toBeGreaterThan(0)
    const files = Object.fromEntries(blocks.map((block, index) => [`block-${index}.ts`, block]))
    const shop = await paste(guide, {
      'package.json': PACKAGE,
      'tsconfig.json': TSCONFIG,
      ...files,
      // Payments of a block keep its process alive.
      'main.ts': `${blocks.map((_, index) => `import './block-${index}.js'`).join('\n')}\nprocess.exit()`,
    })
    await shop.run('tsc')
    const output = await shop.run('node main.js')
    expect(output).toContain(printed)
  })
})

/** Returns the code blocks of a guide. */
function blocksOf(guide: string): string[] {
  const text = readFileSync(`docs/guide/${guide}.md`, 'utf8')
  return [...text.matchAll(/^```ts(?: no-check)?\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
}

async function createShopDatabase(server: string): Promise<string> {
  const name = `tonplug_docs_${randomUUID().replaceAll('-', '')}`
  await query(server, `CREATE DATABASE ${name}`)
  onTestFinished(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`))
  const url = new URL(server)
  url.pathname = `/${name}`
  await query(
    url.href,
    `CREATE TABLE orders (number text PRIMARY KEY, total_cents integer NOT NULL,
      state text NOT NULL DEFAULT 'new', payment jsonb);
    INSERT INTO orders (number, total_cents) VALUES ('order-1', 1250);
    ALTER TABLE orders ADD COLUMN offers jsonb`,
  )
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
