import type { ActionResult, DeskHealth, PaymentStory, TransferPage } from '@tonplug/desk'
import type { Payments } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import type { FakeClock, TestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openDesk, openShop, order, PAYER, report, WALLET } from './shop.js'

const HOSTILE = '<script>alert(1)</script>'

describe('lists', () => {
  it('pages through every transfer, newest first', async () => {
    const { payments } = openShop()
    for (let index = 0; index < 5; index++) await report(payments, { reference: `order ${index}` })
    const { json } = openDesk(payments)
    const references: string[] = []
    let before = ''
    for (let page = 0; page < 3; page++) {
      const path = `api/transfers?limit=2${before === '' ? '' : `&before=${before}`}`
      const { transfers, next } = await json<TransferPage>(path)
      references.push(...transfers.map(({ reference }) => reference))
      before = next ?? ''
      expect(next === undefined).toBe(page === 2)
    }
    expect(references).toEqual(['order 4', 'order 3', 'order 2', 'order 1', 'order 0'])
  })

  it('has a list for each kind of work', async () => {
    const { payments, stock, orders, clock } = openShop()
    stock.isOut = true
    await report(payments)
    await expect.poll(() => deadAfter(clock, payments)).toBe(1)
    orders.add(order({ reference: 'order-2' }))
    await report(payments, { reference: 'order-2', rawAmount: '1', amount: '0.000000001' })
    await report(payments, { reference: 'nobody' })
    await report(payments, { reference: '' })
    await payments.submit({ source: 'webhook', rawBody: HOSTILE, problem: 'not JSON' })
    const { json } = openDesk(payments)
    const list = async (group: string) =>
      (await json<TransferPage>(`api/transfers?group=${group}`)).transfers.map(
        ({ reference, decision, state }) => decision ?? `${state}${reference}`,
      )
    expect(await list('dead')).toEqual(['paid'])
    expect(await list('mismatched')).toEqual(['amount_mismatch'])
    expect(await list('unknown_order')).toEqual(['unknown_order', 'unknown_order'])
    expect(await list('open')).toEqual(['unknown_order'])
    expect(await list('unreadable')).toEqual(['unreadable'])
    expect(await list('unverified')).toEqual([])
    expect(await list('all')).toHaveLength(5)
    const [dead] = (await json<TransferPage>('api/transfers?group=dead')).transfers
    expect(dead).toMatchObject({
      reference: 'order-1',
      hasDeadHandler: true,
      amount: '10500000000',
      asset: 'TON',
      decimals: 9,
      senderAddr: PAYER,
      action: 'none',
    })
  })

  it.each([
    ['its reference', () => 'order-1'],
    ['its hash in hex', (hash: string) => hash.toUpperCase()],
    ['its hash in base64', (hash: string) => Buffer.from(hash, 'hex').toString('base64')],
    ['its raw address', () => PAYER],
    ['its friendly address', () => friendly(PAYER)],
    ['base units', () => '10500000000'],
    ['coins', () => '10.5'],
    ['coins with another number of digits', () => '10.50'],
  ])('finds a transfer by %s', async (_what, searchOf) => {
    const { payments } = openShop()
    const { txHash } = await report(payments)
    await report(payments, { reference: 'x', senderAddr: WALLET, rawAmount: '7', amount: '7' })
    const { json } = openDesk(payments)
    const search = encodeURIComponent(searchOf(txHash))
    const { transfers } = await json<TransferPage>(`api/transfers?search=${search}`)
    expect(transfers.map(({ reference }) => reference)).toEqual(['order-1'])
  })

  it('finds an order whose reference looks like an amount, once', async () => {
    const { payments } = openShop()
    await report(payments, { reference: '7', rawAmount: '7', amount: '7' })
    await report(payments, { reference: '8', rawAmount: '7', amount: '7' })
    const { json } = openDesk(payments)
    const { transfers } = await json<TransferPage>('api/transfers?search=7')
    expect(transfers.map(({ reference }) => reference)).toEqual(['8', '7'])
  })
})

