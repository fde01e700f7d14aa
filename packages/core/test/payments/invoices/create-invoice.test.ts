import { Address, beginCell, Cell, comment } from '@ton/core'
import {
  createInvoice,
  formatUnits,
  memoryOrderRepository,
  type Invoice,
  type InvoiceOptions,
} from '@tonplug/core'
import { createTransport, createV3Client, jettonDecimals } from '@tonplug/core/toncenter'
import { transferBody } from '@tonplug/simulator'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { createFakeClock } from '@tonplug/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const WALLET = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
const RAW_WALLET = Address.parse(WALLET).toRawString()
const MASTER = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const RAW_MASTER = Address.parse(MASTER).toRawString()
const PAYER = Address.parse(`0:${'ab'.repeat(32)}`)
const PAYER_JETTONS = Address.parse(`0:${'cd'.repeat(32)}`)
const NOW = Date.UTC(2026, 0, 5) / 1000
const clock = createFakeClock({ startMs: NOW * 1000 })
/** The body of the comment `order-17`. */
const COMMENT = 'te6ccgECAQEAAA4AABgAAAAAb3JkZXItMTc='

type Given = Record<string, unknown>

/** Creates an invoice of 1 TON, as a caller without types. */
function create(given: Given = {}): Promise<Invoice> {
  const options = { wallet: WALLET, asset: 'TON', rawAmount: 10n ** 9n, clock, ...given }
  return createInvoice(options as InvoiceOptions)
}

function refused(option: string, message: RegExp) {
  return expect.objectContaining({
    code: 'ERR_TONPLUG_CONFIGURATION',
    details: { option },
    message: expect.stringMatching(message),
  })
}

/** Serves the metadata of a jetton, and the jetton wallet of the payer. */
async function serveJetton(content: object | null, info: object[] = []) {
  const { baseUrl, requests } = await startMockApi(({ path, body }) => {
    if (path === '/runGetMethod') {
      const { method } = body as { method: string }
      // Neither the payer nor the merchant has a contract.
      if (method !== 'get_wallet_address')
        return { body: { gas_used: 0, exit_code: -13, stack: [] } }
      const value = beginCell().storeAddress(PAYER_JETTONS).endCell().toBoc().toString('base64')
      return { body: { gas_used: 1, exit_code: 0, stack: [{ type: 'cell', value }] } }
    }
    const address = RAW_MASTER.toUpperCase()
    const counts = { total_supply: '1', last_transaction_lt: '1', mintable: true }
    const master = { address, ...counts, jetton_content: content }
    const metadata = { [address]: { is_indexed: true, token_info: info } }
    return { body: { jetton_masters: [master], address_book: {}, metadata } }
  })
  const transport = createTransport({ baseUrl, rps: Infinity })
  return { v3: createV3Client({ transport }), requests }
}

/** Returns the parameters of a link as `URL` reads them, except that a `+` stays a `+`. */
function parametersOf(link: string): Record<string, string> {
  const { protocol, host, search } = new URL(link.replaceAll('+', '%2B'))
  expect([protocol, host]).toEqual(['ton:', 'transfer'])
  return Object.fromEntries(new URLSearchParams(search))
}

