import { createOperator } from '@tonplug/core/operator'
import { signPayload, transferCompleted, transferRefunded } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, SECRET, type Shop, type ShopOptions } from '../shop.js'

const body = JSON.stringify(transferCompleted())
const required = ['reference', 'txHash', 'status', 'rawAmount', 'asset', 'recipientAddr']
const descriptive = ['amount', 'senderAddr', 'bodyBase64Hash', 'traceId', 'date']
const optional = [
  'assetTicker',
  'commentToSender',
  'commentToRecipient',
  'errorCode',
  'errorMessage',
]

function payloadWith(field: string, value: unknown): string {
  const payload = transferCompleted()
  return JSON.stringify({ ...payload, data: { ...payload.data, [field]: value } })
}

function invalidUtf8(): Uint8Array {
  const bytes = Buffer.from(body)
  bytes[body.indexOf('Order 1')] = 0xff
  return bytes
}

const forms: [string, string | Uint8Array][] = [
  ...required.map((field): [string, string] => [`without ${field}`, payloadWith(field, undefined)]),
  ...required.map((field): [string, string] => [`with a null ${field}`, payloadWith(field, null)]),
  ['with a numeric rawAmount', payloadWith('rawAmount', 10_500_000_000)],
  ['with an empty reference', payloadWith('reference', '')],
  ['with a long reference', payloadWith('reference', 'x'.repeat(1025))],
  ['without data', JSON.stringify({ event: 'transfer.completed', timestamp: '' })],
  ['with an unknown event', JSON.stringify({ ...transferCompleted(), event: 'transfer.created' })],
  ['with the event transfer.refunded', JSON.stringify(transferRefunded({ any: 'thing' }))],
  ['with a numeric event', JSON.stringify({ ...transferCompleted(), event: 7 })],
  ['of invalid JSON', '{"event":'],
  ['of another JSON value', 'null'],
  ['that is empty', ''],
  ['with NUL', `${body}\u0000`],
]

/** Sends a body that only a later version can read. */
async function sendUnreadable(shop: Shop): Promise<void> {
  expect((await shop.send(payloadWith('rawAmount', 10_500_000_000))).status).toBe(400)
}

