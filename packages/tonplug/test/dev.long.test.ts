import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cell, internal } from '@ton/core'
import { createTonPayTransfer, getTonPayTransferByReference, TON, USDT } from '@ton-pay/api'
import { createV3Client } from '@tonplug/core/toncenter'
import { startSimulator } from '@tonplug/simulator'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DEV_SECRET, type DevProcess, startDev } from './dev-process.js'
import { openExpressShop } from './express-shop.js'
import { startTonplug, tonplug } from './run-command.js'

const BUYER = 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe'
const NO_CHAIN = ['--no-chain']
const NO_FAULT = { fault: 'none' }

/** Creates a transfer as `@ton-pay/api` does. */
async function createTransfer(
  { start }: DevProcess,
  headers: Record<string, string> = {},
  fields: object = {},
): Promise<{ reference: string }> {
  const response = await fetch(`${start.gatewayUrl}/api/merchant/v1/create-transfer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ amount: 10.5, asset: 'TON', senderAddr: BUYER, ...fields }),
  })
  expect(response.status).toBe(200)
  // The response of the gateway.
  return (await response.json()) as { reference: string }
}

/** Returns the next printed attempt. */
async function nextAttempt(dev: DevProcess): Promise<Record<string, unknown>> {
  // Each line is a document.
  return JSON.parse(await dev.nextLine()) as Record<string, unknown>
}

/** The states of the gateway that the server sends to a page. */
async function* states(dev: DevProcess): AsyncGenerator<Record<string, unknown>> {
  const { body } = await dev.ask('events')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, data] = /^event: state\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (data === undefined) continue
      yield (JSON.parse(data) as { gateway: Record<string, unknown> }).gateway
    }
  }
}

async function stateWith(
  dev: DevProcess,
  isWanted: (text: string) => boolean,
  read = states(dev),
): Promise<Record<string, unknown>> {
  for await (const state of read) {
    if (isWanted(JSON.stringify(state))) return state
  }
  throw new Error('the stream has ended')
}

/** Finds a port with two free ports after it, below the range that servers on port 0 get. */
async function takePort(): Promise<number> {
  for (let port = 21_000; port < 30_000; port += 10) {
    const server = createServer().listen(port, '127.0.0.1')
    const isTaken = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    onTestFinished(() => void server.close())
    if (isTaken) return port
  }
  throw new Error('no port from 21000 to 30000 is free')
}

describe('dev', () => {
  it('S37 pays a transfer that a shop created, and reports its webhook', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url, NO_CHAIN)
    expect(dev.start).toMatchObject({
      webhookUrl: shop.url,
      header: 'x-tonpay-signature',
      secret: { source: 'TONPAY_WEBHOOK_SECRET' },
      apiKey: null,
      chainUrl: null,
    })
    const { reference } = await createTransfer(dev)
    shop.orders.add({ reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })
    expect(await stateWith(dev, (text) => text.includes(reference))).toMatchObject({
      transfers: [{ reference, amount: '10.5', status: 'pending' }],
      attempts: [],
      runningActions: [],
    })

    const pay = { variant: 'whole', ...NO_FAULT }
    expect((await dev.ask(`api/transfers/${reference}/pay`, pay)).status).toBe(202)
    expect(await nextAttempt(dev)).toMatchObject({ id: 1, reference, attempt: 1, status: 200 })
    expect((await shop.orders.find({ reference }))?.status).toBe('completed')

    const duplicate = { fault: 'duplicate', count: 2 }
    expect((await dev.ask(`api/transfers/${reference}/resend`, duplicate)).status).toBe(202)
    await nextAttempt(dev)
    await nextAttempt(dev)
    expect(shop.decisions).toEqual(['paid', 'duplicate', 'duplicate'])
    await expect.poll(() => shop.shipped).toEqual([reference])

    const detail = await dev.ask('api/attempts/1')
    expect(await detail.json()).toMatchObject({
      url: shop.url,
      requestHeaders: { 'x-tonpay-signature': expect.stringMatching(/^sha256=/) },
      requestBody: expect.stringContaining(`"reference":"${reference}"`),
      responseHeaders: { 'content-type': expect.stringContaining('application/json') },
      responseBody: expect.stringContaining('{'),
    })
    expect(await dev.end('SIGINT')).toBe(0)
  })

  it.each<[string, string, object, string]>([
    ['S31 half', 'pay', { variant: 'half', fault: 'none' }, 'amount_mismatch'],
    [
      'S35 to the wrong wallet',
      'pay',
      { variant: 'misdirected', fault: 'none' },
      'wallet_mismatch',
    ],
    ['S28 a failure', 'fail', { fault: 'none' }, 'failed'],
  ])('delivers %s', async (_, outcome, body, decision) => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url, NO_CHAIN)
    const { reference } = await createTransfer(dev)
    const { merchant: recipient } = dev.start
    const order = { reference, rawAmount: 10_500_000_000n, asset: 'TON', recipient }
    shop.orders.add({ ...order, status: 'pending' })
    await dev.ask(`api/transfers/${reference}/${outcome}`, body)
    expect(await nextAttempt(dev)).toMatchObject({ status: 200 })
    expect(shop.decisions).toEqual([decision])
  })

  it('S10 signs the first attempt with another secret, and reports the refusal and the retry', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url, NO_CHAIN)
    const { reference } = await createTransfer(dev)
    // The retry, after a second, ends the action.
    const read = states(dev)
    await read.next()
    const body = { variant: 'whole', fault: 'wrong-secret', isFirstOnly: true }
    await dev.ask(`api/transfers/${reference}/pay`, body)
    expect(await nextAttempt(dev)).toMatchObject({ reference, attempt: 1, status: 401 })
    expect(await stateWith(dev, (text) => text.includes('wrong-secret'), read)).toMatchObject({
      runningActions: [{ reference, outcome: 'pay', variant: 'whole', fault: 'wrong-secret' }],
    })
    expect(await nextAttempt(dev)).toMatchObject({ reference, attempt: 2, status: 200 })
  })

  it('creates transfers with exact amounts, and rejects invalid ones', async () => {
    const dev = await startDev('http://127.0.0.1:1/', NO_CHAIN)
    const create = async (amount: string, ticker = 'TON') => {
      const response = await dev.ask('api/transfers', {
        amount,
        ticker,
        comment: '',
        reference: '',
      })
      return { status: response.status, answer: JSON.stringify(await response.json()) }
    }
    expect(await create('12345678901.000000001')).toMatchObject({ status: 201 })
    expect(await create('0.1', 'USDT')).toMatchObject({ status: 201 })
    const { transfers } = await stateWith(dev, (text) => text.includes('USDT'))
    expect(transfers).toMatchObject([
      { amount: '0.1', rawAmount: '100000', assetTicker: 'USDT' },
      { amount: '12345678901.000000001', rawAmount: '12345678901000000001' },
    ])
    for (const [amount, ticker] of [
      ['0.0000001', 'USDT'],
      ['0', 'TON'],
      ['ten', 'TON'],
      ['1', 'DOGE'],
      ['9'.repeat(30), 'TON'],
    ] as const) {
      expect(await create(amount, ticker)).toMatchObject({
        status: 400,
        answer: expect.stringMatching(/"error":".{20}/),
      })
    }
  })

  it('reveals neither the secret nor the API key', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const TONPAY_API_KEY = 'key_dev_test'
    const dev = await startDev(shop.url, NO_CHAIN, { TONPAY_API_KEY })
    expect(dev.start).toMatchObject({ apiKey: { source: 'TONPAY_API_KEY' } })
    const { reference } = await createTransfer(dev, { 'x-api-key': TONPAY_API_KEY })
    await dev.ask(`api/transfers/${reference}/pay`, { variant: 'whole', fault: 'none' })
    const attempt = await nextAttempt(dev)
    const seen = [
      JSON.stringify([dev.start, attempt]),
      JSON.stringify(await stateWith(dev, (text) => text.includes('"status":200'))),
      await (await dev.ask('api/attempts/1')).text(),
      await (await dev.ask('')).text(),
    ].join('\n')
    expect(seen).toContain(reference)
    expect(seen).not.toContain(DEV_SECRET)
    expect(seen).not.toContain(TONPAY_API_KEY)

    const strangers = await createTransfer(dev, {}, { recipientAddr: BUYER })
    await dev.ask(`api/transfers/${strangers.reference}/pay`, { variant: 'whole', fault: 'none' })
    await stateWith(dev, (text) => text.includes('"success"') && !text.includes('"pending"'))
    expect((await dev.ask('api/attempts/2')).status).toBe(404)
  })

  it('prints the addresses and the deliveries as text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonplug-dev-'))
    const file = join(folder, 'secret')
    writeFileSync(file, `${DEV_SECRET}\n`)
    const server = createServer((_, response) => void response.writeHead(503).end()).listen(0)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    // A server on a port has no other kind of address.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const dev = startTonplug(['dev', '-u', url, '-p', '0', '--secret-file', file, ...NO_CHAIN])
    const lines: string[] = []
    while (lines.at(-1) !== 'Ctrl-C ends it.') lines.push(await dev.nextLine())
    const text = lines.join('\n')
    expect(text).toMatch(/^Page +http:\/\/127\.0\.0\.1:\d+$/m)
    expect(text).toMatch(/^Gateway +TONPAY_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m)
    expect(text).toContain(`${url}, signed as x-tonpay-signature with the secret in ${file}`)
    expect(text).not.toContain(DEV_SECRET)
    const [page = ''] = /http:\S+/.exec(lines[0] ?? '') ?? []
    const headers = { 'content-type': 'application/json' }
    const post = async (path: string, body: object) =>
      fetch(`${page}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const created = await post('api/transfers', {
      amount: '1',
      ticker: 'TON',
      comment: '',
      reference: '',
    })
    // The response of the page's server.
    const { reference } = (await created.json()) as { reference: string }
    await post(`api/transfers/${reference}/pay`, { variant: 'whole', fault: 'none' })
    expect(await dev.nextLine()).toMatch(new RegExp(`  ${reference} attempt 1: 503, \\d+ ms$`))
    expect(await dev.end('SIGTERM')).toBe(0)
  })

  it('reports that a port is in use', async () => {
    const port = await takePort()
    for (const first of [port, port - 1]) {
      const args = ['dev', '-u', 'http://127.0.0.1:1/', '--port', String(first), ...NO_CHAIN]
      const ended = await tonplug(args, { TONPAY_WEBHOOK_SECRET: DEV_SECRET })
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain(`cannot listen on port ${port}`)
      expect(ended.stderr).toContain('choose another with --port')
    }
  })

  it.each<[string, string[], Record<string, string>, string]>([
    ['no route', [], { TONPAY_WEBHOOK_SECRET: DEV_SECRET }, '--url'],
    ['another protocol', ['-u', 'ftp://a/'], { TONPAY_WEBHOOK_SECRET: DEV_SECRET }, '--url'],
    ['no secret', ['-u', 'http://a/'], {}, 'TONPAY_WEBHOOK_SECRET'],
    ['no file', ['-u', 'http://a/', '--secret-file', '/nowhere'], {}, '--secret-file'],
    [
      'a missing key file',
      ['-u', 'http://a/', '--api-key-file', '/nowhere'],
      { TONPAY_WEBHOOK_SECRET: DEV_SECRET },
      '--api-key-file',
    ],
    [
      'no port',
      ['-u', 'http://a/', '--port', '65534'],
      { TONPAY_WEBHOOK_SECRET: DEV_SECRET },
      'to 65533',
    ],
    [
      'an API key that was not replaced',
      ['-u', 'http://a/'],
      { TONPAY_WEBHOOK_SECRET: DEV_SECRET, TONPAY_API_KEY: '${TONPAY_API_KEY}' },
      'must not be a reference',
    ],
    ['a secret with a space', ['-u', 'http://a/'], { TONPAY_WEBHOOK_SECRET: 'a ' }, 'trim it'],
  ])('rejects %s with exit code 2', async (_, args, environment, named) => {
    const ended = await tonplug(['dev', ...NO_CHAIN, ...args], environment)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
    expect(ended.stderr).not.toContain(DEV_SECRET)
  })
})

