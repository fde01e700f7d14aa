import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { paste, TSCONFIG } from './pasted-server.js'

const SECRET = 'whsec_test'
const WALLET = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
/** Lines that add prices in USD to a shop, in all of its files. */
const MOST_LINES = 15
const PACKAGE = '{ "private": true, "type": "module" }'
const { TEST_DATABASE_URL } = process.env

const SHOP = `import { createV3Client } from '@tonplug/core/toncenter'
  import pg from 'pg'
  export const db = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
  export const v3 = createV3Client()
  export const wallet = process.env['SHOP_WALLET'] ?? ''
  export const USDT = '${USDT}'`

const STATUSES = `statuses: { pending: 'new', completed: 'paid' },`
const COLUMNS = `reference: 'number', status: 'state', payment: 'payment'`
const ORDERS = `import { mappedOrderRepository, postgresInbox } from '@tonplug/postgres'
  import { db } from './shop.js'
  export const inbox = postgresInbox(db)
  export const orders = mappedOrderRepository(db, {
    table: 'orders',
    columns: {
      ${COLUMNS},
      rawAmount: { column: 'total_cents', per: 10_000n },
    },
    asset: '${USDT}',
    ${STATUSES}
  })`

/** The files of a shop whose cents are paid in USDT, before it has prices in USD. */
const BEFORE = {
  'shop.ts': SHOP,
  'orders.ts': ORDERS,
  'invoices.ts': `import { createInvoice } from '@tonplug/core'
    import { USDT, v3, wallet } from './shop.js'

    export async function invoiceOf(reference: string, cents: number) {
      const rawAmount = BigInt(cents) * 10_000n
      return createInvoice({ reference, wallet, v3, asset: USDT, rawAmount })
    }`,
  'schema.sql': `CREATE TABLE orders (number text PRIMARY KEY, total_cents integer NOT NULL,
    state text NOT NULL DEFAULT 'new', payment jsonb);
  CREATE TABLE prices (asset text PRIMARY KEY, usd text NOT NULL, at timestamptz NOT NULL);`,
}

/** The same shop with prices in USD, by the steps of the guide. */
const AFTER = {
  ...BEFORE,
  'orders.ts': ORDERS.replace(/rawAmount: .*/, "offers: 'offers',").replace(/\n *asset: .*/, ''),
  'invoices.ts':
    blocksOf('prices-in-your-currency').find((block) => block.startsWith('// invoices.ts')) ?? '',
  'schema.sql': `${BEFORE['schema.sql']}\nALTER TABLE orders ADD COLUMN offers jsonb;`,
}

/** Servers around the code of the guide. */
const SERVERS = {
  Express: `import express from 'express'
    import { createPayments, createWebhookReceiver } from '@tonplug/core'
    import { tonplugWebhook } from '@tonplug/express'
    import { inbox, orders } from './orders.js'
    import { invoiceOf } from './invoices.js'
    const payments = createPayments({ orders, inbox, onPaid: ({ payment }) => console.log('paid in ' + payment.offer?.asset) })
    const receiver = createWebhookReceiver({ payments, secrets: '${SECRET}' })
    express()
      .get('/invoice', async (_, response) => void response.json(await invoiceOf('order-1', 1250)))
      .post('/webhooks/ton', tonplugWebhook(receiver))
      .listen(process.env.PORT ?? 3000)`,
  NestJS: `import 'reflect-metadata'
    import { Controller, Get, Module } from '@nestjs/common'
    import { NestFactory } from '@nestjs/core'
    import type { PaidTransfer } from '@tonplug/core'
    import { OnPaid, TonplugModule, WebhookController } from '@tonplug/nestjs'
    import { inbox, orders } from './orders.js'
    import { invoiceOf } from './invoices.js'
    @Controller()
    class Checkout {
      @Get('invoice')
      invoice() {
        return invoiceOf('order-1', 1250)
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
    await app.listen(process.env.PORT ?? 3000)`,
}

describe('S139 a shop with cents in its own table', () => {
  it.each(Object.entries(SERVERS))(
    `adds prices in USD, paid in TON and USDT, in at most ${MOST_LINES} lines on %s`,
    async (name, main) => {
      const [before, after] = [BEFORE, AFTER].map((files) => ({ ...files, 'main.ts': main }))
      const count = addedLines(before ?? {}, after ?? {}).length
      console.info(`${name}: ${count} lines add prices in USD`)
      expect(AFTER['invoices.ts']).not.toBe('')
      expect(AFTER['orders.ts']).not.toBe(ORDERS)
      expect(count).toBeGreaterThan(5)
      expect(count).toBeLessThanOrEqual(MOST_LINES)
      if (TEST_DATABASE_URL === undefined) return

      const url = await createShopDatabase(TEST_DATABASE_URL)
      const settings = { 'package.json': PACKAGE, 'tsconfig.json': TSCONFIG }
      await (await paste(`usdt-${name}`, { ...settings, ...before })).run('tsc')
      const shop = await paste(`usd-${name}`, { ...settings, ...after })
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

/** Returns the lines of code that the files have and had not before; a line that has changed is one of them. */
function addedLines(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.entries(after).flatMap(([file, text]) => {
    const left = codeOf(before[file] ?? '')
    return codeOf(text).filter((line) => {
      const place = left.indexOf(line)
      if (place >= 0) left.splice(place, 1)
      return place < 0
    })
  })
}

/** Returns the lines without comments. */
function codeOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('//'))
}

describe.each([
  ['prices-in-your-currency', 'TON 2.390057362 ton:'],
  ['when-another-amount-arrives', 'nothing is missing'],
])('%s', (guide, printed) => {
  it('runs as pasted', async () => {
    // Without the block for a database, and the block that asks the real chain.
    const blocks = blocksOf(guide).filter((block) => !/^\/\/ invoices|jettonDecimals\(/.test(block))
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
    `${AFTER['schema.sql']}
    INSERT INTO orders (number, total_cents) VALUES ('order-1', 1250);
    INSERT INTO prices VALUES ('TON', '5', now()), ('${USDT}', '1', now())`,
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