describe('an authentic delivery', () => {
  it.each([...forms, ['of invalid UTF-8', invalidUtf8()] as const])(
    'S72 is stored as unreadable, counted and logged, with 400: %s',
    async (_, form) => {
      const shop = openShop()
      expect(await shop.send(form)).toMatchObject({ status: 400, body: '{"ok":false}' })
      expect(await shop.send(form)).toMatchObject({ status: 400 })
      expect(await shop.inbox.reports.find('report-1')).toMatchObject({
        state: 'unreadable',
        source: 'webhook',
        signedWith: 'secrets[0]',
        problem: expect.any(String),
      })
      expect(await shop.payments.health()).toMatchObject({
        status: 'up',
        unreadable: 1,
        undecided: 0,
      })
      expect(shop.logger.lines).toContainEqual({
        level: 'error',
        message: 'report not readable; it is stored and can be decided again after an upgrade',
        fields: { reportId: 'report-1', problem: expect.any(String) },
      })
      expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
      expect(await shop.decide(transferCompleted())).toBe('paid')
    },
  )

  it.each(forms)('S72 stays unreadable when it is decided again: %s', async (_, form) => {
    const shop = openShop()
    await shop.send(form)
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { state: 'unreadable' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.clock.advance(120_000)
    const health = { undecided: 0, unreadable: 1, open: 0 }
    expect(await shop.payments.health()).toMatchObject(health)
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { reportId: 'report-1' },
        { by: 'ann' },
      ),
    ).toBe(1)
  })

  it.each([...descriptive, ...optional])('S72 is decided without %s', async (field) => {
    const paid: unknown[] = []
    const shop = openShop([order()], {
      onPaid: ({ transfer, payment }) => paid.push(transfer.txHash, payment.rawAmount),
    })
    expect(await shop.decide(payloadWith(field, undefined))).toBe('paid')
    await shop.settle()
    expect(paid).toEqual([transferCompleted().data.txHash, 10_500_000_000n])
  })

  it.each(descriptive)(
    'S72 is decided with a null %s, which handlers get as an empty string',
    async (field) => {
      const paid: object[] = []
      const shop = openShop([order()], { onPaid: ({ transfer }) => paid.push(transfer) })
      expect(await shop.decide(payloadWith(field, null))).toBe('paid')
      await shop.settle()
      expect(paid).toMatchObject([{ [field]: '' }])
    },
  )

  it('S72 is stored as unreadable with an unknown event when the answer is 200 by option', async () => {
    const shop = openShop([order()], { unsupportedEvent: 'acknowledge' })
    expect(await shop.send(transferRefunded())).toMatchObject({ status: 200 })
    expect(await shop.inbox.stats()).toMatchObject({ unreadable: 1 })
  })

  it.each([
    ['reject', 401],
    ['acknowledge', 200],
  ] as const)(
    'S72 is stored beyond maxAgeMs and can be decided again (%s)',
    async (staleDelivery, status) => {
      const shop = openShop([order()], { maxAgeMs: 60_000, staleDelivery })
      const stale = { ...transferCompleted(), timestamp: '2020-01-01T00:00:00.000Z' }
      expect(await shop.send(stale)).toMatchObject({ status, decision: { kind: 'stale' } })
      expect(await shop.inbox.stats()).toMatchObject({ unreadable: 1 })
      expect(
        await createOperator({ payments: shop.payments }).reprocess(
          { reportId: 'report-1' },
          { by: 'ann' },
        ),
      ).toBe(1)
      await shop.settle()
      expect(shop.shipped).toEqual(['order-1'])
    },
  )

  it('S72 is decided again by a process that can read it, and handlers run once', async () => {
    const shop = openShop()
    await sendUnreadable(shop)
    const upgraded = upgradedShop(shop)
    expect(
      await createOperator({ payments: upgraded.payments }).reprocess(
        { state: 'unreadable' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await upgraded.clock.advance(5000)
    expect(upgraded.shipped).toEqual(['order-1'])
    expect(await shop.inbox.stats()).toMatchObject({ unreadable: 0, undecided: 0, open: 0 })
    expect(await shop.inbox.reports.find('report-1')).toMatchObject({
      state: 'decided',
      reference: 'order-1',
      txHash: transferCompleted().data.txHash,
      decision: { kind: 'paid' },
    })
    // The gateway sends the same transfer again in a form that was always readable.
    expect(await upgraded.decide(transferCompleted())).toBe('duplicate')
    await upgraded.settle()
    expect(upgraded.shipped).toEqual(['order-1'])
  })

  it('S72 can be decided again with replacement characters when it is invalid UTF-8', async () => {
    const comments: unknown[] = []
    const shop = openShop([order()], {
      onPaid: ({ transfer }) => comments.push(transfer.commentToSender),
    })
    await shop.send(invalidUtf8())
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { reportId: 'report-1' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.settle()
    expect(comments).toEqual(['\uFFFDrder 1'])
  })

  it.each(['', 'north'])(
    'S72 is logged with its problem, and with the merchant %j',
    async (merchant) => {
      const shop = openShop([], { secrets: () => ({ merchant, secrets: SECRET }) })
      await shop.send('{"event":')
      const { reportId } = (await createOperator({ payments: shop.payments }).list())[0]!
      expect(shop.logger.lines).toContainEqual({
        level: 'error',
        message: 'report not readable; it is stored and can be decided again after an upgrade',
        fields: { reportId, problem: expect.any(String), ...(merchant !== '' && { merchant }) },
      })
    },
  )

  it('S72 is listed and explained until it is read again', async () => {
    const shop = openShop()
    await shop.send('{"event":')
    // As a tool does in another process.
    expect(await shop.inbox.reports.redecide({ ids: ['report-1'] })).toBe(1)
    expect(await createOperator({ payments: shop.payments }).list()).toMatchObject([
      { state: 'undecided', action: 'wait', transfer: undefined, problem: expect.any(String) },
    ])
    const story = { rawBody: '{"event":', order: null, rules: [] }
    expect(await createOperator({ payments: shop.payments }).inspect('report-1')).toMatchObject(
      story,
    )
  })

  it('S72 is not stored with a forged signature', async () => {
    const shop = openShop()
    const { headers } = signPayload('{}', 'whsec_core_wrong')
    await shop.receiver.receive({ headers, rawBody: '{}' })
    expect(await shop.inbox.stats()).toMatchObject({ unreadable: 0 })
    expect((await shop.send('{}', SECRET)).status).toBe(400)
    expect(await shop.inbox.stats()).toMatchObject({ unreadable: 1 })
  })

  it('S72 is rejected with 503 when the store fails', async () => {
    const shop = openShop([order()], {
      inbox: (memory) => ({
        ...memory,
        reports: { ...memory.reports, store: () => Promise.reject(new Error('down')) },
      }),
    })
    expect(await shop.send('{}')).toMatchObject({ status: 503, decision: { reason: 'store' } })
  })
})

/** Opens a process whose version reads numeric amounts: its inbox returns bodies as that version would read them. */
function upgradedShop({ clock, inbox, orders }: Shop): Shop {
  const read = <Row extends { rawBody: string }>(report: Row): Row => ({
    ...report,
    rawBody: report.rawBody.replace('"rawAmount":10500000000', '"rawAmount":"10500000000"'),
  })
  const options: ShopOptions = {
    clock,
    orders,
    inbox: {
      ...inbox,
      reports: {
        ...inbox.reports,
        claim: async (query) => (await inbox.reports.claim(query)).map(read),
        find: async (id) => {
          const report = await inbox.reports.find(id)
          return report && read(report)
        },
      },
    },
  }
  return openShop([], options)
}
