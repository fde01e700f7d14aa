import { beginCell, comment, internal, toNano } from '@ton/core'
import { createPayments, createPaymentWatcher, createInvoice, type Payments } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { createChainSimulator } from '@tonplug/simulator'
import { createTestLogger, transferCompleted } from '@tonplug/testing'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tonplug } from './run-command.js'

const SERVERS = 4
const ORDERS = 6
const ANN = { by: 'ann' }

/** Opens servers that share one database, each with its own connections, and transfers without a comment. */
async function openServers(withdrawals: number) {
  const database = await createPostgresDatabase()
  onTestFinished(() => database.drop())
  const chain = await createChainSimulator()
  onTestFinished(() => chain.close())
  const merchant = await chain.createWallet({ balance: 0n })
  const v3 = createV3Client({ transport: createTransport({ baseUrl: chain.url, rps: Infinity }) })
  const shipped: string[] = []
  const servers: Payments[] = []
  for (let server = 0; server < SERVERS; server++) {
    const db = new pg.Pool({ connectionString: database.url, max: 4 })
    const payments = createPayments({
      orders: postgresOrderRepository(db),
      inbox: postgresInbox(db),
      wallets: [merchant.address.toString()],
      onPaid: ({ order }) => void shipped.push(order.reference),
      logger: createTestLogger(),
    })
    onTestFinished(async () => {
      await payments.close()
      await db.end()
    })
    servers.push(payments)
  }
  const db = new pg.Pool({ connectionString: database.url, max: 4 })
  onTestFinished(() => db.end())
  const orders = postgresOrderRepository(db)
  const wallet = merchant.address.toString({ bounceable: false })
  const references: string[] = []
  for (let number = 0; number < ORDERS; number++) {
    const { order } = await createInvoice({ wallet, asset: 'TON', amount: '2' })
    const { status: _, createdAt: __, ...stored } = order
    await orders.create({ ...stored, data: null })
    references.push(order.reference)
  }
  const payer = await chain.createWallet()
  const send = (text: string) => {
    const body = text === '' ? beginCell().endCell() : comment(text)
    return payer.send([internal({ to: merchant.address, value: toNano(2), bounce: false, body })])
  }
  for (let number = 0; number < withdrawals; number++) await send('')
  chain.now += 120
  await chain.fund(payer.address, 1n)
  const [first] = servers
  const watcher = createPaymentWatcher({ payments: first!, v3 })
  onTestFinished(() => watcher.close())
  expect((await watcher.run()).decisions).toEqual({ unknown_order: withdrawals })
  const hashes = (await createOperator({ payments: first! }).list()).map(({ txHash }) => txHash)
  const statuses = async (): Promise<string[]> => {
    const found = await Promise.all(references.map((reference) => orders.find({ reference })))
    return found.map((order) => order?.status ?? 'missing')
  }
  const shop = { url: database.url, db, chain, v3, servers, references, hashes, shipped }
  return { ...shop, statuses, merchant }
}