describe('createInvoice', () => {
  it('returns the order to store, bound to the body of the comment', async () => {
    const { order } = await create({ amount: '10.5', rawAmount: undefined })
    expect(order).toEqual({
      reference: order.reference,
      rawAmount: 10_500_000_000n,
      asset: 'TON',
      status: 'pending',
      recipient: WALLET,
      bodyBase64Hash: comment(order.reference).hash().toString('base64'),
      createdAt: new Date(NOW * 1000),
    })
    const orders = memoryOrderRepository()
    orders.add(order)
    expect(await orders.find(order)).toMatchObject(order)
  })

  it('creates a different random reference each time', async () => {
    const invoices = await Promise.all(Array.from({ length: 500 }, () => create()))
    const references = invoices.map(({ order }) => order.reference)
    expect(new Set(references).size).toBe(500)
    for (const one of references) expect(one).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    // 13,000 characters of 32 kinds: each kind occurs, and none often.
    const counts = new Map<string, number>()
    for (const one of references.join('')) counts.set(one, (counts.get(one) ?? 0) + 1)
    expect(counts.size).toBe(32)
    expect(Math.max(...counts.values())).toBeLessThan(650)
  })

  it('binds no chosen reference to a body, since an older payment may have it', async () => {
    const { order } = await create({ reference: 'order-17' })
    expect(order).toMatchObject({ reference: 'order-17', bodyBase64Hash: undefined })
  })

  it('is JSON without bigints, and nothing that only the server may know', async () => {
    const expiresAt = new Date((NOW + 900) * 1000)
    const invoice = await create({ reference: 'order-17', expiresAt })
    expect(JSON.parse(JSON.stringify(invoice))).toEqual({
      reference: 'order-17',
      asset: 'TON',
      rawAmount: '1000000000',
      amount: '1',
      recipient: WALLET,
      link: `ton://transfer/${WALLET}?amount=1000000000&text=order-17&exp=${NOW + 900}`,
      links: invoice.links,
      expiresAt: expiresAt.toISOString(),
      tonConnect: {
        network: '-239',
        items: [{ type: 'ton', address: WALLET, amount: '1000000000', payload: COMMENT }],
      },
      serverTime: new Date(NOW * 1000).toISOString(),
    })
    expect(Cell.fromBase64(COMMENT).equals(comment('order-17'))).toBe(true)
  })

  it('creates a TON Connect request with the comment', async () => {
    const invoice = await create({ reference: 'order-17' })
    const request = await invoice.tonConnect({ sender: PAYER.toString() })
    expect(request).toEqual({
      validUntil: NOW + 300,
      network: '-239',
      from: PAYER.toRawString(),
      messages: [{ address: WALLET, amount: '1000000000', payload: expect.any(String) }],
    })
    const [message] = request.messages
    expect(Cell.fromBase64(message!.payload).equals(comment('order-17'))).toBe(true)
    expect(JSON.parse(JSON.stringify(request))).toEqual(request)
  })

  it('creates a jetton transfer as TEP-74 describes it', async () => {
    const { v3, requests } = await serveJetton({ decimals: '6' })
    const invoice = await create({ asset: MASTER, rawAmount: undefined, amount: '12.5', v3 })
    const { reference } = invoice.order
    expect(invoice.order).toMatchObject({ asset: RAW_MASTER, rawAmount: 12_500_000n })
    expect(invoice.order.bodyBase64Hash).toBeUndefined()
    expect(invoice.toJSON()).toMatchObject({ rawAmount: '12500000', amount: '12.5' })
    expect(parametersOf(invoice.link)).toEqual({
      amount: '12500000',
      text: reference,
      jetton: MASTER,
    })
    const { messages } = await invoice.tonConnect({ sender: PAYER.toString() })
    await invoice.tonConnect({ sender: PAYER.toRawString() })
    expect(messages).toMatchObject([{ address: PAYER_JETTONS.toString(), amount: '100000000' }])
    const body = transferBody({
      amount: 12_500_000n,
      to: Address.parse(WALLET),
      response: PAYER,
      forwardCoins: 1n,
      forwardPayload: comment(reference),
    })
    expect(Cell.fromBase64(messages[0]!.payload).equals(body)).toBe(true)
    // The decimals and the merchant once, the master once, the payer's wallet each time.
    expect(requests.map(({ path }) => path).toSorted()).toEqual([
      '/jetton/masters',
      ...Array<string>(4).fill('/runGetMethod'),
    ])
  })

  it.each<[string, Given, string, string]>([
    ['mainnet', {}, WALLET, '-239'],
    ['a raw wallet', { wallet: RAW_WALLET }, WALLET, '-239'],
    ['a bounceable wallet', { wallet: Address.parse(WALLET).toString() }, 'EQ', '-239'],
    ['testnet', { network: 'testnet' }, '0Q', '-3'],
    [
      'a test-only wallet',
      { wallet: Address.parse(WALLET).toString({ testOnly: true }) },
      'kQ',
      '-3',
    ],
    ['the masterchain', { wallet: `-1:${'0'.repeat(64)}` }, 'Uf', '-239'],
  ])('writes addresses of %s', async (_, given, start, network) => {
    const invoice = await create(given)
    const { recipient = '' } = invoice.order
    expect(recipient.startsWith(start)).toBe(true)
    expect(invoice.link.startsWith(`ton://transfer/${recipient}?`)).toBe(true)
    const request = await invoice.tonConnect({ sender: PAYER.toString() })
    expect(request).toMatchObject({ network, messages: [{ address: recipient }] })
  })

  it.each([1n, 2n ** 53n + 1n, 2n ** 120n - 1n])(
    'writes %i base units to the digit',
    async (rawAmount) => {
      const invoice = await create({ rawAmount })
      const { messages } = await invoice.tonConnect({ sender: PAYER.toString() })
      const json = JSON.parse(JSON.stringify(invoice)) as Record<string, string>
      expect(BigInt(parametersOf(invoice.link)['amount']!)).toBe(rawAmount)
      expect(BigInt(messages[0]!.amount)).toBe(rawAmount)
      expect([json['rawAmount'], json['amount']]).toEqual([
        `${rawAmount}`,
        formatUnits(rawAmount, 9),
      ])
    },
  )

  it('asks for no payment after it expired', async () => {
    const own = createFakeClock({ startMs: NOW * 1000 })
    const expiresAt = new Date((NOW + 60) * 1000 + 999)
    const given = { reference: 'order-17', expiresAt, clock: own }
    const invoice = await create(given)
    await own.advance(59_999)
    expect((await invoice.tonConnect({ sender: PAYER.toString() })).validUntil).toBe(NOW + 60)
    await own.advance(1)
    const error = expect.objectContaining({
      code: 'ERR_TONPLUG_INVOICE_EXPIRED',
      message: `the invoice "order-17" expired at ${expiresAt.toISOString()}; create another one`,
    })
    await expect(invoice.tonConnect({ sender: PAYER.toString() })).rejects.toThrow(error)
    await expect(create(given)).rejects.toThrow(error)
  })

  it.each<[string, Given, RegExp]>([
    ['reference', { reference: '' }, /must be 1 to 123 bytes of visible characters/],
    ['reference', { reference: 'x'.repeat(1024) }, /must be 1 to 123 bytes/],
    ['reference', { reference: '✓'.repeat(42) }, /must be 1 to 123 bytes/],
    ['reference', { reference: ' order' }, /without spaces at its ends/],
    ['reference', { reference: 'order ' }, /without spaces at its ends/],
    ['reference', { reference: 'two  spaces' }, /visible characters/],
    ['reference', { reference: 'line\nbreak' }, /visible characters/],
    ['reference', { reference: 'no\u00a0break' }, /visible characters/],
    ['reference', { reference: 'zero\u200bwidth' }, /visible characters/],
    ['reference', { reference: 'right\u202eto left' }, /visible characters/],
    ['reference', { reference: 'nul\u0000' }, /visible characters/],
    ['reference', { reference: '\ud83d' }, /visible characters/],
    ['reference', { reference: 17 }, /received 17\. Omit it/],
    ['walet', { walet: WALLET }, /is not an option here; did you mean wallet\?/],
    ['wallet', { wallet: 'my wallet' }, /is not a TON address/],
    ['wallet', { wallet: undefined }, /must be a TON address/],
    ['asset', { asset: 'USDT' }, /must be 'TON' or the address of a jetton master/],
    ['v3', { asset: MASTER, amount: '1', rawAmount: undefined }, /is required for a jetton/],
    ['v3', { v3: {} }, /must be the result of createV3Client/],
    ['amount', { rawAmount: undefined }, /as amount or as rawAmount; received neither/],
    ['amount', { amount: '1' }, /as amount or as rawAmount; received both/],
    ['amount', { rawAmount: undefined, amount: 10.5 }, /must be whole coins as a string/],
    ['amount', { rawAmount: undefined, amount: '0.0' }, /must be above 0 .* received 0/],
    [
      'amount',
      { rawAmount: undefined, amount: '9'.repeat(60) },
      /must be above 0 and below 2\^120/,
    ],
    ['rawAmount', { rawAmount: 0n }, /must be above 0/],
    ['rawAmount', { rawAmount: -1n }, /must be above 0/],
    ['rawAmount', { rawAmount: 2n ** 120n }, /below 2\^120/],
    ['rawAmount', { rawAmount: 10 }, /must be base units as a bigint/],
    ['decimals', { decimals: 6 }, /must be 9 or omitted for the native coin/],
    ['expiresAt', { expiresAt: new Date(Number.NaN) }, /must be a valid Date/],
    [
      'expiresAt',
      { expiresAt: new Date(8_640_000_000_000_000) },
      /must be a valid Date before 2106/,
    ],
    ['expiresAt', { expiresAt: NOW + 60 }, /must be a valid Date/],
    ['network', { network: 'devnet' }, /must be 'mainnet' or 'testnet'/],
    [
      'network',
      { network: 'mainnet', wallet: Address.parse(WALLET).toString({ testOnly: true }) },
      /must be 'testnet' or omitted/,
    ],
  ])('rejects an invalid %s: %o', async (option, given, message) => {
    await expect(create(given)).rejects.toThrow(refused(option, message))
  })

  it.each(['1e9', '-1', ' 1', '1.0000000001', ''])('rejects the amount %j', async (amount) => {
    await expect(create({ rawAmount: undefined, amount })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_AMOUNT',
    })
  })

  it.each(['', 'me', WALLET.replace('C', 'D')])('rejects the sender %j', async (sender) => {
    const invoice = await create()
    await expect(invoice.tonConnect({ sender })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_ADDRESS',
    })
  })

  it('creates links and comments that state any valid reference unchanged', async () => {
    const words = fc.stringMatching(/^[^\p{C}\p{Z}]{1,12}( [^\p{C}\p{Z}]{1,12})?$/u)
    const references = fc.oneof(words, fc.stringMatching(/^[&=?#%+/"'<>\\]{1,40}$/))
    const property = fc.asyncProperty(references, async (reference) => {
      const invoice = await create({ reference })
      expect(parametersOf(invoice.link)['text']).toBe(reference)
      expect(invoice.link).toMatch(/^[\x21-\x7e]+$/)
      const { messages } = await invoice.tonConnect({ sender: PAYER.toString() })
      expect(Cell.fromBase64(messages[0]!.payload).equals(comment(reference))).toBe(true)
    })
    await fc.assert(property)
  })

  it('rejects or keeps any string as a reference', async () => {
    const property = fc.asyncProperty(fc.string({ unit: 'binary' }), async (reference) => {
      const rejected = (error: { details: { option: string } }): string => error.details.option
      const created = create({ reference }).then(({ link }) => parametersOf(link)['text'], rejected)
      expect([reference, 'reference']).toContain(await created)
    })
    await fc.assert(property)
  })
})

describe('the structured items of an invoice', () => {
  const given = { asset: MASTER, rawAmount: 12_500_000n, reference: 'order-17' }
  const item = {
    type: 'jetton',
    master: MASTER,
    destination: WALLET,
    amount: '12500000',
    forwardPayload: COMMENT,
  }

  it('S152 ask any wallet for a jetton, without a request to an index', async () => {
    const invoice = await create(given)
    expect(await invoice.tonConnect()).toStrictEqual({
      validUntil: NOW + 300,
      network: '-239',
      items: [item],
    })
    expect(invoice.order).toMatchObject({ asset: RAW_MASTER, rawAmount: 12_500_000n })
    const shown = JSON.parse(JSON.stringify(invoice)) as Record<string, unknown>
    expect(shown).toMatchObject({ tonConnect: { network: '-239', items: [item] } })
    // Without decimals there are no whole coins to show.
    expect(shown).not.toHaveProperty('amount')
    expect(await create({ ...given, decimals: 6 }).then((one) => one.toJSON().amount)).toBe('12.5')
    const messages = invoice.tonConnect({ sender: PAYER.toString() })
    await expect(messages).rejects.toThrow(refused('v3', /is required for a jetton/))
  })

  it('carry the comment in one ordinary cell', async () => {
    const invoice = await create()
    const { items } = await invoice.tonConnect({})
    expect(items).toStrictEqual([
      { type: 'ton', address: WALLET, amount: '1000000000', payload: expect.any(String) },
    ])
    const payload = 'payload' in items[0]! ? items[0].payload : ''
    const [cell, ...others] = Cell.fromBoc(Buffer.from(payload, 'base64'))
    expect([cell?.isExotic, cell?.refs, others]).toEqual([false, [], []])
    expect(cell?.equals(comment(invoice.order.reference))).toBe(true)
  })

  it.each<[string, Given]>([
    ['the test network', { network: 'testnet' }],
    ['a bounceable wallet', { wallet: Address.parse(WALLET).toString() }],
    ['a raw wallet', { wallet: RAW_WALLET }],
  ])('name friendly addresses of %s', async (name, changes) => {
    const invoice = await create({ ...given, ...changes })
    const { items, network } = await invoice.tonConnect({ responseDestination: RAW_MASTER })
    const isTest = name === 'the test network'
    const bounceable = name === 'a bounceable wallet'
    const flags = { testOnly: isTest }
    expect(network).toBe(isTest ? '-3' : '-239')
    expect(items).toStrictEqual([
      {
        ...item,
        master: Address.parse(MASTER).toString(flags),
        destination: Address.parse(WALLET).toString({ ...flags, bounceable }),
        responseDestination: Address.parse(MASTER).toString({ ...flags, bounceable: false }),
      },
    ])
  })

  it('send the rest of the coins of a message to the chosen address', async () => {
    const { v3 } = await serveJetton({ decimals: '6' })
    const invoice = await create({ ...given, v3 })
    const sender = PAYER.toRawString()
    const { messages } = await invoice.tonConnect({ sender, responseDestination: MASTER })
    const body = transferBody({
      amount: 12_500_000n,
      to: Address.parse(WALLET),
      response: Address.parse(MASTER),
      forwardCoins: 1n,
      forwardPayload: comment('order-17'),
    })
    expect(Cell.fromBase64(messages[0]!.payload).equals(body)).toBe(true)
  })

  it('are compact in an embedded request', async () => {
    const read = (text: string) =>
      JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
    const invoice = await create(given)
    const compact = { t: 'jetton', ma: MASTER, d: WALLET, am: '12500000', fp: COMMENT }
    const request = { m: 'st', n: '-239', vu: NOW + 300, i: [compact] }
    expect(read(invoice.embedded())).toStrictEqual(request)
    expect(read(invoice.embedded({ responseDestination: WALLET }))).toStrictEqual({
      ...request,
      i: [{ ...compact, rd: WALLET }],
    })
    expect(read((await create({ reference: 'order-17' })).embedded())).toStrictEqual({
      ...request,
      i: [{ t: 'ton', a: WALLET, am: '1000000000', p: COMMENT }],
    })
    const ofDefault = await create({ asset: MASTER, rawAmount: 10n ** 12n })
    expect(ofDefault.embedded()).toMatch(/^[\w-]{200,359}$/)
  })

  it('are not asked for after the invoice expired', async () => {
    const own = createFakeClock({ startMs: NOW * 1000 })
    const invoice = await create({ expiresAt: new Date((NOW + 60) * 1000), clock: own })
    expect((await invoice.tonConnect()).validUntil).toBe(NOW + 60)
    await own.advance(60_000)
    const code = 'ERR_TONPLUG_INVOICE_EXPIRED'
    await expect(invoice.tonConnect()).rejects.toMatchObject({ code })
    expect(() => invoice.embedded()).toThrow(expect.objectContaining({ code }))
  })

  it('are not returned when the options are an address', async () => {
    const invoice = await create()
    const ask = invoice.tonConnect as (options: unknown) => Promise<unknown>
    await expect(ask(PAYER.toString())).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
    })
  })
})

