import { createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePGlite, type TestDatabase } from './databases.js'
import { anotherPayment, readPayment, startIndex } from './index-server.js'
import { document, tonplug } from './run-command.js'

const payment = readPayment()
// Keys make the rate limit that of a plan.
const KEYS = { TONCENTER_API_KEY: 'key-of-the-tests' }

describe('tonplug reconcile', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makePGlite()
    await database.use(async (db) => {
      await postgresOrderRepository(db).create({
        reference: 'order-1',
        rawAmount: 1_000_000_000n,
        asset: 'TON',
        data: {},
        bodyBase64Hash: payment.bodyHash,
        createdAt: new Date(payment.utime * 1000),
      })
      await postgresInbox(db).stats()
    })
  })
  afterAll(() => database.remove())

  it('stores what it finds, and the server completes the order and runs its handlers', async () => {
    const server = await startIndex(payment)
    const args = ['reconcile', '--recipient', payment.recipient, '--server', server, '--json']
    const ended = await tonplug(args, { ...KEYS, DATABASE_URL: database.location })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(document(ended)).toMatchObject({
      isComplete: true,
      openOrders: 1,
      found: { lost_webhook: 1 },
      payments: [{ reference: 'order-1', decision: 'paid', findings: ['lost_webhook'] }],
    })

    const shipped: string[] = []
    await database.use(async (db) => {
      const orders = postgresOrderRepository(db)
      expect((await orders.findByReference('order-1'))?.status).toBe('pending')
      const receiver = createWebhookReceiver({
        secrets: 'whsec_command',
        orders,
        inbox: postgresInbox(db),
        onPaid: ({ order }) => void shipped.push(`paid ${order.reference}`),
        onLostWebhook: ({ order }) => void shipped.push(`lost ${order.reference}`),
        logger: recordingLogger(),
        // Past the time for which a delivery is left to whoever stored it.
        clock: aheadBy(60_000),
      })
      await expect.poll(() => shipped.length, { timeout: 30_000 }).toBe(2)
      await receiver.close()
      expect((await orders.findByReference('order-1'))?.status).toBe('completed')
    })
    expect(shipped.toSorted()).toEqual(['lost order-1', 'paid order-1'])

    const again = await tonplug(args.slice(0, -1), { ...KEYS, DATABASE_URL: database.location })
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^0 open orders; found: nothing\.\nIt looks at the orders that @tonplug\/postgres keeps\. .*createFoundTransferStore/,
      ),
    })
  })

  it('tells a second payment of an order from the one that pays it', async () => {
    const twice = await makePGlite()
    await twice.use(async (db) => {
      const orders = postgresOrderRepository(db)
      const order = { rawAmount: 1_000_000_000n, asset: 'TON', data: {} }
      const createdAt = new Date(payment.utime * 1000)
      await orders.create({
        ...order,
        reference: 'order-1',
        bodyBase64Hash: payment.bodyHash,
        createdAt,
      })
      await postgresInbox(db).stats()
    })
    const server = await startIndex(payment, anotherPayment(payment))
    const args = ['reconcile', '--recipient', payment.recipient, '--server', server, '--json']
    const ended = await tonplug(args, { ...KEYS, DATABASE_URL: twice.location })
    expect(document(ended)).toMatchObject({
      decisions: { paid: 1, extra_payment: 1 },
      found: { lost_webhook: 1, paid_twice: 1 },
      payments: [
        { reference: 'order-1', decision: 'paid', findings: ['lost_webhook'] },
        { reference: 'order-1', decision: 'extra_payment', findings: ['paid_twice'] },
      ],
    })
    await twice.remove()
  })

  it('tells that a payment came for an order that was cancelled', async () => {
    const cancelled = await makePGlite()
    await cancelled.use(async (db) => {
      const orders = postgresOrderRepository(db)
      const createdAt = new Date(payment.utime * 1000)
      const order = { rawAmount: 1_000_000_000n, asset: 'TON', data: {}, createdAt }
      await orders.create({ ...order, reference: 'order-1', bodyBase64Hash: payment.bodyHash })
      await orders.create({ ...order, reference: 'order-2' })
      await orders.cancel('order-1')
      await postgresInbox(db).stats()
    })
    const server = await startIndex(payment)
    const args = ['reconcile', '--recipient', payment.recipient, '--server', server, '--json']
    const ended = await tonplug(args, { ...KEYS, DATABASE_URL: cancelled.location })
    expect(document(ended)).toMatchObject({
      decisions: { paid_after_cancel: 1 },
      payments: [{ reference: 'order-1', decision: 'paid_after_cancel', findings: ['paid_late'] }],
    })
    await cancelled.remove()
  })

  it('does not guess the receiver beside one that has a name', async () => {
    const named = await makePGlite()
    await named.use(async (db) => {
      const receiver = createWebhookReceiver({
        name: 'shop',
        secrets: 'whsec_command',
        orders: postgresOrderRepository(db),
        inbox: postgresInbox(db),
        logger: recordingLogger(),
      })
      const { body, headers } = signPayload(transferCompleted(), 'whsec_command')
      await receiver.receive({ rawBody: body, headers })
      await receiver.close()
    })
    const server = await startIndex(payment)
    const args = ['reconcile', '--recipient', payment.recipient, '--server', server]
    const env = { ...KEYS, DATABASE_URL: named.location }
    expect(await tonplug(args, env)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'error: the inbox has deliveries of receivers with names: "shop". Say with --receiver whose orders to look at\n',
    })
    expect(await tonplug([...args, '--receiver', 'shop'], env)).toMatchObject({ stderr: '' })
    expect(await tonplug([...args, '--receiver', 'shup'], env)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'error: no delivery came to a receiver "shup"; the inbox has deliveries of: "shop". What is stored for a name that no server has is never decided. If yours has it and has not received anything yet, add --new-receiver\n',
    })
    await named.remove()
  })

  it('takes no name on trust where nothing has been received', async () => {
    const empty = await makePGlite()
    await empty.use(async (db) => void (await postgresInbox(db).stats()))
    const server = await startIndex(payment)
    const args = ['reconcile', '--recipient', payment.recipient, '--server', server, '--receiver']
    const env = { ...KEYS, DATABASE_URL: empty.location }
    const refused = await tonplug([...args, 'shop', '--json'], env)
    expect(refused.code).toBe(2)
    expect(document(refused)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('has no deliveries yet') },
    })
    expect(await tonplug([...args, 'shop', '--new-receiver'], env)).toMatchObject({ stderr: '' })
    expect(await tonplug([...args, 'default'], env)).toMatchObject({ stderr: '' })
    await empty.remove()
  })

  it('says what is wrong with how it was called', async () => {
    const both = ['reconcile', '--network', 'testnet', '--server', 'http://127.0.0.1:1']
    expect(await tonplug(both, { DATABASE_URL: database.location })).toMatchObject({
      code: 2,
      stderr: 'error: give either --network or --server\n',
    })
    expect(
      await tonplug(['reconcile', '--new-receiver'], { DATABASE_URL: database.location }),
    ).toMatchObject({
      code: 2,
      stderr: 'error: --new-receiver needs the name: give --receiver too\n',
    })
  })

  it.each([
    [['--recipient', payment.recipient, 'UQfoo'], '--recipient: "UQfoo"'],
    [['--server', 'localhost:8081'], '--server: give the base URL of an API v3, such as '],
    [['--server', 'https://user:word@localhost'], '--server: give the base URL of an API v3'],
    [['--server', 'https://localhost/?api_key=word'], '--server: give the base URL of an API v3'],
  ])('takes %j for a mistake of the call', async (args, message) => {
    const ended = await tonplug(['reconcile', ...args, '--json'], {
      DATABASE_URL: database.location,
    })
    expect(ended.code).toBe(2)
    expect(document(ended)).toEqual({
      error: { code: 'usage', message: expect.stringContaining(message) },
    })
    expect(ended.stdout).not.toContain('word@')
    expect(ended.stdout).not.toContain('=word')
  })
})

function aheadBy(ms: number) {
  return {
    nowMs: () => Date.now() + ms,
    setTimer(callback: () => void, delayMs: number) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  }
}