/** Returns the number of dead handlers a second later. */
async function deadAfter(clock: FakeClock, { internals }: Payments): Promise<number> {
  await clock.advance(1000)
  return (await internals.inbox.stats()).dead
}

/** Returns the id of the newest report. */
async function newestId(payments: Payments): Promise<string> {
  const [newest] = await createOperator({ payments }).list({ limit: 1 })
  return newest?.reportId ?? ''
}

/** Returns the fields of every line about an action. */
function logged({ lines }: TestLogger): Record<string, unknown>[] {
  return lines.filter(({ message }) => message.includes('action')).map(({ fields }) => fields)
}

function friendly(raw: string): string {
  const bytes = Buffer.concat([Buffer.from([0x51, 0]), Buffer.from(raw.slice(2), 'hex')])
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return Buffer.concat([bytes, Buffer.from([crc >> 8, crc & 0xff])]).toString('base64url')
}

describe('the story of a payment', () => {
  it('has the order, each report, each rule and each handler', async () => {
    const { payments, stock, clock, orders } = openShop()
    stock.isOut = true
    await report(payments)
    await report(payments, { rawAmount: '7', amount: '0.000000007' })
    await expect.poll(() => deadAfter(clock, payments)).toBe(1)
    expect((await orders.find({ reference: 'order-1' }))?.status).toBe('completed')
    const { json } = openDesk(payments)
    const story = await json<PaymentStory>('api/payment?reference=order-1')
    expect(story.order).toMatchObject({
      reference: 'order-1',
      status: 'completed',
      expectedAmount: '10500000000',
      receivedAmount: '10500000000',
      asset: 'TON',
      decimals: 9,
      createdAtMs: Date.UTC(2026, 0, 5),
    })
    expect(story.order?.details['payment']).toMatchObject({ rawAmount: '10500000000' })
    const [extra, paid] = story.reports
    expect(paid).toMatchObject({ decision: 'paid', source: 'chain' })
    expect(paid?.rules?.filter(({ passed }) => !passed)).toEqual([])
    const names = paid?.rules?.map(({ rule }) => rule)
    expect(names).toEqual(expect.arrayContaining(['order exists', 'amount', 'asset', 'wallet']))
    expect(paid?.handlers).toEqual([
      {
        taskId: expect.any(String) as string,
        handler: 'onPaid',
        state: 'dead',
        attempts: 1,
        isRunning: false,
        dueAtMs: expect.any(Number) as number,
        error: 'out of stock',
      },
    ])
    expect(JSON.parse(paid?.body ?? '')).toMatchObject({ event: 'transfer.completed' })
    expect(extra).toMatchObject({ decision: 'extra_payment', decisionDetail: { received: '7' } })
    expect(extra?.rules?.filter(({ passed }) => !passed)).toEqual([
      { rule: 'not completed', passed: false, received: 'completed' },
      { rule: 'amount', passed: false, expected: '10500000000', received: '7' },
    ])
  })

  it('shows a transfer without an order, and an order without a transfer', async () => {
    const { payments } = openShop()
    await report(payments, { reference: '' })
    const { json } = openDesk(payments)
    const order = await json<PaymentStory>('api/payment?reference=order-1')
    expect([order.order?.status, order.reports]).toEqual(['pending', []])
    const reportId = await newestId(payments)
    const story = await json<PaymentStory>(`api/payment?reportId=${reportId}`)
    expect(story.order).toBeUndefined()
    expect(story.reports).toMatchObject([{ decision: 'unknown_order', action: 'assign' }])
    expect(story.reports[0]?.rules).toEqual([{ rule: 'order exists', passed: false, received: '' }])
  })

  it('has the report that was asked for, however many newer ones its order has', async () => {
    const { payments } = openShop()
    await report(payments)
    const reportId = await newestId(payments)
    for (let count = 0; count < 51; count++) await report(payments, { rawAmount: '1', amount: '1' })
    const { json } = openDesk(payments)
    const { reports, order: shown } = await json<PaymentStory>(`api/payment?reportId=${reportId}`)
    expect(reports.at(-1)).toMatchObject({ reportId, decision: 'paid' })
    expect(shown).toMatchObject({ reference: 'order-1' })
  })

  it('has the payment to another wallet that was asked for, however many newer ones name its order', async () => {
    const { payments } = openShop()
    const stray = { reference: '', commentToRecipient: 'order-1' }
    await report(payments, stray)
    const reportId = await newestId(payments)
    const newer = { ...stray, rawAmount: '1', amount: '1' }
    for (let count = 0; count < 51; count++) await report(payments, newer)
    const { json } = openDesk(payments)
    const story = await json<PaymentStory>(`api/payment?reportId=${reportId}`)
    expect(story.reports.at(-1)).toMatchObject({ reportId })
    expect(story.order).toMatchObject({ reference: 'order-1' })
    expect(story.payments.flatMap(({ reportIds }) => reportIds)).toContain(reportId)
  })

  it('has the fields of an order with one that refers back to it, as entities do', async () => {
    const { payments, orders } = openShop()
    const customer: Record<string, unknown> = { name: 'Ann' }
    const entity = { ...order({ reference: 'order-2' }), customer, limit: 5n }
    customer['orders'] = [entity]
    orders.add(entity)
    const { json } = openDesk(payments)
    const story = await json<PaymentStory>('api/payment?reference=order-2')
    expect(story.order?.details).toEqual({ limit: '5' })
  })

  it('shows the rules of the shop, one that throws too', async () => {
    const { payments } = openShop({
      rules: [
        function noFridays() {
          return { reason: 'it is Friday' }
        },
        function broken({ transfer: { rawAmount } }) {
          if (rawAmount === '10500000000') throw new Error('secret')
          return undefined
        },
      ],
    })
    await report(payments)
    const { json } = openDesk(payments)
    const { reports } = await json<PaymentStory>('api/payment?reference=order-1')
    expect(reports[0]?.rules?.slice(-2)).toEqual([
      { rule: 'noFridays', passed: false, received: 'it is Friday' },
      { rule: 'broken', passed: false, received: 'the rule threw an error' },
    ])
  })

  it('returns hostile names and comments as JSON data', async () => {
    const { payments } = openShop()
    await report(payments, {
      reference: HOSTILE,
      commentToRecipient: HOSTILE,
      assetTicker: HOSTILE,
      asset: `0:${'0c'.repeat(32)}`,
      senderAddr: HOSTILE,
    })
    const { get, json } = openDesk(payments)
    const path = `api/payment?reference=${encodeURIComponent(HOSTILE)}`
    expect((await get(path)).headers.get('content-type')).toBe('application/json; charset=utf-8')
    const [found] = (await json<PaymentStory>(path)).reports
    expect(found).toMatchObject({
      reference: HOSTILE,
      ticker: HOSTILE,
      comment: HOSTILE,
      senderAddr: HOSTILE,
    })
    const search = `api/transfers?search=${encodeURIComponent(HOSTILE)}`
    expect((await json<TransferPage>(search)).transfers).toHaveLength(1)
  })

  it('names an encrypted comment', async () => {
    const { payments } = openShop()
    await report(payments, { reference: 'encrypted', isCommentEncrypted: true })
    const { json } = openDesk(payments)
    const story = await json<PaymentStory>('api/payment?reference=encrypted')
    expect(story.reports).toMatchObject([{ isCommentEncrypted: true }])
  })

  it('shows nothing of another Payments in the same inbox', async () => {
    const { payments, inbox } = openShop()
    const other = openShop({ inbox, name: 'other' })
    await report(other.payments)
    const { json, get, post } = openDesk(payments, { actions: true })
    expect((await json<TransferPage>('api/transfers')).transfers).toEqual([])
    const reportId = await newestId(other.payments)
    expect((await get(`api/payment?reportId=${reportId}`)).status).toBe(404)
    expect((await post('reprocess', { reportId })).status).toBe(422)
    expect((await post('retry', { reportId })).status).toBe(422)
  })
})

