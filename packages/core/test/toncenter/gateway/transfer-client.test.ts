import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { Address } from '@ton/core'
import {
  createTonPayTransfer,
  getTonPayTransferByBodyHash,
  getTonPayTransferByReference,
  USDT,
} from '@ton-pay/api'
import {
  createTransferClient,
  type Fetch,
  type NewTransfer,
  type TransferClientOptions,
} from '@tonplug/core/toncenter'
import { createFakeClock } from '@tonplug/testing'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '@tonplug/test-support/free-port'
import { startMockApi, type ApiRequest, type Reply } from '@tonplug/test-support/mock-api'

const SENDER = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
const RECIPIENT = `0:${'ab'.repeat(32)}`
// A hash whose base64 has all three characters that mean something else in a query.
const BODY_HASH = `${'+/'.repeat(21)}8=`
const CREATED = {
  message: { address: RECIPIENT, amount: '10500000000', payload: 'te6ccgEBAQEAAgAAAA==' },
  bodyBase64Hash: BODY_HASH,
  reference: 'ref 1/ö',
}
const PAID = {
  amount: '10.5',
  rawAmount: '10500000000',
  senderAddr: SENDER,
  recipientAddr: RECIPIENT,
  asset: 'TON',
  assetTicker: 'TON',
  status: 'success',
  reference: 'ref 1/ö',
  bodyBase64Hash: BODY_HASH,
  txHash: 'ab'.repeat(32),
  traceId: 'cd'.repeat(32),
  date: '2026-01-02T03:04:05.678Z',
}
const transfer: NewTransfer = {
  rawAmount: 10_500_000_000n,
  asset: 'TON',
  senderAddr: SENDER,
  recipientAddr: RECIPIENT,
}

/** Starts the gateway and a client of it. */
async function open(
  reply: (request: ApiRequest) => Reply | string,
  options: TransferClientOptions = {},
) {
  const { baseUrl, requests } = await startMockApi(reply)
  const retry = { minDelayMs: 1, maxDelayMs: 1 }
  const transfers = createTransferClient({ baseUrl, rps: Infinity, retry, ...options })
  return { transfers, requests, baseUrl }
}

const asJson = (body: object, status = 200): Reply => ({ status, body: JSON.stringify(body) })

afterEach(() => vi.unstubAllEnvs())