describe('dev with a chain', () => {
  it('S37 pays on the chain a transfer that a shop created by the SDK, with the same transaction in both', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    vi.stubEnv('TONPAY_BASE_URL', dev.start.gatewayUrl)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { buyer: senderAddr, merchant } = dev.start
    const { reference } = await createTonPayTransfer({ amount: 10.5, asset: TON, senderAddr })
    const order = { reference, rawAmount: 10_500_000_000n, asset: 'TON', recipient: merchant }
    shop.orders.add({ ...order, status: 'pending' })

    await dev.ask(`api/transfers/${reference}/pay`, { variant: 'whole', fault: 'none' })
    expect(await nextAttempt(dev)).toMatchObject({ reference, status: 200 })
    expect(shop.decisions).toEqual(['paid'])
    const { status, txHash } = await getTonPayTransferByReference(reference)
    expect(status).toBe('success')
    const v3 = createV3Client({ baseUrl: String(dev.start.chainUrl) })
    const { transactions } = await v3.transactions({ account: merchant, hash: String(txHash) })
    expect(transactions).toMatchObject([{ in_msg: { value: 10_500_000_000n } }])
    const { wallets } = await stateWith(dev, (text) => text.includes('999989'))
    expect(wallets).toMatchObject([{ name: 'Merchant' }, { name: 'Buyer' }, {}])
  })

  it('S28 fails a payment on the chain', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const { reference } = await createTransfer(dev, {}, { senderAddr: dev.start.buyer })
    shop.orders.add({ reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })
    await dev.ask(`api/transfers/${reference}/fail`, NO_FAULT)
    await nextAttempt(dev)
    expect(shop.decisions).toEqual(['failed'])
  })

  it('pays without a report of the gateway, and reports a payment that it does not recognize', async () => {
    const dev = await startDev('http://127.0.0.1:1/')
    const fields = { asset: USDT, amount: 7, senderAddr: dev.start.buyer }
    const { reference } = await createTransfer(dev, {}, fields)
    await dev.ask(`api/transfers/${reference}/pay`, { variant: 'unnoticed', fault: 'none' })
    expect(await stateWith(dev, (text) => text.includes('"amount":"7"}'))).toBeDefined()
    await dev.ask(`api/transfers/${reference}/pay`, { variant: 'half', fault: 'none' })
    expect(await stateWith(dev, (text) => text.includes('sent no webhook'))).toMatchObject({
      transfers: [{ reference, status: 'pending', assetTicker: 'USDT' }],
      attempts: [],
      problems: [{ text: expect.stringContaining(reference) }],
    })
  })

  it('reports that a port of the chain is in use, and ends', async () => {
    const port = await takePort()
    for (const first of [port - 2, port - 1]) {
      const args = ['dev', '-u', 'http://127.0.0.1:1/', '--port', String(first)]
      const ended = await tonplug(args, { TONPAY_WEBHOOK_SECRET: DEV_SECRET })
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain(`cannot listen on port ${port}`)
    }
  })
})