describe('actions', () => {
  it('runs a dead handler again, and records who wanted it', async () => {
    const { payments, stock, clock, logger } = openShop()
    stock.isOut = true
    await report(payments)
    await expect.poll(() => deadAfter(clock, payments)).toBe(1)
    const { json, post } = openDesk(payments, { actions: true })
    const reportId = await newestId(payments)
    expect((await post('retry', { reportId, handler: 'onPaid.mail' })).status).toBe(422)
    stock.isOut = false
    const response = await post('retry', { reportId, handler: 'onPaid', reason: 'back in stock' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      isSuccess: true,
      message: '1 task runs again within seconds.',
    })
    await clock.advance(1000)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
    const { audit } = await json<PaymentStory>('api/payment?reference=order-1')
    expect(audit).toEqual([
      {
        action: 'retry',
        by: 'ann@shop.example',
        reason: 'back in stock',
        atMs: expect.any(Number) as number,
        reportId,
      },
    ])
    expect(logged(logger)).toContainEqual(
      expect.objectContaining({ action: 'retry', by: 'ann@shop.example', reportId }),
    )
    expect((await post('retry', { reportId })).status).toBe(422)
  })

  it('decides a report again, and records who wanted it', async () => {
    const { payments, orders, clock } = openShop()
    await report(payments, { rawAmount: '7', amount: '0.000000007' })
    const reportId = await newestId(payments)
    orders.add(order({ reference: 'order-3' }))
    const { json, post } = openDesk(payments, { actions: true })
    expect((await post('reprocess', { reportId, reason: 'new price' })).status).toBe(200)
    await clock.advance(1000)
    await expect
      .poll(async () => (await createOperator({ payments }).list())[0]?.state)
      .toBe('decided')
    const { audit } = await json<PaymentStory>(`api/payment?reportId=${reportId}`)
    expect(audit).toMatchObject([
      { action: 'reprocess', by: 'ann@shop.example', reason: 'new price' },
    ])
    expect((await post('reprocess', { reportId: 'report-99' })).status).toBe(422)
    expect((await post('reprocess', { reportId, reason: 'x'.repeat(1001) })).status).toBe(422)
  })

  it('assigns a transfer to an order, and records who did it', async () => {
    const { payments, stock, clock } = openShop()
    const { txHash } = await report(payments, { reference: '' })
    const { json, post } = openDesk(payments, { actions: true })
    const body = { transactionHash: txHash, reference: 'order-1', merchant: '', reason: 'by mail' }
    const result = (await (await post('assign', body)).json()) as ActionResult
    expect(result).toEqual({
      isSuccess: true,
      message: 'It was assigned to order order-1. The order is paid.',
      state: 'paid',
    })
    await clock.advance(1000)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
    const { reports } = await json<PaymentStory>('api/payment?reference=order-1')
    expect(reports).toMatchObject([
      { source: 'operator', decision: 'paid', by: 'ann@shop.example', reason: 'by mail' },
    ])
    const unknown = await post('assign', { ...body, transactionHash: 'ff'.repeat(32) })
    expect(unknown.status).toBe(422)
    expect(await unknown.json()).toMatchObject({ code: 'INVALID' })
  })

  it('proposes a refund with the client of API v3', async () => {
    const { payments } = openShop()
    const { txHash } = await report(payments, { rawAmount: '7', amount: '0.000000007' })
    const unreachable = () => Promise.reject(new Error('https://index.example?api_key=secret'))
    const v3 = { masterchainInfo: unreachable, messages: unreachable }
    const { post } = openDesk(payments, {
      actions: true,
      // Methods that a request to an index that fails never calls are left out.
      v3: v3 as never,
    })
    const response = await post('refund', { transactionHash: txHash, merchant: '' })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
    expect((await post('refund', { transactionHash: 'ff'.repeat(32) })).status).toBe(422)
  })

  it('S107 proposes no refund of a jetton that no order asks for, unless the operator insists', async () => {
    const { payments } = openShop()
    const { txHash } = await report(payments, { asset: `0:${'0c'.repeat(32)}` })
    const requests: string[] = []
    const failing = async () => {
      requests.push('masterchainInfo')
      throw new Error('down')
    }
    const v3 = { masterchainInfo: failing, messages: failing }
    const { post } = openDesk(payments, { actions: true, v3: v3 as never })
    const body = { transactionHash: txHash, merchant: '' }
    const refused = await post('refund', body)
    expect(refused.status).toBe(200)
    expect(await refused.json()).toMatchObject({
      state: 'needs_confirmation',
      reason: expect.stringMatching(/^Warning: no order asks for the jetton .*0\.1 TON/),
    })
    expect(requests).toEqual([])
    expect((await post('refund', { ...body, anyJetton: 'yes' })).status).toBe(500)
    expect(requests).toEqual(['masterchainInfo'])
  })

  it('reads the chain now', async () => {
    const { payments } = openShop()
    const looks: unknown[] = []
    const watcher = {
      checkNow: async (hint?: unknown) => void looks.push(hint),
      health: async () => ({ status: 'up' as const, decisions: {}, cursorLagMs: 42_000 }),
    }
    const { post, json } = openDesk(payments, { actions: true, watcher })
    expect((await post('look', {})).status).toBe(200)
    expect(looks).toEqual([undefined])
    const { checks } = await json<DeskHealth>('api/health')
    expect(checks).toContainEqual({ name: 'watcher', status: 'up' })
  })

  it('logs every request for an action with its operator, and no other field', async () => {
    const { payments, logger } = openShop()
    const { post } = openDesk(payments, { actions: true })
    await post('reprocess', { reportId: 'report-9', password: 'secret', reason: 'why' })
    const [entry] = logged(logger).filter(({ action }) => action === 'reprocess')
    expect(entry).toEqual({
      action: 'reprocess',
      by: 'ann@shop.example',
      reportId: 'report-9',
      reason: 'why',
    })
  })
})

