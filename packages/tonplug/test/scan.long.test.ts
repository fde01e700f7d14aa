import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePGlite, type TestDatabase } from './databases.js'
import { bodyHash, PAID_AT, recipient, startPaidChain } from './paid-chain.js'
import { document, tonplug } from './run-command.js'

// The payments are older than the default.
const SINCE = ['--since', new Date((PAID_AT - 1) * 1000).toISOString()]
// A key raises the rate limit.
const KEYS = { TONCENTER_API_KEY: 'key-of-the-tests' }

describe('tonplug scan', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await makePGlite()
    await database.use(async (db) => {
      await postgresOrderRepository(db).create({
        reference: 'order-1',
        rawAmount: 1_000_000_000n,
        asset: 'TON',
        data: {},
        bodyBase64Hash: bodyHash,
        createdAt: new Date(PAID_AT * 1000),
      })
      await postgresInbox(db).stats()
    })
  })
  afterAll(() => database.remove())

  it('stores found payments, and the server completes the order and runs its handlers', async () => {
    const server = await startPaidChain()
    const args = ['scan', '--wallet', recipient, '--server', server, ...SINCE, '--json']
    const ended = await tonplug(args, { ...KEYS, DATABASE_URL: database.location })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(document(ended)).toMatchObject({
      isComplete: true,
      openOrders: 1,
      found: [{ reference: 'order-1', merchant: '', source: 'chain', rawAmount: '1000000000' }],
    })

    const shipped: string[] = []
    await database.use(async (db) => {
      const orders = postgresOrderRepository(db)
      expect((await orders.find({ reference: 'order-1' }))?.status).toBe('pending')
      const payments = createPayments({
        orders,
        inbox: postgresInbox(db),
        onPaid: ({ order, source }) => void shipped.push(`${order.reference} by ${source}`),
        logger: createTestLogger(),
      })
      await expect.poll(() => shipped.length).toBe(1)
      await payments.close()
      expect((await orders.find({ reference: 'order-1' }))?.status).toBe('completed')
    })
    expect(shipped).toEqual(['order-1 by chain'])

    const again = await tonplug(args.slice(0, -1), { ...KEYS, DATABASE_URL: database.location })
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^0 open orders; 0 payments found\.\nIt reads the orders of @tonplug\/postgres\. .*createPaymentWatcher/,
      ),
    })
  })

  it('finds both payments of an order that was paid twice', async () => {
    const twice = await makePGlite()
    await twice.use(async (db) => {
      const orders = postgresOrderRepository(db)
      const order = { rawAmount: 1_000_000_000n, asset: 'TON', data: {} }
      const createdAt = new Date(PAID_AT * 1000)
      await orders.create({
        ...order,
        reference: 'order-1',
        bodyBase64Hash: bodyHash,
        createdAt,
      })
      await postgresInbox(db).stats()
    })
    const server = await startPaidChain(2)
    const args = ['scan', '--wallet', recipient, '--server', server, ...SINCE, '--json']
    const ended = await tonplug(args, { ...KEYS, DATABASE_URL: twice.location })
    expect(document(ended)).toMatchObject({
      found: [{ reference: 'order-1' }, { reference: 'order-1' }],
    })
    await twice.remove()
  })

  it('finds a payment of a cancelled order', async () => {
    const cancelled = await makePGlite()
    await cancelled.use(async (db) => {
      const orders = postgresOrderRepository(db)
      const createdAt = new Date(PAID_AT * 1000)
      const order = { rawAmount: 1_000_000_000n, asset: 'TON', data: {}, createdAt }
      await orders.create({ ...order, reference: 'order-1', bodyBase64Hash: bodyHash })
      await orders.create({ ...order, reference: 'order-2' })
      await orders.cancel('order-1')
      await postgresInbox(db).stats()
    })
    const server = await startPaidChain()
    const args = ['scan', '--wallet', recipient, '--server', server, ...SINCE, '--json']
    const ended = await tonplug(args, { ...KEYS, DATABASE_URL: cancelled.location })
    expect(document(ended)).toMatchObject({
      found: [{ reference: 'order-1' }],
    })
    await cancelled.remove()
  })

  it('requires a name when the inbox has reports of another', async () => {
    const named = await makePGlite()
    await named.use(async (db) => {
      const payments = createPayments({
        name: 'shop',
        orders: postgresOrderRepository(db, { name: 'shop' }),
        inbox: postgresInbox(db),
        logger: createTestLogger(),
      })
      const receiver = createWebhookReceiver({ payments, secrets: 'whsec_command' })
      const { body, headers } = signPayload(transferCompleted(), 'whsec_command')
      await receiver.receive({ rawBody: body, headers })
      await receiver.close()
      await payments.close()
    })
    const server = await startPaidChain()
    const args = ['scan', '--wallet', recipient, '--server', server, ...SINCE]
    const env = { ...KEYS, DATABASE_URL: named.location }
    expect(await tonplug(args, env)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: the inbox has reports of "shop"; select one with --name\n',
    })
    expect(await tonplug([...args, '--name', 'shop'], env)).toMatchObject({ stderr: '' })
    expect(await tonplug([...args, '--name', 'shup'], env)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'error: no Payments is named "shup": the inbox has reports of "shop", and reports under a name that no server uses are never decided. If your server uses this name and has no reports yet, add --new-name\n',
    })
    await named.remove()
  })

  it('accepts only the default name in an empty inbox', async () => {
    const empty = await makePGlite()
    await empty.use(async (db) => void (await postgresInbox(db).stats()))
    const server = await startPaidChain()
    const args = ['scan', '--wallet', recipient, '--server', server, '--name']
    const env = { ...KEYS, DATABASE_URL: empty.location }
    const refused = await tonplug([...args, 'shop', '--json'], env)
    expect(refused.code).toBe(2)
    expect(document(refused)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('has no reports yet') },
    })
    expect(await tonplug([...args, 'shop', '--new-name'], env)).toMatchObject({ stderr: '' })
    expect(await tonplug([...args, 'default'], env)).toMatchObject({ stderr: '' })
    await empty.remove()
  })

  it('rejects options that contradict each other', async () => {
    const both = ['scan', '--network', 'testnet', '--server', 'http://127.0.0.1:1']
    expect(await tonplug(both, { DATABASE_URL: database.location })).toMatchObject({
      code: 2,
      stderr: 'error: give either --network or --server\n',
    })
    expect(
      await tonplug(['scan', '--new-name'], { DATABASE_URL: database.location }),
    ).toMatchObject({
      code: 2,
      stderr: 'error: --new-name requires --name\n',
    })
  })

  it.each([
    [['--wallet', recipient, 'UQfoo'], '--wallet: "UQfoo"'],
    [['--server', 'localhost:8081'], '--server: give the base URL of an API v3, such as '],
    [['--server', 'https://user:word@localhost'], '--server: give the base URL of an API v3'],
    [['--server', 'https://localhost/?api_key=word'], '--server: give the base URL of an API v3'],
  ])('rejects the arguments %j', async (args, message) => {
    const ended = await tonplug(['scan', ...args, '--json'], {
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