describe('dev on a network', () => {
  it('S37 reports payments of a wallet on the network, and makes none itself', async () => {
    const network = await startSimulator({ secret: 'whsec_of_nobody' })
    onTestFinished(() => network.close())
    const [recipient, sender] = [network.merchant, network.buyer].map(({ address }) =>
      address.toString({ bounceable: false }),
    )
    const shop = await openExpressShop(DEV_SECRET)
    const wallets = ['--recipient', String(recipient), '--sender', String(sender)]
    const dev = await startDev(shop.url, ['--v3', network.urls.chain, ...wallets])
    expect(dev.start).toMatchObject({ chainUrl: network.urls.chain, merchant: recipient })
    const page = { amount: '10.5', ticker: 'TON', comment: 'Hoodie', reference: '' }
    const created = await dev.ask('api/transfers', page)
    // The response of the page's server.
    const { reference } = (await created.json()) as { reference: string }
    shop.orders.add({ reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })

    const refused = await dev.ask(`api/transfers/${reference}/pay`, {
      variant: 'whole',
      fault: 'none',
    })
    expect(refused.status).toBe(409)
    const state = await stateWith(dev, (text) => text.includes('ton://'))
    const [, address = '', amount = '', bin = ''] =
      /ton:\/\/transfer\/([^?]+)\?amount=(\d+)&bin=([\w=-]+)/.exec(JSON.stringify(state)) ?? []
    const body = Cell.fromBoc(Buffer.from(bin, 'base64url'))[0] ?? Cell.EMPTY
    await network.buyer.send([internal({ to: address, value: BigInt(amount), body })])

    expect(await nextAttempt(dev)).toMatchObject({ reference, status: 200 })
    expect(shop.decisions).toEqual(['paid'])
    expect(await dev.end('SIGINT')).toBe(0)
  })

  it.each<[string, string[], string]>([
    ['no wallet', ['--v3', 'http://127.0.0.1:1'], '--recipient'],
    ['an invalid wallet', ['--v3', 'http://127.0.0.1:1', '--recipient', 'me'], '--recipient'],
    ['an invalid URL', ['--v3', 'testnet', '--recipient', BUYER], '--v3'],
    ['no chain', ['--v3', 'http://127.0.0.1:1', '--no-chain'], '--no-chain'],
    ['a wallet of the simulated chain', ['--recipient', BUYER], '--v3'],
  ])('rejects %s with exit code 2', async (_, args, named) => {
    const ended = await tonplug(['dev', '-u', 'http://127.0.0.1:1/', ...args], {
      TONPAY_WEBHOOK_SECRET: DEV_SECRET,
    })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
  })
})

