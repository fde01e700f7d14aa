import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createPayments, createWebhookReceiver, type PaymentWatcher } from '@tonplug/core'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'

type WatchReport = Awaited<ReturnType<PaymentWatcher['run']>>

const CHILD = fileURLToPath(new URL('watching-server.child.mjs', import.meta.url))
const SECRET = 'whsec_watcher'
const RECIPIENT = `0:${'AB'.repeat(32)}`
const PAYER = `0:${'CD'.repeat(32)}`
const ORDERS = 1000
// A thousand payments, on machines that may be under load.
const LONG_MS = 600_000

const hash = (kind: string, number: number): string =>
  createHash('sha256').update(`${kind} ${number}`).digest('base64')

describe.skipIf(!hasPostgres)(`a watcher and webhooks on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres()
  })
  afterAll(() => database.close())

  it(
    'S41 makes one transition for each of a thousand payments that two processes report concurrently',
    { timeout: LONG_MS },
    async () => {
      const { db, url } = database
      const orders = postgresOrderRepository(db)
      await db.query('CREATE TABLE runs (reference text NOT NULL, key text NOT NULL)')
      for (let number = 0; number < ORDERS; number++) {
        await orders.create({
          reference: String(number),
          rawAmount: 1_000_000_000n,
          asset: 'TON',
          data: {},
          bodyBase64Hash: hash('body', number),
          createdAt: new Date(Date.now() - 900_000),
        })
      }
      const payments = createPayments({
        logger: createTestLogger(),
        orders,
        wallets: [RECIPIENT],
        inbox: postgresInbox(db),
        onPaid: async ({ order }, { idempotencyKey }) => {
          const values = [order.reference, idempotencyKey]
          await db.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
        },
      })
      const receiver = createWebhookReceiver({ payments, secrets: SECRET })
      const deliver = async (number: number): Promise<string> => {
        const payload = transferCompleted({
          reference: String(number),
          amount: '1',
          rawAmount: '1000000000',
          senderAddr: PAYER,
          recipientAddr: RECIPIENT,
          bodyBase64Hash: hash('body', number),
          // The gateway may report either hash.
          txHash: hash(number % 2 === 0 ? 'first' : 'last', number),
          traceId: hash('first', number),
        })
        const { body, headers } = signPayload(payload, SECRET)
        return (await receiver.receive({ headers, rawBody: body })).decision.kind
      }

      const args = [url, RECIPIENT, PAYER, String(ORDERS)]
      const child = fork(CHILD, args, { serialization: 'advanced' })
      const answers: Promise<string>[] = []
      const report = await new Promise<WatchReport>((resolve, reject) => {
        child.on('exit', () => reject(new Error('the other server exited')))
        child.on('message', (message: { found: string } | { report: WatchReport }) => {
          if ('report' in message) return resolve(message.report)
          answers.push(deliver(Number(message.found)))
          child.send('sent')
        })
      })
      const kinds = await Promise.all(answers)

      const byWebhook = kinds.filter((kind) => kind === 'paid').length
      const byWatcher = report.decisions.paid ?? 0
      console.log(`${ORDERS} payments: ${byWebhook} paid by webhooks, ${byWatcher} by the watcher`)
      expect(report).toMatchObject({ isComplete: true, unsettled: 0, ambiguous: 0 })
      expect(kinds).toHaveLength(ORDERS)
      expect(new Set(kinds)).toEqual(new Set(['paid', 'duplicate']))
      expect(new Set(Object.keys(report.decisions))).toEqual(new Set(['paid', 'duplicate']))
      const paid = await db.query<{ count: string }>(
        `SELECT count(*)::text FROM tonplug.orders WHERE status = 'completed'`,
      )
      expect(paid.rows).toEqual([{ count: String(ORDERS) }])
      const runs = async (): Promise<unknown> =>
        (
          await db.query(
            `SELECT count(*)::int AS runs, count(DISTINCT reference)::int AS orders FROM runs`,
          )
        ).rows
      await expect.poll(runs, { timeout: LONG_MS }).toEqual([{ runs: ORDERS, orders: ORDERS }])
      child.removeAllListeners('exit')
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await receiver.close()
      await payments.close()
    },
  )
})
