import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createMockGateway, createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '@tonplug/test-support/free-port'
import { startScriptedServer } from '../scripted-server.js'

const { senderAddr } = transferCompleted().data
const CREATE = '/api/merchant/v1/create-transfer'
const right = { amount: 10.5, asset: 'TON', senderAddr }

async function open() {
  const gateway = createMockGateway({ secret: 'whsec_api' })
  onTestFinished(() => gateway.close())
  const baseUrl = await gateway.listen()
  const post = async (body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(baseUrl + CREATE, { method: 'POST', body: text })
    // Every response of the API is an object.
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { gateway, baseUrl, post }
}

it.each<[string, unknown, string]>([
  ['no JSON', '{"amount":', 'JSON object'],
  ['a list', '[]', 'JSON object'],
  ['nothing', '', 'JSON object'],
  ['no amount', { ...right, amount: undefined }, 'amount is missing'],
  ['a string as amount', { ...right, amount: '10.5' }, 'amount is missing or not a number'],
  ['a zero amount', { ...right, amount: 0 }, '0 base units'],
  ['a negative amount', { ...right, amount: -1 }, 'amount is -1'],
  ['too many decimals', { ...right, amount: 1e-10 }, 'amount is 1e-10'],
  ['an amount above the maximum', { ...right, amount: 1e300 }, '2^120'],
  ['an infinite exponent', '{"amount":1e99999999}', 'asset is missing'],
  ['no asset', { ...right, asset: undefined }, 'asset is missing'],
  ['a ticker', { ...right, asset: 'USDT' }, '"USDT" is unknown'],
  ['an unknown jetton', { ...right, asset: `0:${'0'.repeat(64)}` }, 'the option `assets`'],
  ['no sender', { ...right, senderAddr: undefined }, 'senderAddr'],
  ['a mistyped sender', { ...right, senderAddr: senderAddr.replace('8', '9') }, 'checksum'],
  ['an invalid recipient', { ...right, recipientAddr: 'me' }, 'recipientAddr'],
  ['an invalid comment', { ...right, commentToSender: 7 }, 'commentToSender'],
  ['an invalid query id', { ...right, queryId: 1.5 }, 'queryId'],
  ['a negative query id', { ...right, queryId: -1 }, 'queryId'],
])('responds with 400 to %s, and states the reason', async (_, body, named) => {
  const { gateway, post } = await open()
  const response = await post(body)
  expect(response).toEqual({ status: 400, body: { error: expect.stringContaining(named) } })
  expect(gateway.transfers()).toEqual([])
})

it('S31 keeps every digit of an amount in any format', async () => {
  const { gateway, post } = await open()
  const spellings = ['12345678901234567.123456789', '1.2345678901234567123456789e16', '1E0', '1.10']
  for (const amount of spellings) {
    const { body } = await post(
      `{ "commentToSender": "amount: 7, \\" 8", "amount" : ${amount}, "asset":"TON","senderAddr":"${senderAddr}"}`,
    )
    expect(body).toMatchObject({ reference: expect.any(String) })
  }
  expect(gateway.transfers().map(({ rawAmount }) => rawAmount)).toEqual([
    '12345678901234567123456789',
    '12345678901234567123456789',
    '1000000000',
    '1100000000',
  ])
})

it.each([16_385, 5_000_000])('responds with 413 to a body of %i bytes', async (length) => {
  const { post } = await open()
  const { status } = await post({ ...right, commentToSender: 'x'.repeat(length) })
  expect(status).toBe(413)
})

it.each([
  ['GET', CREATE, 405, 'takes POST'],
  ['POST', '/api/merchant/v1/transfer?reference=a', 405, 'takes GET'],
  ['GET', '/api/merchant/v1/transfer', 400, 'either reference or bodyHash'],
  ['GET', '/api/merchant/v1/transfer?reference=a&bodyHash=b', 400, 'either'],
  ['GET', '/api/merchant/v1/transfer?reference=', 404, 'does not exist'],
  ['GET', '/', 404, CREATE],
  ['POST', '/api/external/moonpay/check', 501, 'sells no coins'],
])('responds to %s %s with %i', async (method, path, status, named) => {
  const { baseUrl } = await open()
  const response = await fetch(baseUrl + path, { method })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ error: expect.stringContaining(named) })
})

