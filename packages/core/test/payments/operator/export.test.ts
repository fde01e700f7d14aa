import {
  createPayments,
  createTransferReport,
  memoryInbox,
  memoryOrderRepository,
  type NewCredit,
  type Order,
} from '@tonplug/core'
import { createOperator, csvLines, jsonLines, type ExportRow } from '@tonplug/core/operator'
import { createTestLogger } from '@tonplug/testing'
import { expect, it, onTestFinished } from 'vitest'

const WALLET = `0:${'0a'.repeat(32)}`
const PAYER = `0:${'0b'.repeat(32)}`
const JETTON = `0:${'0c'.repeat(32)}`
const START = Date.UTC(2026, 0, 1) / 1000
const BY = { by: 'ann@shop.example', reason: 'ticket 7' }
const HOSTILE = '=HYPERLINK("https://evil.example")'

function open(orders: Order[] = []) {
  const inbox = memoryInbox()
  const payments = createPayments({
    orders: memoryOrderRepository(orders),
    inbox,
    wallets: [WALLET],
    logger: createTestLogger(),
  })
  onTestFinished(() => payments.close())
  return { inbox, payments, operator: createOperator({ payments }) }
}

/** Returns a credit of 2.5 TON with a number as its id and hash. */
function credit(number: number, changes: Partial<NewCredit> = {}, comment?: string): NewCredit {
  const txHash = number.toString(16).padStart(64, '0')
  return {
    id: txHash.slice(32),
    account: WALLET,
    wallet: WALLET,
    txHash,
    asset: 'TON',
    rawAmount: 2_500_000_000n,
    traceId: txHash,
    utime: START + number,
    route: [
      {
        hash: txHash,
        sender: PAYER,
        recipient: WALLET,
        value: 2_500_000_000n,
        comment,
        isCommentEncrypted: false,
        transaction: txHash,
        fees: 0n,
        isShared: false,
      },
    ],
    ...changes,
  }
}

/** Reports the money of a credit for an order, as the chain watcher does. */
function reportOf({ txHash, asset, rawAmount, utime }: NewCredit, reference: string) {
  const transfer = {
    amount: '2.5',
    rawAmount: `${rawAmount}`,
    senderAddr: PAYER,
    recipientAddr: WALLET,
    asset,
    status: 'success',
    reference,
    bodyBase64Hash: '',
    txHash,
    traceId: txHash,
    date: new Date(utime * 1000).toISOString(),
  }
  return createTransferReport(transfer, { source: 'chain' })
}

async function collect(rows: AsyncIterable<ExportRow>): Promise<ExportRow[]> {
  const all: ExportRow[] = []
  for await (const row of rows) all.push(row)
  return all
}

const order = (changes: Partial<Order> = {}): Order => ({
  reference: 'order-1',
  offers: [
    {
      rawAmount: 2_500_000_000n,
      asset: 'TON',
      rate: { price: '5.00', currency: 'EUR', at: new Date(0), orderPrice: '12.50' },
    },
  ],
  status: 'pending',
  createdAt: new Date((START - 60) * 1000),
  ...changes,
})

it('exports a credit with its order, its price and its decision', async () => {
  const { inbox, payments, operator } = open([order()])
  const paid = credit(1, {}, 'order-1')
  await inbox.credits.store([paid])
  await payments.submit(reportOf(paid, 'order-1'))
  expect(await collect(operator.export())).toEqual([
    {
      time: '2026-01-01T00:00:01.000Z',
      type: 'credit',
      direction: 'in',
      amount: '2.5',
      asset: 'TON',
      raw_amount: '2500000000',
      reference: 'order-1',
      merchant: '',
      status: 'completed',
      decision: 'paid',
      rate: '5.00',
      price: '12.50',
      currency: 'EUR',
      sender: expect.stringMatching(/^UQAL/),
      recipient: expect.stringMatching(/^UQAK/),
      transaction: paid.txHash,
      comment: 'order-1',
      operator: '',
      reason: '',
    },
  ])
})

it('exports who assigned the money of no order, and why', async () => {
  const { inbox, payments, operator } = open([order()])
  const money = credit(1)
  await inbox.credits.store([money])
  await payments.submit(reportOf(money, ''))
  expect(await collect(operator.export())).toMatchObject([
    { reference: '', status: '', decision: 'unknown_order', operator: '' },
  ])
  await operator.assign({ transactionHash: money.txHash, reference: 'order-1' }, BY)
  expect(await collect(operator.export())).toMatchObject([
    { reference: 'order-1', decision: 'paid', operator: BY.by, reason: BY.reason },
  ])
})