describe("the page's server", () => {
  /** Returns the response to headers that `fetch` would not send. */
  async function send(
    dev: DevProcess,
    path: string,
    { method = 'GET', body, ...headers }: Record<string, string>,
  ): Promise<number | undefined> {
    const sent = request(`${dev.start.page}${path}`, { method, headers }).end(body)
    // Resolves with the arguments of the event.
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.destroy()
    return response.statusCode
  }

  it('responds only under its own host name, against DNS rebinding', async () => {
    const dev = await startDev('http://127.0.0.1:1/', NO_CHAIN)
    const { port } = new URL(dev.start.page)
    for (const path of ['/', '/assets/dev.js', '/events', '/api/attempts/1']) {
      for (const host of [
        `evil.example:${port}`,
        'evil.example',
        '127.0.0.1',
        `127.0.0.1.:${port}`,
      ])
        expect(await send(dev, path, { host })).toBe(421)
    }
    const body = JSON.stringify({ amount: '1', ticker: 'TON', comment: '', reference: '' })
    const host = `evil.example:${port}`
    const type = { 'content-type': 'application/json', 'content-length': `${body.length}` }
    const own = { method: 'POST', body, host, origin: `http://${host}`, ...type }
    expect(await send(dev, '/api/transfers', own)).toBe(421)
    expect(await send(dev, '/', { host: `localhost:${port}` })).toBe(200)
  })

  it('rejects requests of pages of other origins', async () => {
    const dev = await startDev('http://127.0.0.1:1/', NO_CHAIN)
    const body = JSON.stringify({ amount: '1', ticker: 'TON', comment: '', reference: '' })
    const post = { method: 'POST', body, 'content-length': String(body.length) }
    const json = { ...post, 'content-type': 'application/json' }
    const path = '/api/transfers'
    expect(await send(dev, path, { ...json, origin: 'http://evil.example' })).toBe(403)
    expect(await send(dev, path, { ...json, origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await send(dev, path, { ...json, origin: 'null' })).toBe(403)
    expect(await send(dev, path, { ...json, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await send(dev, path, { ...post, 'content-type': 'text/plain' })).toBe(415)
    expect(await send(dev, path, post)).toBe(415)
    expect(await send(dev, '/events', { 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await send(dev, '/api/attempts/1', { origin: 'http://evil.example' })).toBe(403)
    expect(await send(dev, path, { ...json, origin: dev.start.page })).toBe(201)
    expect(await send(dev, path, json)).toBe(201)
  })

  it('forbids the page everything that it does not need', async () => {
    const dev = await startDev('http://127.0.0.1:1/', NO_CHAIN)
    const { headers } = await dev.ask('')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['/nothing', 'GET', 404],
    ['/api/transfers', 'GET', 405],
    ['/', 'POST', 405],
    ['/api/transfers/nobody/pay', 'POST', 404],
    ['/api/transfers/nobody/win', 'POST', 404],
    ['/api/attempts/9', 'GET', 404],
    ['/api/transfers/%ff/pay', 'POST', 400],
  ])('responds to %s by %s with %i', async (path, method, status) => {
    const dev = await startDev('http://127.0.0.1:1/', NO_CHAIN)
    const body = '{"variant":"whole","fault":"none"}'
    const type = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const posted = method === 'POST' ? { body, ...type } : {}
    expect(await send(dev, path, { method, ...posted })).toBe(status)
  })

  it.each([
    ['no JSON', '{'],
    ['no kind of payment', '{"fault":"none"}'],
    ['an unknown fault', '{"variant":"whole","fault":"fire"}'],
    ['too many copies', '{"variant":"whole","fault":"duplicate","count":101}'],
    ['half a second', '{"variant":"whole","fault":"delay","seconds":0.5}'],
    ['an invalid flag', '{"variant":"whole","fault":"drop","isFirstOnly":1}'],
  ])('refuses %s', async (_, body) => {
    const dev = await startDev('http://127.0.0.1:1/', NO_CHAIN)
    const { reference } = await createTransfer(dev)
    const type = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const path = `/api/transfers/${reference}/pay`
    expect(await send(dev, path, { method: 'POST', body, ...type })).toBe(400)
    const large = 'x'.repeat(16_385)
    const length = { 'content-length': String(large.length) }
    const post = { method: 'POST', body: large, 'content-type': 'application/json', ...length }
    expect(await send(dev, path, post)).toBe(413)
  })
})