describe('the links of an invoice', () => {
  const query = (link: string): string => link.slice('ton://transfer/'.length)
  const expiresAt = new Date((NOW + 900) * 1000)

  it('open one wallet app each, with the parameters of the ton:// link', async () => {
    const { link, links } = await create({ reference: 'order 17', expiresAt })
    expect(query(link)).toContain(`?amount=1000000000&text=order%2017&exp=${NOW + 900}`)
    expect(links).toStrictEqual({
      keeper: `https://app.keeperwallet.com/transfer/${query(link)}`,
      myTonWallet: `https://my.tt/transfer/${query(link)}`,
      tonhub: `https://tonhub.com/transfer/${query(link)}`,
    })
  })

  it('leave out a wallet that converts the amount of a jetton', async () => {
    const { links } = await create({ asset: MASTER })
    expect(Object.keys(links)).toEqual(['keeper', 'myTonWallet'])
    expect(links.keeper).toContain(`&jetton=${MASTER}`)
  })

  it('are on testnet only those that open testnet', async () => {
    const { link, links } = await create({ network: 'testnet' })
    expect(links).toStrictEqual({ tonhub: `https://test.tonhub.com/transfer/${query(link)}` })
    expect((await create({ asset: MASTER, network: 'testnet' })).links).toStrictEqual({})
  })
})

