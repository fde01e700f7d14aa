import {
  cachedRates,
  createInvoice,
  memoryOrderRepository,
  priceToUnits,
  type InvoiceWithOffersOptions,
  type Rate,
  type Rates,
} from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const WALLET = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
const USDT = `0:${'b1'.repeat(32)}`
const START_MS = Date.UTC(2026, 0, 5)
// In no error.
const SECRET = 'https://prices.example/?api_key=s3cret'

function open() {
  const clock = createFakeClock({ startMs: START_MS })
  const rate = (price: unknown, ageMs = 0): Rate =>
    ({ price, at: new Date(clock.nowMs() - ageMs) }) as Rate
  const invoice = (rates: unknown, options: object = {}) =>
    createInvoice({
      wallet: WALLET,
      price: '12.50',
      currency: 'USD',
      accept: ['TON'],
      rates: rates as Rates,
      clock,
      ...options,
    } as InvoiceWithOffersOptions)
  return { clock, rate, invoice }
}

function rateError(reason: string) {
  return expect.objectContaining({
    code: 'ERR_TONPLUG_RATE',
    details: { asset: 'TON', currency: 'USD', reason },
    message: expect.not.stringContaining('s3cret'),
  })
}

describe('rates of createInvoice', () => {
  it('S127 stores the rate, its time and its source with the offer', async () => {
    const { clock, rate, invoice } = open()
    const { order, offers, expiresAt } = await invoice(() => ({
      ...rate('5.23', 1000),
      source: 'our table',
    }))
    const end = new Date(START_MS + 900_000)
    expect([expiresAt, order.expiresAt]).toEqual([end, end])
    const stored = {
      rawAmount: 2_390_057_362n,
      asset: 'TON',
      decimals: 9,
      rate: {
        price: '5.23',
        currency: 'USD',
        at: new Date(START_MS - 1000),
        source: 'our table',
        orderPrice: '12.50',
      },
      expiresAt: end,
    }
    expect(order.offers).toEqual([stored])
    expect(order).not.toHaveProperty('rawAmount')
    const [offer] = offers
    expect(offer).toMatchObject({ ...stored, amount: '2.390057362' })
    expect(offer?.link).toContain(`amount=2390057362&text=${order.reference}&exp=1767572100`)
    const { validUntil } = (await offer?.tonConnect({ sender: WALLET })) ?? {}
    expect(validUntil).toBe(START_MS / 1000 + 300)
    await clock.advance(900_000)
    await expect(offer?.tonConnect({ sender: WALLET })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVOICE_EXPIRED',
    })
  })

  it.each([
    ['old', (rate: ReturnType<typeof open>['rate']) => rate('5.23', 600_001)],
    ['zero', (rate: ReturnType<typeof open>['rate']) => rate('0')],
    ['zero', (rate: ReturnType<typeof open>['rate']) => rate('0.000')],
    ['negative', (rate: ReturnType<typeof open>['rate']) => rate('-5.23')],
    ['not_decimal', (rate: ReturnType<typeof open>['rate']) => rate(5.23)],
    ['not_decimal', (rate: ReturnType<typeof open>['rate']) => rate('5,23')],
    ['not_decimal', (rate: ReturnType<typeof open>['rate']) => rate('5e1')],
    ['not_decimal', (rate: ReturnType<typeof open>['rate']) => rate('NaN')],
    ['not_decimal', (rate: ReturnType<typeof open>['rate']) => rate(undefined)],
    ['failed', () => undefined],
    ['failed', () => ({ price: '5.23' })],
    ['failed', () => ({ price: '5.23', at: new Date(Number.NaN) })],
    ['failed', (rate: ReturnType<typeof open>['rate']) => rate('5.23', -60_001)],
    ['bounds', (rate: ReturnType<typeof open>['rate']) => rate('52.3')],
    ['bounds', (rate: ReturnType<typeof open>['rate']) => rate('0.99')],
  ])('S130 refuses a rate as %s: case %#', async (reason, answer) => {
    const { rate, invoice } = open()
    const bounds = { GRAM: { min: '1', max: '20.00' } }
    await expect(invoice(() => answer(rate), { bounds })).rejects.toThrow(rateError(reason))
  })

  it.each([
    ['52.30', 'more than twice'],
    ['10.460001', 'more than twice'],
    ['2.614999', 'less than half'],
    ['0.523', 'less than half'],
  ])(
    'S130 refuses %s as a jump from 5.23, until bounds say that it is right',
    async (price, why) => {
      const { rate, invoice } = open()
      const prices = ['5.23', price, '5.23', '2.615', '5.23', '10.46', price]
      const rates = () => rate(prices.shift())
      await invoice(rates)
      const jumped = invoice(rates)
      await expect(jumped).rejects.toThrow(rateError('jump'))
      await expect(jumped).rejects.toThrow(why)
      for (const accepted of ['5.23', '2.615', '5.23', '10.46']) {
        const { order } = await invoice(rates)
        expect(order.offers[0]?.rate?.price).toBe(accepted)
      }
      const { order } = await invoice(rates, { bounds: { TON: { min: '0.1', max: '100' } } })
      expect(order.offers[0]?.rate?.price).toBe(price)
    },
  )

  it('compares a rate with none of another wallet or currency', async () => {
    const { rate, invoice } = open()
    await invoice(() => rate('5'))
    await invoice(() => rate('450'), { currency: 'RUB' })
    await invoice(() => rate('450'), { wallet: `0:${'cd'.repeat(32)}` })
    await expect(invoice(() => rate('450'))).rejects.toThrow(rateError('jump'))
  })

  it('S130 compares the first rate of a process with the newest order that has one', async () => {
    const before = open()
    const orders = memoryOrderRepository()
    orders.add((await before.invoice(() => before.rate('5'))).order)
    await before.clock.advance(1000)
    const { order: newest } = await before.invoice(() => before.rate('6'))
    orders.add(newest)
    const others = [
      [{ currency: 'RUB' }, '500'],
      [{ wallet: `0:${'cd'.repeat(32)}` }, '400'],
      [{ accept: [USDT], decimals: { [USDT]: 6 } }, '1'],
    ] as const
    for (const [options, price] of others) {
      await before.clock.advance(1000)
      orders.add((await before.invoice(() => before.rate(price), options)).order)
    }
    await before.clock.advance(1000)
    orders.add({ reference: 'plain', rawAmount: 1n, asset: 'TON', status: 'pending' })

    for (const price of ['60', '12.01', '2.99', '0.6', '500', '1']) {
      const { rate, invoice } = open()
      const jumped = invoice(() => rate(price), { orders })
      await expect(jumped).rejects.toThrow(rateError('jump'))
    }
    for (const price of ['12', '3']) {
      const { rate, invoice } = open()
      const { order } = await invoice(() => rate(price), { orders })
      expect(order.offers[0]?.rate?.price).toBe(price)
    }
    const { rate, invoice } = open()
    const bounds = { TON: { min: '1', max: '100' } }
    await expect(invoice(() => rate('60'), { orders, bounds })).resolves.toBeDefined()
  })

  it('S130 reads the orders until an invoice is made, and makes none while they cannot be read', async () => {
    const { rate, invoice } = open()
    const read: unknown[] = []
    const orders = {
      list: async (query: unknown) => {
        read.push(query)
        if (read.length === 1) throw new Error('no connection')
        return { orders: [] }
      },
    }
    const accept = ['TON', USDT]
    const options = { orders, accept, decimals: { [USDT]: 6 } }
    await expect(invoice(() => rate('5'), options)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_REPOSITORY',
      message: expect.stringContaining('orders.list'),
      cause: new Error('no connection'),
    })
    for (let made = 0; made < 3; made++) await invoice(() => rate('5'), options)
    expect(read).toEqual([{ limit: 100 }, { limit: 100 }])
    await expect(invoice(() => rate('50'), options)).rejects.toMatchObject({
      details: { reason: 'jump' },
    })
  })

  it.each([[undefined], [null], [[]], [{}], [{ orders: 'none' }]])(
    'S130 refuses %j as a page of orders, with which it could compare nothing',
    async (page) => {
      const { rate, invoice } = open()
      const orders = { list: async () => page as never }
      await expect(invoice(() => rate('5'), { orders })).rejects.toThrow(
        'orders.list: the result must be { orders }',
      )
    },
  )

  it('S130 skips stored orders that cannot be read', async () => {
    const before = open()
    const { order } = await before.invoice(() => before.rate('5'))
    const [offer] = order.offers
    const broken = [
      { ...order, recipient: 'nowhere' },
      { ...order, offers: [{ ...offer, asset: 'nothing' }] },
      { ...order, offers: [{ ...offer, rate: { ...offer?.rate, price: 500 } }] },
    ]
    const { rate, invoice } = open()
    const orders = { list: async () => ({ orders: [...broken, order] as (typeof order)[] }) }
    await expect(invoice(() => rate('60'), { orders })).rejects.toThrow(rateError('jump'))
    await expect(invoice(() => rate('6'), { orders })).resolves.toBeDefined()
  })

  it('S130 refuses a jump without a clock, too', async () => {
    const { invoice } = open()
    const options = { clock: undefined, wallet: `0:${'0e'.repeat(32)}` }
    await invoice(() => ({ price: '5', at: new Date() }), options)
    const jumped = invoice(() => ({ price: '50', at: new Date() }), options)
    await expect(jumped).rejects.toThrow(rateError('jump'))
  })

  it('S130 refuses a rate by which no transfer can have the amount', async () => {
    const { rate, invoice } = open()
    await expect(invoice(() => rate(`0.${'0'.repeat(60)}1`))).rejects.toThrow(rateError('bounds'))
  })

  it('S130 accepts a rate at each of its limits', async () => {
    const { rate, invoice } = open()
    const bounds = { TON: { min: '1', max: '20.00' } }
    for (const [price, ageMs] of [
      ['1', 600_000],
      ['20', -60_000],
    ] as const) {
      const { order } = await invoice(() => rate(price, ageMs), { bounds })
      expect(order.offers[0]?.rate?.price).toBe(price)
    }
  })

  it('S130 reports a source that fails without what it has written', async () => {
    const { invoice } = open()
    const thrown = () => {
      throw new Error(`fetch failed: ${SECRET}`)
    }
    await expect(invoice(thrown)).rejects.toThrow(rateError('failed'))
    await expect(invoice(async () => thrown())).rejects.toThrow(rateError('failed'))
  })

  it('S130 refuses a rate that is late, and aborts its request', async () => {
    const { clock, invoice } = open()
    let signal: AbortSignal | undefined
    const created = invoice(
      (_asset: string, _currency: string, options: { signal: AbortSignal }) => {
        signal = options.signal
        return new Promise(() => undefined)
      },
    )
    const failure = created.catch((error: unknown) => error)
    await clock.waitForTimer(({ delayMs }) => delayMs === 5000)
    await clock.advance(5000)
    expect(await failure).toEqual(rateError('late'))
    expect(signal?.aborted).toBe(true)
  })

  it('S130 refuses a rate that became old while another one was read', async () => {
    const { clock, rate, invoice } = open()
    const other = `0:${'ab'.repeat(32)}`
    const created = invoice(
      (asset: string) =>
        asset === 'TON'
          ? rate('5.23', 599_000)
          : new Promise((resolve) => clock.setTimer(() => resolve(rate('1')), 2000)),
      {
        accept: ['TON', other],
        decimals: { [other]: 6 },
        v3: { jettonMasters() {}, runGetMethod() {} },
      },
    )
    const failure = created.catch((error: unknown) => error)
    await clock.waitForTimer(({ delayMs }) => delayMs === 2000)
    await clock.advance(2000)
    expect(await failure).toEqual(rateError('old'))
  })

  it('S130 refuses an asset that is accepted twice', async () => {
    const { rate, invoice } = open()
    const twice = invoice(() => rate('5.23'), { accept: ['TON', 'GRAM'] })
    await expect(twice).rejects.toThrow(rateError('duplicate_asset'))
  })

  it.each([
    [{ price: 12.5 }, 'price'],
    [{ price: '-1' }, 'price'],
    [{ price: '0.00' }, 'price'],
    [{ currency: '' }, 'currency'],
    [{ accept: [] }, 'accept'],
    [{ accept: ['USDT'] }, 'accept[0]'],
    [{ lockMs: 86_400_001 }, 'lockMs'],
    [{ bounds: { TON: { min: 1, max: 2 } } }, 'bounds.TON.min'],
    [{ bounds: { TON: { min: '20', max: '1' } } }, 'bounds.TON'],
    [{ amount: '1' }, 'amount'],
    [{ orders: {} }, 'orders'],
  ])('refuses the options %j', async (options, option) => {
    const { rate, invoice } = open()
    await expect(invoice(() => rate('5.23'), options)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      details: { option },
    })
  })

  it('creates the invoice of a stored order again, with the same links', async () => {
    const { rate, invoice, clock } = open()
    const first = await invoice(() => rate('5.23'))
    const { reference, offers, recipient } = first.order
    const again = await createInvoice({ reference, offers, wallet: recipient, clock })
    expect(again.toJSON()).toEqual(first.toJSON())
    expect(again.order.offers).toEqual(offers)
    await clock.advance(900_000)
    const late = createInvoice({ reference, offers, wallet: recipient, clock })
    await expect(late).rejects.toMatchObject({ code: 'ERR_TONPLUG_INVOICE_EXPIRED' })
  })
})