describe('a transfer client', () => {
  it('creates a transfer as the official SDK does', async () => {
    const { transfers, requests, baseUrl } = await open(() => asJson(CREATED), {
      apiKey: 'key-1234',
    })
    vi.stubEnv('TONPAY_BASE_URL', baseUrl)
    const more = { commentToSender: 'for you', commentToRecipient: 'Order "1" ✓' }
    const sdk = await createTonPayTransfer(
      { amount: 10.5, asset: 'TON', recipientAddr: RECIPIENT, senderAddr: SENDER, ...more },
      { apiKey: 'key-1234' },
    )
    const ours = await transfers.create({ ...transfer, ...more })

    const [theirs, mine] = requests
    expect(mine?.text).toBe(theirs?.text)
    expect(mine).toMatchObject({ method: 'POST', path: '/api/merchant/v1/create-transfer' })
    expect(mine?.path).toBe(theirs?.path)
    for (const name of ['x-api-key', 'content-type']) {
      expect(mine?.headers[name]).toBe(theirs?.headers[name])
    }
    expect(ours).toMatchObject(sdk)
  })

  it("sends the native coin under the gateway's identifier, whichever name is given", async () => {
    const { transfers, requests } = await open(() => asJson(CREATED))
    await transfers.create(transfer)
    await transfers.create({ ...transfer, asset: 'GRAM' })
    const [ofTon, ofGram] = requests
    expect(ofGram?.text).toContain('"asset":"TON"')
    expect(ofGram?.text).toBe(ofTon?.text)
  })

  it('requests the status by reference as the official SDK does, except for the encoding', async () => {
    const { transfers, requests, baseUrl } = await open(() =>
      asJson({ ...PAID, reference: 'ref-1' }),
    )
    vi.stubEnv('TONPAY_BASE_URL', baseUrl)
    await getTonPayTransferByReference('ref-1')
    await transfers.byReference('ref-1')
    const [theirs, mine] = requests
    expect(mine?.path).toBe(theirs?.path)
    expect([...(mine?.query ?? [])]).toEqual([...(theirs?.query ?? [])])
  })

  it('encodes base64 and references, which the official SDK does not', async () => {
    const { transfers, requests, baseUrl } = await open(() => asJson(PAID))
    vi.stubEnv('TONPAY_BASE_URL', baseUrl)
    await getTonPayTransferByBodyHash(BODY_HASH)
    await transfers.byBodyHash(BODY_HASH)
    await transfers.byBodyHash(Buffer.from(BODY_HASH, 'base64').toString('hex'))
    await transfers.byReference('ref 1/ö')
    const [theirs, mine, ofHex, byReference] = requests
    expect(theirs?.query.get('bodyHash')).toBe(BODY_HASH.replaceAll('+', ' '))
    expect(mine?.query.get('bodyHash')).toBe(BODY_HASH)
    expect(ofHex?.query.get('bodyHash')).toBe(BODY_HASH)
    expect(byReference?.query.get('reference')).toBe('ref 1/ö')
  })

  it('creates an invoice that only its sender can pay', async () => {
    const clock = createFakeClock()
    const { transfers } = await open(() => asJson(CREATED), { clock })
    const invoice = await transfers.create(transfer)
    const address = Address.parse(RECIPIENT).toString({ bounceable: false })
    const { payload, amount } = CREATED.message
    expect(invoice.order).toEqual({
      reference: CREATED.reference,
      rawAmount: 10_500_000_000n,
      asset: 'TON',
      status: 'pending',
      recipient: RECIPIENT,
      bodyBase64Hash: BODY_HASH,
      createdAt: new Date(clock.nowMs()),
    })
    const bin = encodeURIComponent(payload)
    expect(invoice.link).toBe(`ton://transfer/${address}?amount=${amount}&bin=${bin}`)
    expect(JSON.parse(JSON.stringify(invoice))).toEqual({
      reference: CREATED.reference,
      asset: 'TON',
      rawAmount: amount,
      amount: '10.5',
      recipient: RECIPIENT,
      link: invoice.link,
      // The network of a gateway at its own address is unknown.
      links: {},
      tonConnect: {
        from: Address.parse(SENDER).toRawString(),
        items: [{ type: 'ton', address, amount, payload }],
      },
      serverTime: new Date(clock.nowMs()).toISOString(),
    })
    expect(await invoice.tonConnect({ sender: SENDER })).toEqual({
      validUntil: Math.floor(clock.nowMs() / 1000) + 300,
      from: Address.parse(SENDER).toRawString(),
      messages: [{ address, amount, payload }],
    })
    const from = Address.parse(SENDER).toRawString()
    const items = [{ type: 'ton', address, amount, payload }]
    expect(await invoice.tonConnect()).toMatchObject({ from, items })
    await expect(invoice.tonConnect({ responseDestination: SENDER })).rejects.toMatchObject({
      details: { option: 'responseDestination' },
    })
    await expect(invoice.tonConnect({ sender: RECIPIENT })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining('must be the wallet that the transfer was created for'),
    })
  })

  it('sends the message of a jetton to the jetton wallet, which may return it', async () => {
    const { transfers } = await open(() => asJson(CREATED))
    const { message, link, tonConnect } = await transfers.create({ ...transfer, asset: USDT })
    const address = Address.parse(RECIPIENT).toString()
    expect(message).toEqual(CREATED.message)
    expect(link).toContain(`ton://transfer/${address}?`)
    expect(await tonConnect({ sender: SENDER })).toMatchObject({ messages: [{ address }] })
  })

  it('keeps the friendly address of the gateway, and names the network', async () => {
    const address = Address.parse(RECIPIENT).toString({ testOnly: true })
    const fetch: Fetch = async () =>
      Response.json({ ...CREATED, message: { ...CREATED.message, address } })
    const transfers = createTransferClient({ network: 'testnet', fetch })
    const { tonConnect } = await transfers.create(transfer)
    expect(await tonConnect({ sender: SENDER })).toMatchObject({
      network: '-3',
      messages: [{ address }],
    })
  })

  it.each<[bigint, Partial<NewTransfer>, string]>([
    [1n, {}, '0.000000001'],
    [1_000_000_000n, {}, '1'],
    [10_500_000_000n, {}, '10.5'],
    [100_000_000n, {}, '0.1'],
    [999_999_999_999_999n, {}, '999999.999999999'],
    [1_234_567n, { asset: USDT }, '1.234567'],
    [1_234_567n, { asset: USDT, decimals: 6 }, '1.234567'],
    [5n, { asset: RECIPIENT, decimals: 0 }, '5'],
    [10n ** 30n, { asset: RECIPIENT, decimals: 9 }, '1000000000000000000000'],
  ])('writes %s base units to the digit', async (rawAmount, more, written) => {
    const { transfers, requests } = await open(() => asJson(CREATED))
    await transfers.create({ ...transfer, rawAmount, ...more })
    expect(requests[0]?.text).toMatch(new RegExp(`^\\{"amount":${written.replace('.', '\\.')},`))
  })

  it.each<[bigint, Partial<NewTransfer>]>([
    [1_234_567_890_123_456_789n, {}],
    [2n ** 90n, { asset: RECIPIENT, decimals: 0 }],
    [10n ** 17n + 1n, { asset: USDT }],
  ])('refuses %s base units, which a number would round', async (rawAmount, more) => {
    const { transfers, requests } = await open(() => asJson(CREATED))
    await expect(transfers.create({ ...transfer, rawAmount, ...more })).rejects.toThrow(
      /rawAmount has more digits than the gateway's number/,
    )
    expect(requests).toHaveLength(0)
  })

  it.each<[Record<string, unknown>, RegExp]>([
    [{ rawAmount: 0n }, /rawAmount must be base units as a bigint above 0/],
    [{ rawAmount: -1n }, /rawAmount must be base units/],
    [{ rawAmount: 10.5 }, /rawAmount must be base units/],
    [{ rawAmount: undefined }, /rawAmount must be base units/],
    [{ asset: 'USDT' }, /asset must be 'TON', 'GRAM' or/],
    [{ asset: RECIPIENT }, /decimals must be passed/],
    [{ asset: RECIPIENT, decimals: 1.5 }, /decimals must be an integer from 0 to 255/],
    [{ decimals: 6 }, /decimals must be 9 for the native coin/],
    [{ asset: USDT, decimals: 9 }, /decimals must be .* 6 for USDT/],
    [{ senderAddr: 'me' }, /senderAddr must be an address/],
    [{ recipientAddr: SENDER.replace('C', 'D') }, /recipientAddr/],
    [{ queryId: 1n }, /queryId may be passed for jettons only/],
    [{ asset: USDT, queryId: 2n ** 53n }, /queryId must be/],
    [{ commentToRecipient: 7 }, /commentToRecipient must be a string/],
    [{ recipient: RECIPIENT }, /recipient is not a parameter of this endpoint/],
  ])('refuses %o before anything is sent', async (wrong, problem) => {
    const { transfers, requests } = await open(() => asJson(CREATED))
    // As a caller without types.
    const given = { ...transfer, ...wrong } as NewTransfer
    await expect(transfers.create(given)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVALID_PARAMS',
      message: expect.stringMatching(problem),
    })
    expect(requests).toHaveLength(0)
  })

  it.each([
    ['pending', 'pending'],
    ['success', 'success'],
    ['failed', 'failed'],
    ['error', 'failed'],
    ['SUCCESS', 'unknown'],
    ['refunded', 'unknown'],
    ['constructor', 'unknown'],
  ])('S30 maps the status %s to %s', async (status, state) => {
    const { transfers } = await open(() => asJson({ status, reference: 'ref-1', txHash: null }))
    const read = await transfers.byReference('ref-1')
    expect(read).toMatchObject({ status, state, reference: 'ref-1' })
    expect(read?.txHash).toBeUndefined()
  })

  it('reads amounts to the digit, however they are written', async () => {
    const texts = ['"123456789012345678901234567890"', '123456789012345678901234567890', '7']
    const { transfers } = await open(() => ({
      body: `{"status":"success","reference":"r","rawAmount":${texts.shift()}}`,
    }))
    const amounts = []
    for (let left = 3; left > 0; left--) {
      amounts.push((await transfers.byReference('r'))?.rawAmount)
    }
    expect(amounts).toEqual([123456789012345678901234567890n, 123456789012345678901234567890n, 7n])
  })

  it.each([
    [{ ...PAID, rawAmount: '10.5' }, 'rawAmount'],
    [{ ...PAID, reference: 'another' }, 'reference'],
    [{ ...PAID, reference: undefined }, 'reference'],
    [{ ...PAID, status: undefined }, 'status'],
  ])('rejects a response with an invalid field: %#', async (body, path) => {
    const { transfers } = await open(() => asJson(body))
    const error = { code: 'ERR_TONPLUG_RESPONSE_SHAPE', path }
    await expect(transfers.byReference('ref 1/ö')).rejects.toMatchObject(error)
  })

  it('returns null when the gateway does not know the transfer, and not for a page of a proxy', async () => {
    const replies: Reply[] = [
      asJson({ message: 'Transfer not found' }, 404),
      { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' },
    ]
    const { transfers } = await open(() => replies.shift() ?? asJson(PAID))
    expect(await transfers.byReference('ref-1')).toBeNull()
    await expect(transfers.byReference('ref-1')).rejects.toMatchObject({
      code: 'ERR_TONPLUG_HTTP_STATUS',
    })
  })

  it.each([
    [400, { message: 'no such asset', code: 'INVALID_ASSET' }, 'no such asset', 'INVALID_ASSET'],
    [429, { message: 'too many', code: 429 }, 'too many', 429],
  ])(
    'keeps the message and the code of a rejection with status %i',
    async (status, body, reason, serverCode) => {
      const { transfers } = await open(() => asJson(body, status), { retry: { maxAttempts: 1 } })
      await expect(transfers.byReference('ref-1')).rejects.toMatchObject({
        details: { reason, serverCode },
      })
    },
  )

  it.each([
    [400, 'ERR_TONPLUG_VALIDATION'],
    [401, 'ERR_TONPLUG_AUTHENTICATION'],
    [403, 'ERR_TONPLUG_AUTHENTICATION'],
    [404, 'ERR_TONPLUG_NOT_FOUND'],
    [422, 'ERR_TONPLUG_VALIDATION'],
    [500, 'ERR_TONPLUG_SERVER'],
  ])('reports a rejection with status %i, without the key', async (status, code) => {
    const apiKey = 'key-of-the-dashboard'
    const text = { message: `no such key: ${apiKey}` }
    const { transfers, requests } = await open(() => asJson(text, status), { apiKey })
    const error: unknown = await transfers.create(transfer).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code })
    expect(inspect(error, { depth: 10 })).not.toContain(apiKey)
    expect(requests).toHaveLength(1)
  })

  it('retries a read, and a creation only after a 429', async () => {
    const faults: Reply[] = [asJson({}, 503), asJson({}, 429)]
    const { transfers, requests } = await open(() => faults.shift() ?? asJson(PAID))
    await transfers.byReference('ref 1/ö')
    expect(requests).toHaveLength(3)

    const limited = [asJson({}, 429), asJson(CREATED)]
    const other = await open(() => limited.shift() ?? asJson({}, 500))
    await other.transfers.create(transfer)
    expect(other.requests).toHaveLength(2)
  })

  it.each([502, 503, 504, 408])('never repeats a creation that ended in %i', async (status) => {
    const { transfers, requests } = await open(() => asJson({}, status))
    await expect(transfers.create(transfer)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_OUTCOME_UNKNOWN',
      message: expect.stringContaining('create another transfer'),
    })
    expect(requests).toHaveLength(1)
  })

  it.each(['timeoutMs', 'deadlineMs'] as const)(
    'reports an unknown outcome for a creation that ended by %s, and never repeats it',
    async (limit) => {
      const clock = createFakeClock()
      let requests = 0
      const server = createServer((request) => {
        request.resume()
        requests++
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => {
        server.close()
        server.closeAllConnections()
      })
      // It listens on a port.
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const transfers = createTransferClient({ baseUrl, clock, [limit]: 5000 })
      const created = transfers.create(transfer)
      const error = created.catch((caught: unknown) => caught)
      await expect.poll(() => requests).toBe(1)
      await clock.advance(5000)
      expect(await error).toMatchObject({
        code: 'ERR_TONPLUG_OUTCOME_UNKNOWN',
        details: { lostCode: 'ERR_TONPLUG_TIMEOUT', attempts: 1 },
      })
      await clock.advance(60_000)
      expect(requests).toBe(1)
    },
  )

  it('reports an unknown outcome for a creation whose connection broke', async () => {
    let requests = 0
    const server = createServer((request) => {
      requests++
      request.socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    // It listens on a port.
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const transfers = createTransferClient({ baseUrl })
    await expect(transfers.create(transfer)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_OUTCOME_UNKNOWN',
    })
    expect(requests).toBe(1)
  })

  it('reports for an unreachable gateway that nothing was done', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const retry = { minDelayMs: 0, maxDelayMs: 0 }
    const transfers = createTransferClient({ baseUrl, retry })
    await expect(transfers.create(transfer)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_NETWORK',
      attempts: 4,
    })
  })

  it('rejects invalid options', () => {
    const wrong = (options: object) => () => createTransferClient(options)
    expect(wrong({ network: 'devnet' })).toThrow("network: must be 'mainnet' or 'testnet'")
    expect(wrong({ network: 'testnet', baseUrl: 'https://pay.example' })).toThrow(
      /baseUrl: cannot be combined with network/,
    )
    expect(wrong({ apikey: 'x' })).toThrow(/did you mean apiKey/)
    for (const apiKey of ['', ' '])
      expect(wrong({ apiKey })).toThrow(/^apiKey: must not be blank: .* no webhook/)
    for (const apiKey of ['undefined', '"key"', 'your-api-key', '{"key":"a"}', '$TONPAY_API_KEY'])
      expect(wrong({ apiKey })).toThrow(/^apiKey: must (?!not be blank)/)
  })
})
