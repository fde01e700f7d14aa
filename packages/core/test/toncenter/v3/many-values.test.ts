import { describe, expect, it } from 'vitest'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import { createV3Client, type V3Client } from '../../../src/toncenter/v3/client.js'
import { startMockApi, type ApiRequest } from '@tonplug/test-support/mock-api'

const ADDRESSES = Array.from(
  { length: 1000 },
  (_, index) => `0:${index.toString(16).toUpperCase().padStart(64, '0')}`,
)
const HASHES = ADDRESSES.map((address) => address.slice(2))

/** A server that reads 8 KiB of a request's first line, and answers about what it is asked. */
async function start(failAt = Infinity) {
  const { baseUrl, requests } = await startMockApi((request) => {
    const line = `GET /api/v3${request.path}?${request.query.toString()} HTTP/1.1`
    if (line.length > 8192) return { status: 414, body: '' }
    if (requests.length === failAt) return { status: 422, body: '{"error":"no such account"}' }
    return JSON.stringify(answerTo(request))
  })
  return { v3: createV3Client({ baseUrl, rps: Infinity }), requests }
}

function answerTo({ path, query }: ApiRequest): object {
  const addresses = query.getAll('address')
  const book = Object.fromEntries(addresses.map((address) => [address, { domain: address }]))
  switch (path) {
    case '/accountStates':
      return { accounts: addresses.map((address) => ({ address })), address_book: book }
    case '/walletStates':
      return {
        wallets: addresses.map((address) => ({ address, is_wallet: false })),
        address_book: null,
      }
    case '/nft/sales':
      return { nft_sales: addresses.map((address) => ({ address, type: 'telemint' })) }
    default:
      return book
  }
}

describe('more values than fit a URL', () => {
  it.each([
    [
      'accountStates',
      async (v3: V3Client) => {
        const { accounts, address_book } = await v3.accountStates({
          address: ADDRESSES,
          include_boc: false,
        })
        expect(Object.keys(address_book ?? {})).toEqual(ADDRESSES)
        return accounts.map(({ address }) => address)
      },
    ],
    [
      'walletStates',
      async (v3: V3Client) =>
        (await v3.walletStates({ address: ADDRESSES })).wallets.map(({ address }) => address),
    ],
    [
      'addressBook',
      async (v3: V3Client) => Object.keys(await v3.addressBook({ address: ADDRESSES })),
    ],
    ['metadata', async (v3: V3Client) => Object.keys(await v3.metadata({ address: ADDRESSES }))],
    [
      'nftSales',
      async (v3: V3Client) =>
        (await v3.nftSales({ address: ADDRESSES })).nft_sales.map(({ address }) => address),
    ],
  ])('are looked up in several requests: %s', async (_, look) => {
    const { v3, requests } = await start()
    expect(await look(v3)).toEqual(ADDRESSES)
    expect(requests.length).toBeGreaterThan(5)
    expect(requests.length).toBeLessThan(15)
    const asked = requests.flatMap(({ query }) => query.getAll('address'))
    expect(asked.toSorted()).toEqual(ADDRESSES.toSorted())
  })

  it('calls onResponse for each request, and sends the other parameters with each', async () => {
    const { v3, requests } = await start()
    const seen: number[] = []
    await v3.accountStates(
      { address: ADDRESSES, include_boc: false },
      { onResponse: ({ status }) => void seen.push(status) },
    )
    expect(seen).toEqual(requests.map(() => 200))
    expect(requests.map(({ query }) => query.get('include_boc'))).toEqual(
      requests.map(() => 'false'),
    )
  })

  it('is one request while they fit', async () => {
    const { v3, requests } = await start()
    await v3.accountStates({ address: ADDRESSES.slice(0, 95) })
    expect(requests).toHaveLength(1)
  })

  it('fails as one call when one of the requests does', async () => {
    const { v3 } = await start(3)
    await expect(v3.addressBook({ address: ADDRESSES })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_VALIDATION',
      message: expect.stringContaining('no such account'),
    })
  })

  it('is ended by its signal', async () => {
    const { v3, requests } = await start()
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(v3.addressBook({ address: ADDRESSES }, { signal })).rejects.toBe(reason)
    const controller = new AbortController()
    const options = { signal: controller.signal, onResponse: () => controller.abort(reason) }
    await expect(v3.addressBook({ address: ADDRESSES }, options)).rejects.toBe(reason)
    expect(requests.length).toBeGreaterThan(0)
  })

  it.each([
    ['transactions', (v3: V3Client) => v3.transactions({ account: ADDRESSES }), 'account'],
    ['traces', (v3: V3Client) => v3.traces({ trace_id: HASHES }), 'trace_id'],
    ['messages', (v3: V3Client) => v3.messages({ msg_hash: HASHES }), 'msg_hash'],
    [
      'jettonWallets',
      (v3: V3Client) =>
        v3.jettonWallets({ owner_address: ADDRESSES.slice(0, 20), address: ADDRESSES }),
      'address',
    ],
  ])(
    'are rejected by %s before anything is sent, with the number that fits',
    async (_, call, name) => {
      const { v3, requests } = await start()
      const error: unknown = await call(v3).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(InvalidParamsError)
      expect(requests).toEqual([])
      const { message } = error as InvalidParamsError
      expect(message).toMatch(
        new RegExp(
          `${name} has too many values for a URL: \\d+ of the 1000 fit; make several calls`,
        ),
      )
    },
  )

  it('fit up to the reported number', async () => {
    const { v3, requests } = await start()
    const call = (count: number) => v3.transactions({ account: ADDRESSES.slice(0, count) })
    const message = await call(1000).then(
      () => '',
      (error: Error) => error.message,
    )
    const fit = Number(/: (\d+) of/.exec(message)?.[1])
    expect(fit).toBeGreaterThan(80)
    // The server has no transactions, which is another matter.
    await expect(call(fit)).rejects.toMatchObject({ code: 'ERR_TONPLUG_RESPONSE_SHAPE' })
    await expect(call(fit + 1)).rejects.toBeInstanceOf(InvalidParamsError)
    expect(requests).toHaveLength(1)
  })

  it('rejects a string that is too long as well', async () => {
    const { v3, requests } = await start()
    await expect(v3.dnsRecords({ domain: 'a'.repeat(9000) })).rejects.toThrow(
      /the parameters are too long for a URL: \d+ characters, 7500 fit/,
    )
    expect(requests).toEqual([])
  })
})