describe('priceToUnits', () => {
  it.each([
    ['12.50', '5.23', 9, 2_390_057_362n],
    ['12.50', '1', 6, 12_500_000n],
    ['12.50', '1.000001', 6, 12_499_988n],
    ['1', '3', 0, 1n],
    ['9', '3', 0, 3n],
    ['0.01', '100000', 0, 1n],
    ['1', '3', 18, 333_333_333_333_333_334n],
    ['0.1', '0.3', 1, 4n],
  ])('S138 converts %s at %s with %i decimals to %s', (price, coinPrice, decimals, expected) => {
    expect(priceToUnits(price, { coinPrice, decimals })).toBe(expected)
  })

  it('S138 is the smallest amount that is worth the price, for any digits', () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 40n })
    const scale = fc.integer({ min: 0, max: 30 })
    fc.assert(
      fc.property(digits, scale, digits, scale, fc.integer({ min: 0, max: 255 }), (...numbers) => {
        const [total, totalScale, coin, coinScale, decimals] = numbers
        const price = decimalText(total, totalScale)
        const units = priceToUnits(price, { coinPrice: decimalText(coin, coinScale), decimals })
        // units / 10^decimals × coin / 10^coinScale >= total / 10^totalScale, and one unit less is not enough.
        const wanted = total * 10n ** BigInt(coinScale + decimals)
        const worth = (amount: bigint) => amount * coin * 10n ** BigInt(totalScale)
        expect(worth(units) >= wanted && worth(units - 1n) < wanted).toBe(true)
      }),
    )
  })

  it.each(['0', '-1', '1e3', '', ' 1', '01', '1.', '.5', 'NaN', 5])(
    'refuses the price %j',
    (price) => {
      const convert = () => priceToUnits(price as string, { coinPrice: '1', decimals: 9 })
      expect(convert).toThrow(expect.objectContaining({ code: 'ERR_TONPLUG_AMOUNT' }))
    },
  )
})