describe('health', () => {
  it('samples open work every 15 seconds, up to an hour', async () => {
    const { payments, stock, clock } = openShop()
    const { json } = openDesk(payments)
    stock.isOut = true
    await report(payments)
    for (let sample = 0; sample < 250; sample++) {
      await clock.advance(15_000)
    }
    const { series, status, checks } = await json<DeskHealth>('api/health')
    expect(series.map(({ name }) => name)).toEqual([
      'waiting payments',
      'waiting tasks',
      'failed tasks',
      'seconds behind the chain',
    ])
    const dead = series[2]?.points ?? []
    expect(dead).toHaveLength(240)
    expect(dead.at(-1)?.[1]).toBe(1)
    expect((dead.at(-1)?.[0] ?? 0) - (dead[0]?.[0] ?? 0)).toBe(239 * 15_000)
    expect(series[3]?.points).toEqual([])
    expect(status).toBe('degraded')
    expect(checks).toContainEqual({
      name: 'tasks',
      status: 'degraded',
      detail: 'failed for good: 1',
    })
  })

  it('shows a watcher that is far behind', async () => {
    const { payments } = openShop()
    const watcher = {
      checkNow: async () => undefined,
      health: async () => ({ status: 'up' as const, decisions: {}, cursorLagMs: 301_000 }),
    }
    const { json } = openDesk(payments, { watcher })
    const { status, checks } = await json<DeskHealth>('api/health')
    expect(status).toBe('degraded')
    expect(checks.at(-1)).toEqual({
      name: 'watcher',
      status: 'degraded',
      detail: 'the chain is known up to 301 s ago',
    })
  })

  it('is down when Payments is closed', async () => {
    const { payments } = openShop()
    const { json } = openDesk(payments)
    await payments.close()
    expect((await json<DeskHealth>('api/health')).status).toBe('down')
  })
})