it('exports a period by block time, each credit once, across pages', async () => {
  const { inbox, operator } = open()
  // Several credits have the same second.
  const credits = Array.from({ length: 901 }, (_none, number) =>
    credit(number, { utime: START + Math.floor(number / 7) }),
  )
  await inbox.credits.store(credits.toReversed())
  const rows = await collect(operator.export())
  expect(rows.map(({ transaction }) => transaction)).toEqual(credits.map(({ txHash }) => txHash))
  const at = (second: number) => new Date((START + second) * 1000)
  const part = await collect(operator.export({ from: at(10), before: at(20) }))
  expect(part).toHaveLength(70)
  expect(part[0]?.time).toBe(at(10).toISOString())
  expect(part.at(-1)?.time).toBe(at(19).toISOString())
})

it('leaves the money of another Payments out', async () => {
  const { inbox, operator } = open()
  const named = { name: 'other', merchant: '', reference: 'order-1' }
  await inbox.credits.store([credit(1, { order: named }), credit(2)])
  expect(await collect(operator.export())).toMatchObject([{ transaction: credit(2).txHash }])
})

it('has an amount in coins for a jetton with known decimals alone', async () => {
  const { inbox, operator } = open()
  await inbox.credits.store([credit(1, { asset: JETTON, rawAmount: 1234n })])
  expect(await collect(operator.export())).toMatchObject([{ amount: '', raw_amount: '1234' }])
  const decimals = { [JETTON]: 3 }
  expect(await collect(operator.export({ decimals }))).toMatchObject([{ amount: '1.234' }])
})

it('S121 names the order that uses a credit, not another one that was reported as paid', async () => {
  const ofA = order({ merchant: 'a', reference: 'a-1' })
  const ofB = order({ merchant: 'b', reference: 'b-1' })
  const { inbox, payments, operator } = open([ofA, ofB])
  const money = credit(1, {}, 'a-1')
  const report = (reference: string, merchant: string) =>
    payments.submit({ ...reportOf(money, reference), source: 'webhook', merchant })
  expect(await report('b-1', 'b')).toMatchObject({ kind: 'paid' })
  await inbox.credits.store([money])
  const use = { name: 'default', merchant: 'a', reference: 'a-1', payment: money.txHash }
  await inbox.credits.claim({ ...use, payments: [`credit:${money.id}`] })
  expect(await collect(operator.export())).toMatchObject([{ reference: 'a-1', merchant: 'a' }])
})

it('exports the decision of a webhook that named an earlier transaction of the payment', async () => {
  const { inbox, payments, operator } = open([order()])
  const money = credit(1, { traceId: '9'.repeat(64) }, 'order-1')
  await payments.submit({ ...reportOf({ ...money, txHash: money.traceId }, 'order-1') })
  await inbox.credits.store([money])
  const use = { name: 'default', merchant: '', reference: 'order-1', payment: money.traceId }
  await inbox.credits.claim({ ...use, payments: [`credit:${money.id}`] })
  expect(await collect(operator.export())).toMatchObject([
    { transaction: money.txHash, reference: 'order-1', decision: 'paid', status: 'completed' },
  ])
})

it('writes CSV without formulas, and numbers and addresses are unchanged', async () => {
  const { inbox, operator } = open()
  const comments = [
    HOSTILE,
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    'a,"b"\nc',
    // Where the decimal sign is a comma, cells end with a semicolon.
    'hi;=1+1',
    'hi\n"=1+1',
    'plain',
  ]
  await inbox.credits.store(comments.map((comment, number) => credit(number, {}, comment)))
  let csv = ''
  for await (const line of csvLines(operator.export())) csv += line
  const [head, ...lines] = csv.split('\r\n')
  expect(head).toBe(
    'time,type,direction,amount,asset,raw_amount,reference,merchant,status,decision,rate,price,' +
      'currency,sender,recipient,transaction,comment,operator,reason',
  )
  const cells = lines.slice(0, -1).map((line) => line.replace(/^.*[0-9a-f]{64},/, ''))
  expect(cells).toEqual([
    `"'=HYPERLINK(""https://evil.example"")",,`,
    `'+1,,`,
    `'-1,,`,
    `'@SUM(A1),,`,
    `'\t=1,,`,
    `"a,""b""\nc",,`,
    "hi;'=1+1,,",
    `"hi\n'""=1+1",,`,
    'plain,,',
  ])
  expect(lines[0]).toMatch(/^2026-01-01T00:00:00\.000Z,credit,in,2\.5,TON,2500000000,,,,,,,,UQAL/)
})

it('writes one JSON document on each line, with unchanged comments', async () => {
  const { inbox, operator } = open()
  await inbox.credits.store([credit(1, {}, HOSTILE), credit(2)])
  const lines: string[] = []
  for await (const line of jsonLines(operator.export())) lines.push(line)
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ comment: HOSTILE, amount: '2.5' })
})

it('rejects an invalid query when the iteration begins', async () => {
  const { operator } = open()
  await expect(collect(operator.export({ from: new Date(Number.NaN) }))).rejects.toThrow('from')
})