describe('jettonDecimals', () => {
  const info = (decimals: unknown, changes: object = {}) => [
    { type: 'jetton_masters', valid: true, extra: { decimals }, ...changes },
  ]

  it.each<[string, object | null, object[], number]>([
    ['the content', { decimals: '6' }, [], 6],
    ['the metadata', { uri: 'https://example.com' }, info('9'), 9],
    ['both', { decimals: '0' }, info('0'), 0],
    ['the metadata, as a number', null, info(18), 18],
    ['the content beside invalid metadata', { decimals: '6' }, info('9', { valid: false }), 6],
    [
      'the content beside metadata of a wallet',
      { decimals: '6' },
      info('9', { type: 'jetton_wallets' }),
      6,
    ],
  ])('reads %s', async (_, content, token, decimals) => {
    const { v3 } = await serveJetton(content, token)
    expect(await jettonDecimals(v3, MASTER)).toBe(decimals)
  })

  it.each<[string, object | null, object[], RegExp]>([
    ['nothing', null, [], /states no decimals/],
    ['no decimals', { uri: 'https://example.com' }, info(undefined), /states no decimals/],
    ['a fraction', { decimals: '6.5' }, [], /states no decimals/],
    ['an exponent', { decimals: '1e1' }, [], /states no decimals/],
    ['a negative number', { decimals: '-6' }, [], /states no decimals/],
    ['more than a byte', { decimals: '256' }, [], /states no decimals/],
    ['two numbers', { decimals: '6' }, info('9'), /states contradictory decimals/],
  ])('rejects %s, and asks again', async (_, content, token, message) => {
    const { v3, requests } = await serveJetton(content, token)
    for (const asked of [1, 2]) {
      await expect(jettonDecimals(v3, MASTER)).rejects.toThrow(refused('decimals', message))
      expect(requests).toHaveLength(asked)
    }
    // The shop may know them.
    const invoice = await create({
      asset: MASTER,
      amount: '1',
      rawAmount: undefined,
      decimals: 3,
      v3,
    })
    expect(invoice.order.rawAmount).toBe(1000n)
  })
})
