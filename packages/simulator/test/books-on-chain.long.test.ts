import { beginCell, comment, internal, toNano } from '@ton/core'
import { createOperator, type Balance } from '@tonplug/core/operator'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { startTelemetry } from '@tonplug/test-support/telemetry'
import { describe, expect, it } from 'vitest'
import {
  expectBalanced,
  expectExported,
  jettons,
  openBooks,
  trade,
  type BooksShop,
} from './mixed-books.js'

/** A row of `/transactions`. */
interface Row {
  account: string
  hash: string
  in_msg: { opcode: string; message_content: { body: string } } | null
}

/** Opens a shop whose index returns other rows of transactions from now on. */
async function openChangedIndex() {
  let change = (rows: Row[]): Row[] => rows
  const changed = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (!url.includes('/api/v3/transactions')) return response
    const body = (await response.json()) as { transactions: Row[] }
    return Response.json({ ...body, transactions: change(body.transactions) })
  }
  const shop = await openBooks({
    payments: { verifyOnChain: undefined },
    fetch: changed,
  })
  return { ...shop, setChange: (given: typeof change) => void (change = given) }
}

function balanceOf({ operator, merchant }: BooksShop): Promise<Balance> {
  return operator.balance(merchant.address.toString())
}

/** Returns the credits of the shop's wallet. */
function creditsOf({ inbox, merchant }: BooksShop) {
  return inbox.credits.listOfWallet({ wallet: merchant.address.toRawString(), limit: 100 })
}

