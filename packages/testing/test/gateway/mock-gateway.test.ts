import { createServer } from 'node:http'
import {
  createMockGateway,
  createFakeClock,
  MockGatewayError,
  transferCompleted,
} from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../scripted-server.js'

const secret = 'whsec_mock'

describe('a transfer', () => {
  it('has the given fields, and defaults for the others', () => {
    const gateway = createMockGateway({ secret })
    const { reference, bodyBase64Hash } = gateway.createTransfer({ rawAmount: 1n })
    const { senderAddr, recipientAddr } = transferCompleted().data
    expect(gateway.transfer(reference)).toEqual({
      amount: '0.000000001',
      rawAmount: '1',
      senderAddr,
      recipientAddr,
      asset: 'TON',
      assetTicker: 'TON',
      status: 'pending',
      reference,
      bodyBase64Hash,
    })
  })
  it('can be in a custom jetton', () => {
    const master = `0:${'ab'.repeat(32)}`
    const assets = [{ asset: master, ticker: 'SHOP', decimals: 2 }]
    const gateway = createMockGateway({ secret, assets })
    const { reference } = gateway.createTransfer({ rawAmount: 199n, asset: master.toUpperCase() })
    expect(gateway.transfer(reference)).toMatchObject({
      amount: '1.99',
      asset: master,
      assetTicker: 'SHOP',
    })
  })
  it('keeps its requested fields, whatever was paid before', async () => {
    const gateway = createMockGateway({ secret })
    const { reference } = gateway.createTransfer({ rawAmount: 10n })
    await gateway.fail(reference, { errorCode: 7, errorMessage: 'no' })
    expect(gateway.transfer(reference)).toMatchObject({ status: 'error', errorCode: 7 })
    await gateway.pay(reference, { rawAmount: 5n, txHash: 'a'.repeat(64) })
    const paid = gateway.transfer(reference)
    expect(paid).toMatchObject({ status: 'success', rawAmount: '5', txHash: 'a'.repeat(64) })
    expect(paid).not.toHaveProperty('errorCode')
    await gateway.fail(reference)
    await gateway.pay(reference)
    expect(gateway.transfer(reference)).toEqual(paid)
  })
  it('has a new status when pay() and fail() return, before the webhook arrives', async () => {
    const shop = await startScriptedServer([200])
    onTestFinished(() => shop.close())
    const gateway = createMockGateway({ secret, url: () => shop.url })
    const { reference } = gateway.createTransfer({ rawAmount: 10n })
    const paying = gateway.pay(reference)
    expect([gateway.transfer(reference).status, gateway.log()]).toEqual(['success', []])
    expect((await paying).isDelivered).toBe(true)
  })
  it('sends no webhook with delivery "none" or without a URL', async () => {
    const shop = await startScriptedServer([200, 200])
    onTestFinished(() => shop.close())
    for (const url of [shop.url, undefined]) {
      const gateway = createMockGateway({ secret, url })
      const { reference } = gateway.createTransfer({ rawAmount: 10n })
      const delivery = url === undefined ? undefined : 'none'
      expect(await gateway.pay(reference, { delivery })).toEqual({
        isDelivered: false,
        attempts: [],
      })
      expect(gateway.transfer(reference).status).toBe('success')
    }
    expect(shop.requests).toEqual([])
  })
  it('is deleted when there are too many newer ones', () => {
    const gateway = createMockGateway({ secret, maxTransfers: 2 })
    const created = [1n, 2n, 3n].map((rawAmount) => gateway.createTransfer({ rawAmount }))
    expect(gateway.transfers().map(({ rawAmount }) => rawAmount)).toEqual(['2', '3'])
    expect(() => gateway.transfer(created[0]?.reference ?? '')).toThrow('does not exist')
  })
  it.each([
    ['a zero amount', { rawAmount: 0n }],
    ['an amount above the maximum', { rawAmount: 2n ** 120n }],
    ['an existing reference', { rawAmount: 1n, reference: 'taken' }],
    ['an empty reference', { rawAmount: 1n, reference: '' }],
    ['an invalid wallet', { rawAmount: 1n, senderAddr: 'me' }],
    ['an invalid asset', { rawAmount: 1n, asset: 'DOGE' }],
  ])('is rejected with %s', (_, transfer) => {
    const gateway = createMockGateway({ secret })
    gateway.createTransfer({ rawAmount: 1n, reference: 'taken' })
    expect(() => gateway.createTransfer(transfer)).toThrow(MockGatewayError)
    expect(gateway.transfers()).toHaveLength(1)
  })
  it('must exist to be paid, and must be paid to be sent again', async () => {
    const gateway = createMockGateway({ secret, url: 'http://127.0.0.1:1/' })
    await expect(gateway.pay('nope')).rejects.toMatchObject({ status: 404 })
    await expect(gateway.fail('nope')).rejects.toMatchObject({ status: 404 })
    const { reference } = gateway.createTransfer({ rawAmount: 1n })
    await expect(gateway.resend(reference)).rejects.toThrow('no webhook yet')
    await expect(gateway.pay(reference, { rawAmount: -1n })).rejects.toThrow('-1 base units')
    expect(gateway.transfer(reference).status).toBe('pending')
  })
})