describe('cachedRates', () => {
  const ask = async (rates: Rates, at?: Date) =>
    rates('TON', 'USD', { ...(at && { at }), signal: new AbortController().signal })

  it('returns the first price with the older time while sources agree', async () => {
    const { clock, rate } = open()
    const sources = [() => rate('100', 1000), async () => rate('102', 5000)]
    const agreed = await ask(cachedRates({ sources, maxDifference: '0.02', clock }))
    expect(agreed).toEqual({ price: '100', at: new Date(START_MS - 5000) })
  })

  it('S130 uses neither of two sources that differ by more than the limit', async () => {
    const { clock, rate } = open()
    const pairs = [
      ['100', '102.000001'],
      ['102.000001', '100'],
      ['5.23', '52.3'],
    ] as const
    for (const [one, other] of pairs) {
      const sources = [() => rate(one), () => rate(other)]
      const failed = ask(cachedRates({ sources, maxDifference: '0.02', clock }))
      await expect(failed).rejects.toThrow(rateError('disagree'))
    }
  })

  it('S130 uses neither source when one fails, returns zero or stalls, and asks again', async () => {
    const { clock, rate } = open()
    const answers: (() => unknown)[] = [
      () => {
        throw new Error(SECRET)
      },
      () => rate('0'),
      () => new Promise(() => undefined),
      () => rate('5.23'),
    ]
    const second = (() => answers.shift()?.()) as Rates
    const rates = cachedRates({ sources: [() => rate('5.23'), second], clock })
    await expect(ask(rates)).rejects.toThrow(rateError('failed'))
    await expect(ask(rates)).rejects.toThrow(rateError('zero'))
    const stalled = ask(rates).catch((error: unknown) => error)
    await clock.waitForTimer(({ delayMs }) => delayMs === 5000)
    await clock.advance(5000)
    expect(await stalled).toEqual(rateError('late'))
    expect(await ask(rates)).toMatchObject({ price: '5.23' })
  })

  it('asks each source once for concurrent calls, and again when the rate is no longer young', async () => {
    const { clock, rate } = open()
    let calls = 0
    const source = async () => {
      calls++
      return rate('5.23')
    }
    const rates = cachedRates({ sources: [source, source], cacheMs: 10_000, clock })
    await Promise.all([ask(rates), ask(rates), ask(rates)])
    await clock.advance(9_999)
    await ask(rates)
    expect(calls).toBe(2)
    await clock.advance(1)
    await ask(rates)
    expect(calls).toBe(4)
  })

  it('S130 asks again when the rate that it keeps is older than the invoice allows', async () => {
    const { clock, rate, invoice } = open()
    const ages = [590_000, 0, 0]
    const rates = cachedRates({
      sources: [() => rate('5.23', ages.shift())],
      cacheMs: 3_600_000,
      clock,
    })
    const ageOf = async (options?: object) => {
      const { order } = await invoice(rates, options)
      return clock.nowMs() - (order.offers[0]?.rate?.at.getTime() ?? 0)
    }
    expect(await ageOf()).toBe(590_000)
    await clock.advance(10_000)
    expect(await ageOf()).toBe(600_000)
    await clock.advance(1)
    expect(await ageOf()).toBe(0)
    await clock.advance(30_001)
    expect([await ageOf(), await ageOf({ maxAgeMs: 30_000 })]).toEqual([30_001, 0])
    expect(ages).toEqual([])
    const stalled = cachedRates({ sources: [() => rate('5.23', 600_001)], clock })
    await expect(invoice(stalled)).rejects.toThrow(rateError('old'))
  })

  it('asks a source whose rate is old once in 5 seconds, and returns no old rate to others', async () => {
    const { clock, rate, invoice } = open()
    let calls = 0
    let ageMs = 600_001
    const source = () => {
      calls++
      return rate('5.23', ageMs)
    }
    const rates = cachedRates({ sources: [source], clock })
    for (let made = 0; made < 20; made++) {
      await expect(invoice(rates)).rejects.toThrow(rateError('old'))
    }
    expect(calls).toBe(1)
    await clock.advance(4_999)
    await expect(invoice(rates)).rejects.toThrow(rateError('old'))
    await invoice(rates, { maxAgeMs: 700_000 })
    expect(calls).toBe(1)
    ageMs = 0
    await clock.advance(1)
    const { order } = await invoice(rates)
    expect([order.offers[0]?.rate?.at, calls]).toEqual([new Date(clock.nowMs()), 2])
  })

  it('shares a request that takes longer than a rate is kept', async () => {
    const { clock, rate } = open()
    const answers: ((rate: Rate) => void)[] = []
    const source = () => new Promise<Rate>((resolve) => answers.push(resolve))
    const rates = cachedRates({ sources: [source], cacheMs: 1000, clock })
    const first = ask(rates)
    await clock.advance(2000)
    const second = ask(rates)
    expect(answers).toHaveLength(1)
    answers[0]?.(rate('5.23'))
    expect(await first).toEqual(await second)
    const third = ask(rates)
    answers[1]?.(rate('5.24'))
    expect((await third).price).toBe('5.24')
  })

  it('passes the time of a payment, and does not return the current rate for it', async () => {
    const { clock, rate } = open()
    const source: Rates = (_asset, _currency, { at }) =>
      at === undefined ? rate('5') : { price: '4', at }
    const rates = cachedRates({ sources: [source], clock })
    expect((await ask(rates)).price).toBe('5')
    const at = new Date(START_MS - 3_600_000)
    expect(await ask(rates, at)).toEqual({ price: '4', at })
  })

  it('ends the wait of a caller who aborts, and of no other', async () => {
    const { clock, rate } = open()
    let answer: (rate: Rate) => void = () => undefined
    const rates = cachedRates({
      sources: [() => new Promise((resolve) => (answer = resolve))],
      clock,
    })
    const controller = new AbortController()
    const aborted = rates('TON', 'USD', { signal: controller.signal })
    const other = ask(rates)
    controller.abort(new Error('the buyer left'))
    await expect(aborted).rejects.toThrow('the buyer left')
    answer(rate('5.23'))
    expect((await other).price).toBe('5.23')
  })
})

/** Writes digits with a point before the last ones. */
function decimalText(digits: bigint, scale: number): string {
  const text = digits.toString().padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}