describe('operator.balance', () => {
  it('S123 agrees with the chain after payments, refunds, fees and outgoing transfers', async () => {
    const shop = await openBooks()
    await trade(shop, 40)
    expect(shop.expected.payments).toBe(40)
    await expectBalanced(shop)
    await expectExported(shop)
  })

  it('counts outgoing transfers that bounced, and a payment that the wallet sent back', async () => {
    const shop = await openBooks()
    // Its first message came back, since the wallet had no contract: only the fees stayed.
    const opened = (await balanceOf(shop)).accounts[0]
    expect(opened).toMatchObject({ opening: 0n, credits: 0n, returned: 0n, difference: 0n })
    expect(opened?.otherIn).toBe(opened?.fees)
    await trade(shop, 10)
    const [native, jetton] = (await balanceOf(shop)).accounts
    // A transfer of 0.3 coins to an account without a contract, less its fees, and no failed request of jettons.
    expect(native?.returned).toBeGreaterThan(toNano('0.29'))
    expect(native?.returned).toBeLessThan(toNano('0.5'))
    expect(jetton).toMatchObject({ returned: 0n, otherOut: 1_000_001n + 7n, difference: 0n })
  })

  it('alarms about a credit that the chain does not have, and one of another amount', async () => {
    const shop = await openBooks()
    await trade(shop, 10)
    const credits = await creditsOf(shop)
    const native = credits.find(({ asset }) => asset === 'TON')!
    const jetton = credits.find(({ asset }) => asset !== 'TON')!
    const { seenAtMs: _, uses: __, ...facts } = native
    await shop.inbox.credits.store([{ ...facts, id: 'invented', txHash: 'ab'.repeat(32) }])
    await shop.inbox.credits.store([
      { ...jetton, id: 'second', rawAmount: 1n },
      { ...jetton, id: 'foreign', account: `0:${'0c'.repeat(32)}` },
    ])
    const { state, accounts } = await balanceOf(shop)
    expect(state).toBe('alarm')
    expect(accounts.map(({ alarms }) => alarms.map(({ kind, txHash }) => [kind, txHash]))).toEqual([
      [['credit_missing', 'ab'.repeat(32)]],
      expect.arrayContaining([]),
      expect.arrayContaining([]),
    ])
    const others = accounts.slice(1).flatMap(({ alarms }) => alarms)
    expect(others).toHaveLength(2)
    expect(others).toContainEqual({
      kind: 'credit_differs',
      txHash: jetton.txHash,
      detail: expect.stringContaining(`${jetton.rawAmount + 1n}`),
    })
    expect(others).toContainEqual({
      kind: 'wallet_not_proven',
      detail: expect.stringContaining('0c0c'),
    })
    // The balances agree nevertheless.
    expect(accounts[0]?.difference).toBe(0n)
  })

  it('holds while the index withholds a transaction', async () => {
    const shop = await openChangedIndex()
    await trade(shop, 10)
    const account = shop.merchant.address.toRawString().toUpperCase()
    const own = (rows: Row[]): Row[] => rows.filter((row) => row.account === account)
    for (const place of [3, -1]) {
      shop.setChange((rows) => rows.filter((row) => row !== own(rows).at(place)))
      const { state, accounts } = await balanceOf(shop)
      expect(state).toBe('hold')
      expect(accounts[0]).toMatchObject({ alarms: [], hold: { kind: 'missing_transaction' } })
      expect(accounts[0]?.difference).toBeUndefined()
      expect(accounts[1]).toMatchObject({ state: 'balanced', difference: 0n })
    }
    shop.setChange((rows) => rows)
    await expectBalanced(shop)
  })

  it('alarms about an unknown opcode that moved the balance of a jetton wallet', async () => {
    const shop = await openChangedIndex()
    await trade(shop, 10)
    // Changes nothing.
    const wallet = shop.usdt.walletOf(shop.merchant.address)
    await shop.merchant.send([internal({ to: wallet, value: toNano('0.1'), body: comment('hi') })])
    await expectBalanced(shop)
    const amount = 250_000n
    await shop.merchant.send([
      jettons(shop, shop.merchant, { to: shop.stranger.address, amount, text: 'unknown' }),
    ])
    const unknown = beginCell().storeUint(0x12345678, 32).endCell().toBoc().toString('base64')
    const transfer = '0x0f8a7ea5'
    let hidden: string | undefined
    shop.setChange((rows) => {
      const last = rows.findLast(({ in_msg: message }) => message?.opcode === transfer)
      if (last === undefined) return rows
      hidden = Buffer.from(last.hash, 'base64').toString('hex')
      const in_msg = { ...last.in_msg, opcode: '0x12345678', message_content: { body: unknown } }
      return rows.map((row) => (row === last ? { ...row, in_msg } : row))
    })
    const { state, accounts } = await balanceOf(shop)
    expect(state).toBe('alarm')
    expect(accounts[0]).toMatchObject({ state: 'balanced' })
    expect(accounts[1]).toMatchObject({
      difference: amount,
      alarms: [
        { kind: 'unknown_opcode', txHash: hidden, detail: expect.stringContaining('0x12345678') },
        { kind: 'balance_differs' },
      ],
    })
  })

  it('continues behind an earlier result', async () => {
    const shop = await openBooks()
    await trade(shop, 20)
    const wallet = shop.merchant.address.toString()
    const first = await shop.operator.balance(wallet)
    const nothing = await shop.operator.balance(wallet, { after: first.accounts })
    expect(nothing).toMatchObject({ state: 'balanced' })
    expect(nothing.accounts.map(({ transactions }) => transactions)).toEqual([0, 0])
    await trade(shop, 10)
    const all = await shop.operator.balance(wallet)
    const next = await shop.operator.balance(wallet, { after: first.accounts })
    expect(next.state).toBe('balanced')
    for (const [index, account] of next.accounts.entries()) {
      const [before, whole] = [first.accounts[index]!, all.accounts[index]!]
      expect(account).toMatchObject({
        opening: before.closing,
        closing: whole.closing,
        credits: whole.credits - before.credits,
        refunds: whole.refunds - before.refunds,
        fees: whole.fees - before.fees,
        transactions: whole.transactions - before.transactions,
        difference: 0n,
      })
    }
  })

  it('reports the alarms of the last result as a metric', async () => {
    const sdk = startTelemetry()
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const shop = await openBooks({ payments: { verifyOnChain: undefined, instrumentation } })
    await trade(shop, 10)
    const read = async (): Promise<unknown[]> => {
      await balanceOf(shop)
      const metrics = await sdk.collect()
      return ['alarms', 'holds'].map((name) => metrics[`tonplug.books.${name}`])
    }
    const attributes = { 'tonplug.payments.name': 'default' }
    const none = [{ attributes, value: 0 }]
    expect(await read()).toEqual([none, none])
    const [credit] = await creditsOf(shop)
    await shop.inbox.credits.store([{ ...credit!, id: 'invented', txHash: 'ab'.repeat(32) }])
    expect(await read()).toEqual([[{ attributes, value: 1 }], none])
  })

  it('throws for an invalid wallet, and without a client of API v3', async () => {
    const { operator, payments, merchant } = await openBooks()
    await expect(operator.balance('EQ')).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining('wallet'),
    })
    const without = createOperator({ payments })
    await expect(without.balance(merchant.address.toString())).rejects.toMatchObject({
      details: { option: 'v3' },
    })
  })
})