describe.skipIf(!hasPostgres)(`operators on several servers, on ${NEEDS_POSTGRES}`, () => {
  it('credit one order with a transaction that all of them assign at once', async () => {
    const shop = await openServers(1)
    const calls = shop.servers.flatMap((payments) =>
      shop.references.map((reference) =>
        createOperator({ payments }).assign({ transactionHash: shop.hashes[0]!, reference }, ANN),
      ),
    )
    const kinds = (await Promise.all(calls)).map(({ decision }) => decision?.kind)
    expect(kinds.filter((kind) => kind === 'paid')).toHaveLength(1)
    expect((await shop.statuses()).filter((status) => status === 'completed')).toHaveLength(1)
    await expect.poll(() => shop.shipped.length).toBe(1)
    // Each order has one audit record.
    const records = await createOperator({ payments: shop.servers[0]! }).list({
      transactionHash: shop.hashes[0]!,
    })
    expect(records.filter(({ source }) => source === 'operator')).toHaveLength(ORDERS)
  })

  it('credit each transaction once, and one of them to each order', async () => {
    const shop = await openServers(ORDERS)
    const calls = shop.hashes.flatMap((hash, index) =>
      shop.servers.map((payments, server) =>
        createOperator({ payments }).assign(
          { transactionHash: hash, reference: shop.references[(index + server) % ORDERS]! },
          ANN,
        ),
      ),
    )
    const paid = (await Promise.all(calls)).filter(({ decision }) => decision?.kind === 'paid')
    expect(new Set(paid.map(({ decision }) => decision?.txHash)).size).toBe(paid.length)
    expect(new Set(paid.map(({ decision }) => decision?.reference)).size).toBe(paid.length)
    const completed = (await shop.statuses()).filter((status) => status === 'completed')
    expect(completed).toHaveLength(paid.length)
    await expect.poll(() => shop.shipped.length).toBe(paid.length)
  })

  it('get one request for a refund, and no order is paid with the same money', async () => {
    const shop = await openServers(ORDERS)
    const { v3 } = shop
    for (const [index, transactionHash] of shop.hashes.entries()) {
      const [refunds, decisions] = await Promise.all([
        Promise.all(
          shop.servers.map((payments) =>
            createOperator({ payments, v3 }).refund({ transactionHash }, ANN),
          ),
        ),
        Promise.all(
          shop.servers.map((payments) =>
            createOperator({ payments }).assign(
              { transactionHash, reference: shop.references[index]! },
              ANN,
            ),
          ),
        ),
      ])
      const proposed = refunds.filter(({ state }) => state === 'proposed')
      const paid = decisions.filter(({ decision }) => decision?.kind === 'paid')
      expect(proposed.length + paid.length).toBe(1)
      const expected = paid.length === 1 ? 'rejected' : 'waiting'
      expect(
        new Set(refunds.map(({ state }) => state).filter((state) => state !== 'proposed')),
      ).toEqual(new Set([expected]))
    }
  })

  it('S107 refund a jetton that no order asks for only with --any-jetton', async () => {
    const { url, chain, servers } = await openServers(1)
    const transfer = transferCompleted({
      asset: `0:${'0c'.repeat(32)}`,
      txHash: 'ab'.repeat(32),
      isCommentEncrypted: true,
    }).data
    const rawBody = JSON.stringify({ event: 'transfer.completed', timestamp: '', data: transfer })
    await servers[0]!.submit({ source: 'chain', rawBody, transfer })
    const command = ['refund', transfer.txHash, '--server', chain.url, '--database', url]
    const refused = await tonplug(command)
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('0.1 TON') })
    expect(refused.stdout).toContain('add --any-jetton')
    const insisted = await tonplug([...command, '--any-jetton'])
    expect(insisted).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to sign') })

    const list = await tonplug(['inbox', 'list', '--database', url])
    expect(list.stdout).toContain('the comment is encrypted')
    const [listed] = await createOperator({ payments: servers[0]! }).list({
      transactionHash: transfer.txHash,
    })
    const shown = await tonplug(['inbox', 'show', listed!.reportId, '--database', url])
    expect(shown.stdout).toMatch(/comment +encrypted/)
  })

  it('S123 compare the books with the chain with the command line', async () => {
    const shop = await openServers(3)
    const { url, chain, merchant } = shop
    const wallet = merchant.address.toString()
    const command = ['balance', '--wallet', wallet, '--server', chain.url, '--database', url]
    const balanced = await tonplug([...command, '--json'])
    expect(balanced).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(balanced.stdout)).toMatchObject({
      state: 'balanced',
      accounts: [{ asset: 'TON', credits: '6000000000', difference: '0', transactions: 3 }],
    })
    const text = await tonplug(command)
    expect(text.stdout).toMatch(/payments +6\n/)
    expect(text.stdout).toContain('The books balance.')
    const [credit] = await postgresInbox(shop.db).credits.listOfWallet({
      wallet: merchant.address.toRawString(),
      limit: 1,
    })
    const planted = { ...credit!, id: 'planted', txHash: 'cd'.repeat(32) }
    await postgresInbox(shop.db).credits.store([planted])
    const alarm = await tonplug(command)
    expect(alarm).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('ALARM credit_missing'),
    })
    expect(alarm.stdout).toContain(planted.txHash)
  })

  it('assign and refund with the command line', async () => {
    const shop = await openServers(2)
    const database = ['--database', shop.url, '--json']
    const list = await tonplug(['inbox', 'list', '--decision', 'unknown_order', ...database])
    expect(list.code).toBe(0)
    const { reports } = JSON.parse(list.stdout) as { reports: { txHash: string }[] }
    const [first, second] = reports.map(({ txHash }) => txHash)
    const [reference] = shop.references
    const assigned = await tonplug(['assign', first!, reference!, '--by', 'ann', ...database])
    expect(assigned).toMatchObject({ code: 0, stderr: '' })
    await expect.poll(() => shop.shipped).toEqual([reference])
    const refund = () =>
      tonplug(['refund', second!, '--server', shop.chain.url, '--reason', 'ticket 7', ...database])
    const proposed = await refund()
    const from = shop.merchant.address.toRawString()
    expect(JSON.parse(proposed.stdout)).toMatchObject({ state: 'proposed', request: { from } })
    expect(JSON.parse((await refund()).stdout)).toMatchObject({ state: 'waiting' })
    const recorded = await createOperator({ payments: shop.servers[0]! }).list({
      transactionHash: second!,
    })
    expect(recorded).toMatchObject([{ decision: { kind: 'refund' }, reason: 'ticket 7' }, {}])
    const rejected = await tonplug(['refund', first!, '--server', shop.chain.url, ...database])
    expect(rejected.code).toBe(1)
    const unknown = await tonplug(['assign', 'ab'.repeat(32), reference!, ...database])
    expect(unknown.code).toBe(1)
    expect(unknown.stdout).toContain('operator.list()')
  })

  it('S133 accept what arrived with the command line', async () => {
    const shop = await openServers(1)
    const { chain, merchant, servers, references, shipped } = shop
    const [reference, unpaid] = references
    const payer = await chain.createWallet()
    const body = comment(reference!)
    const half = internal({ to: merchant.address, value: toNano(1), bounce: false, body })
    await payer.send([half])
    chain.now += 120
    await chain.fund(payer.address, 1n)
    const watcher = createPaymentWatcher({ payments: servers[0]!, v3: shop.v3 })
    onTestFinished(() => watcher.close())
    expect((await watcher.run()).decisions).toMatchObject({ amount_mismatch: 1 })
    const accept = (...flags: string[]) =>
      tonplug(['accept', reference!, '--database', shop.url, ...flags])
    const because = ['--reason', 'ticket 8', '--server', chain.url]
    for (const [flags, problem] of [
      [['--server', chain.url], '--reason'],
      [['--reason', 'ticket 8', '--server', 'not a URL'], '--server'],
      [['--reason', 'ticket 8', '--network', 'devnet'], '--network'],
      [[...because, '--sum', '1'], '--sum'],
    ] as const) {
      const refused = await accept(...flags)
      expect(refused.code).not.toBe(0)
      expect(refused.stderr).toContain(problem)
    }
    for (const flags of [
      ['--name', 'other'],
      ['--merchant', 'other'],
    ]) {
      expect((await accept(...because, ...flags)).code).toBe(1)
    }
    const nothing = await tonplug(['accept', unpaid!, '--database', shop.url, ...because])
    expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining('Refused: ') })
    expect(shipped).toEqual([])

    const accepted = await accept(...because, '--by', 'ann')
    expect(accepted).toMatchObject({ code: 0, stdout: 'The decision is paid.\n', stderr: '' })
    await expect.poll(() => shipped).toEqual([reference])
    const again = await accept(...because, '--by', 'bob', '--json')
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({
      state: 'decided',
      decision: {
        kind: 'paid',
        reference,
        acceptedAmounts: [{ asset: 'TON', rawAmount: '1000000000' }],
      },
    })
    const listed = await createOperator({ payments: servers[0]! }).list({ decision: 'paid' })
    expect(listed).toMatchObject([{ by: 'ann', reason: 'ticket 8' }])
    expect(shipped).toEqual([reference])
  })
})