it('listens on the loopback interface only', async () => {
  const { baseUrl } = await open()
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.internal === false && address.family === 'IPv4')
  if (outside === undefined) return
  const reached = await new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), outside.address)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    onTestFinished(() => void socket.destroy())
  })
  expect(reached).toBe(false)
})

describe('the control API', () => {
  async function control(path: string, body: unknown, headers = {}) {
    const shop = await startScriptedServer([200, 200])
    const gateway = createMockGateway({ secret: 'whsec_api', url: shop.url })
    gateway.createTransfer({ reference: 'order/1 ü', rawAmount: 7n })
    onTestFinished(async () => {
      await gateway.close()
      await shop.close()
    })
    const response = await fetch(`${await gateway.listen()}/mock-gateway/transfers${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { gateway, status: response.status, body: await response.json() }
  }
  const order = `/${encodeURIComponent('order/1 ü')}`

  it('creates a transfer of an exact amount', async () => {
    const rawAmount = '12345678901234567890123'
    const { gateway, status, body } = await control('', { rawAmount, reference: 'order-2' })
    expect([status, body]).toEqual([200, expect.objectContaining({ reference: 'order-2' })])
    expect(gateway.transfer('order-2')).toMatchObject({ rawAmount, status: 'pending' })
  })
  it('pays it, and returns the result of the webhook', async () => {
    const txHash = 'a'.repeat(64)
    const { gateway, body } = await control(`${order}/pay`, { rawAmount: '8', txHash })
    expect(body).toMatchObject({ isDelivered: true, attempts: [{ attempt: 1, status: 200 }] })
    const paid = { status: 'success', rawAmount: '8', txHash }
    expect(gateway.transfer('order/1 ü')).toMatchObject(paid)
  })
  it('fails it', async () => {
    const { gateway, body } = await control(`${order}/fail`, {})
    expect(body).toMatchObject({ isDelivered: true })
    expect(gateway.transfer('order/1 ü').status).toBe('error')
  })
  it('returns the reason for a missing response', async () => {
    const url = `http://127.0.0.1:${await freePort()}/webhooks/ton`
    const clock = createFakeClock()
    const gateway = createMockGateway({ secret: 'whsec_api', url, clock })
    onTestFinished(() => gateway.close())
    const { reference } = gateway.createTransfer({ rawAmount: 7n })
    const paying = fetch(`${await gateway.listen()}/mock-gateway/transfers/${reference}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    for (const pauseMs of [1000, 5000, 15_000]) {
      await clock.waitForTimer(({ delayMs }) => delayMs === pauseMs)
      await clock.advance(pauseMs)
    }
    const refused = { error: expect.stringContaining('ECONNREFUSED') }
    expect(await (await paying).json()).toMatchObject({
      isDelivered: false,
      attempts: [refused, refused, refused, refused],
    })
  })
  it.each<[string, unknown, object, number]>([
    ['/nope/pay', {}, {}, 404],
    ['/%E0%A4%A/pay', {}, {}, 400],
    [`${order}/win`, {}, {}, 404],
    [`${order}/pay`, { rawAmount: 8 }, {}, 400],
    [`${order}/pay`, { rawAmount: '0x8' }, {}, 400],
    [`${order}/pay`, [], {}, 400],
    ['', {}, {}, 400],
    ['', { rawAmount: '1' }, { 'content-type': 'text/plain' }, 415],
  ])('refuses %s with %o', async (path, body, headers, expected) => {
    const { gateway, status } = await control(path, body, headers)
    expect(status).toBe(expected)
    expect(gateway.transfers().map((transfer) => transfer.status)).toEqual(['pending'])
  })
})