describe('options', () => {
  it.each([
    ['an empty secret', { secret: '' }, 'secret'],
    ['a missing secret that became a string', { secret: 'undefined' }, 'secret'],
    ['an empty key', { secret, apiKey: '' }, 'apiKey'],
    ['a limit of zero transfers', { secret, maxTransfers: 0 }, 'maxTransfers'],
    ['a limit of zero attempts', { secret, maxAttempts: 0.5 }, 'maxAttempts'],
    [
      'another native coin',
      { secret, assets: [{ asset: 'TON', ticker: 'TON', decimals: 6 }] },
      '"TON" with 6 decimals',
    ],
    ['an invalid asset', { secret, assets: [{ asset: 'X', ticker: 'X', decimals: 9 }] }, '"X"'],
  ])('throw when they have %s', (_, options, named) => {
    expect(() => createMockGateway(options)).toThrow(named)
  })
  it.each([undefined, 'localhost:3000/webhooks/ton', '/webhooks/ton', ''])(
    'the URL %j is rejected by the delivery',
    async (url) => {
      const gateway = createMockGateway({ secret, url })
      const held = gateway.hold()
      const delivery = gateway.deliver('{}')
      const [refused] = await Promise.allSettled([delivery, held.release()])
      expect(refused).toMatchObject({ reason: { message: expect.stringContaining('https://') } })
    },
  )
})

describe('close', () => {
  it('ends running and pending deliveries, and leaves no timer and no server', async () => {
    const shop = await startScriptedServer([() => undefined, 500])
    onTestFinished(() => shop.close())
    const clock = createFakeClock()
    const gateway = createMockGateway({ secret, url: shop.url, clock })
    const baseUrl = await gateway.listen()
    const hanging = gateway.deliver('{}')
    await shop.waitForRequests(1)
    const failing = gateway.deliver('{}')
    await clock.waitForTimer(({ delayMs }) => delayMs === 1000)
    const deliveries = [
      hanging,
      failing,
      gateway.deliver('{}', { delayMs: 5 }),
      gateway.deliver('{}', { drop: true }),
    ]
    const first = gateway.hold()
    deliveries.push(gateway.deliver('{}'), gateway.deliver('{}', { delayMs: 5 }))
    gateway.hold()
    deliveries.push(gateway.deliver('{}'))
    await clock.waitForTimer(({ delayMs }) => delayMs === 5)

    await gateway.close()

    const reports = await Promise.all(deliveries)
    expect(reports.map(({ isDelivered }) => isDelivered)).toEqual(reports.map(() => false))
    expect(reports.map(({ attempts }) => attempts.length)).toEqual([1, 1, 0, 1, 0, 0, 0])
    expect(reports[0]?.attempts[0]?.error).toMatchObject({ message: 'the mock gateway was closed' })
    expect(clock.pendingTimers()).toEqual([])
    expect(first.count).toBe(0)
    await expect(fetch(baseUrl)).rejects.toThrow('fetch failed')
    await gateway.close()
  })
  it('is final', async () => {
    const gateway = createMockGateway({ secret, url: 'http://127.0.0.1:1/' })
    const { reference } = gateway.createTransfer({ rawAmount: 1n })
    await gateway.close()
    const closed = { message: 'the mock gateway was closed' }
    expect(() => gateway.createTransfer({ rawAmount: 1n })).toThrow(closed.message)
    await expect(gateway.pay(reference)).rejects.toMatchObject(closed)
    await expect(gateway.deliver('{}')).rejects.toMatchObject(closed)
    await expect(gateway.listen()).rejects.toMatchObject(closed)
    expect(gateway.transfer(reference).status).toBe('pending')
  })
})

describe('listen', () => {
  it('rejects when a port is in use, and can be called again', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    onTestFinished(() => void other.close())
    const address = other.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const gateway = createMockGateway({ secret })
    onTestFinished(() => gateway.close())
    await expect(gateway.listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(gateway.listen()).resolves.toMatch(/^http:/)
    await expect(gateway.listen()).rejects.toThrow('has been started')
  })
  it('creates mock gateways that share nothing', async () => {
    const [one, other] = [createMockGateway({ secret }), createMockGateway({ secret })]
    const urls = [await one.listen(), await other.listen()]
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
    expect(new Set(urls).size).toBe(2)
    const { reference } = one.createTransfer({ rawAmount: 1n })
    expect(() => other.transfer(reference)).toThrow('does not exist')
  })
})
