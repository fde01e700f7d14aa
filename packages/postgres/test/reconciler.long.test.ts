import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createWebhookReceiver, type ReconcileReport } from '@tonplug/core'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresCursor } from '../src/postgres-cursor.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import {
  hasPostgres,
  NEEDS_POSTGRES,
  openPGlite,
  openPostgres,
  type TestPostgres,
} from './databases.js'

const CHILD = fileURLToPath(new URL('reconciling-server.child.mjs', import.meta.url))
const SECRET = 'whsec_reconciler'
const RECIPIENT = `0:${'AB'.repeat(32)}`
const PAYER = `0:${'CD'.repeat(32)}`
const ORDERS = 1000
// A thousand meetings, on machines that may be busy.
const LONG_MS = 240_000

const hash = (kind: string, number: number): string =>
  createHash('sha256').update(`${kind} ${number}`).digest('base64')

describe('postgresCursor', () => {
  it('keeps the last position of each name', async () => {
    const database = await openPGlite()
    const { db } = database
    const [cursor, other] = [postgresCursor(db), postgresCursor(db, { name: 'wholesale' })]
    expect(await cursor.load()).toBeUndefined()
    await cursor.save('{"scannedTo":1}')
    await cursor.save('{"scannedTo":2}')
    await other.save('{"scannedTo":3}')
    expect([await cursor.load(), await other.load()]).toEqual([
      '{"scannedTo":2}',
      '{"scannedTo":3}',
    ])
    await database.close()
  })
})

describe('postgresOrderRepository', () => {
  it('finds an order by the hash of its body, whatever its status', async () => {
    const database = await openPGlite()
    const { db } = database
    const orders = postgresOrderRepository(db)
    const bodyBase64Hash = hash('body', 1)
    const order = { reference: 'order-1', rawAmount: 1n, asset: 'TON', data: {}, bodyBase64Hash }
    await orders.create(order)
    await orders.cancel('order-1')
    expect(await orders.findByBodyHash?.(bodyBase64Hash)).toMatchObject({
      reference: 'order-1',
      status: 'cancelled',
    })
    expect(await orders.findByBodyHash?.(hash('body', 2))).toBeNull()
    await database.close()
  })
})

describe.skipIf(!hasPostgres)(`a reconciler beside webhooks on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres()
  })
  afterAll(() => database.close())

  it(
    'S41 makes one transition a thousand times that both meet on an order, on two processes',
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
      const receiver = createWebhookReceiver({
        logger: recordingLogger(),
        secrets: SECRET,
        orders,
        recipients: [RECIPIENT],
        inbox: postgresInbox(db),
        onPaid: async ({ order }, { idempotencyKey }) => {
          const values = [order.reference, idempotencyKey]
          await db.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
        },
      })
      const deliver = async (number: number): Promise<string> => {
        const payload = transferCompleted({
          reference: String(number),
          amount: '1',
          rawAmount: '1000000000',
          senderAddr: PAYER,
          recipientAddr: RECIPIENT,
          bodyBase64Hash: hash('body', number),
          // Which one the gateway names is not known.
          txHash: hash(number % 2 === 0 ? 'first' : 'last', number),
          traceId: hash('first', number),
        })
        const { body, headers } = signPayload(payload, SECRET)
        return (await receiver.receive({ headers, rawBody: body })).decision.kind
      }

      const args = [url, SECRET, RECIPIENT, PAYER, String(ORDERS)]
      const child = fork(CHILD, args, { serialization: 'advanced' })
      const answers: Promise<string>[] = []
      const report = await new Promise<ReconcileReport>((resolve, reject) => {
        child.on('exit', () => reject(new Error('the other server ended')))
        child.on('message', (message: { found: string } | { report: ReconcileReport }) => {
          if ('report' in message) return resolve(message.report)
          answers.push(deliver(Number(message.found)))
          child.send('sent')
        })
      })
      const kinds = await Promise.all(answers)

      const byWebhook = kinds.filter((kind) => kind === 'paid').length
      const byReconciler = report.decisions.paid ?? 0
      console.log(
        `${ORDERS} meetings: ${byWebhook} won by webhooks, ${byReconciler} by the reconciler`,
      )
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
    },
  )
})
