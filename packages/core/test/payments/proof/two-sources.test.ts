import { beginCell, Cell, toNano, type Address } from '@ton/core'
import { createPaymentVerifier, type TransferData } from '@tonplug/core'
import { checkedCells } from '@tonplug/core/proof'
import {
  createTransport,
  createV2Client,
  createV3Client,
  type Fetch,
} from '@tonplug/core/toncenter'
import { base64Hash, walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'
import { payWithForgedJetton } from './forged-jetton.js'
import { bodyOf, orderFor } from './payer.js'
import { openProofShop } from './proof-shop.js'
import {
  agreed,
  look,
  lying,
  ours,
  payWithCustomPayload,
  startPaid,
  theirs,
  type Lie,
  type Reported,
} from './two-sources.js'

const wallets = [ours.toString()]
const HOUR_MS = 3_600_000

describe('createPaymentVerifier with two sources', () => {
  it.each(['index', 'cells'] as const)(
    'proves payments in the native coin and in a jetton that the second source (%s) shows too',
    async (second) => {
      const { native, token, reported, index, ...sources } = await startPaid()
      for (const transfer of [native, token]) {
        const single = await look({ v3: index() }, reported(transfer))
        const both = { sources: [index(), { index, ...sources }[second]()], require: 2 } as const
        expect(single.kind).toBe('verified')
        expect(await look(both, reported(transfer))).toEqual(agreed(single))
      }
    },
  )

  it('asks API v2 once for a payment, also in a jetton whose wallet is known', async () => {
    const { chain, native, token, reported, index, cells } = await startPaid()
    const verifier = createPaymentVerifier({ sources: [index(), cells()] })
    const { signal } = new AbortController()
    const requests: number[] = []
    for (const transfer of [native, token, token]) {
      const before = chain.v2Server.requests.length
      expect(await verifier.verify(reported(transfer), { signal })).toMatchObject({
        kind: 'verified',
      })
      requests.push(chain.v2Server.requests.length - before)
    }
    expect(requests).toEqual([1, 3, 1])
  })

  it('reads the transaction of the payer when it has a custom payload', async () => {
    const { chain, reported, index, cells, ...paid } = await startPaid()
    const transfer = await payWithCustomPayload(paid)
    const before = chain.v2Server.requests.length
    const verdict = await look({ sources: [index(), cells()] }, reported(transfer))
    expect(verdict.kind).toBe('verified')
    expect(chain.v2Server.requests.length - before).toBe(4)
  })

  it('proves a payment when two of three sources show it, and one is down', async () => {
    const { native, reported, index, cells } = await startPaid()
    const down = index(() => Promise.reject(new TypeError('fetch failed')))
    const some = { sources: [index(), down, cells()], require: 2 } as const
    expect(await look(some, reported(native))).toMatchObject({ kind: 'verified' })
    const all = { sources: [index(), down, cells()] } as const
    expect(await look(all, reported(native))).toMatchObject({
      kind: 'pending',
      reason: 'unreachable',
      detail: expect.stringMatching(/^source 2: /),
    })
  })

  it('S141 states both answers when a source denies what the other one shows', async () => {
    const { native, reported, index, cells } = await startPaid()
    const greedy = index(lying((text) => text.replaceAll('"1000000000"', '"2000000000"')))
    const { transfer } = reported(native)
    const claim = { transfer: { ...transfer, rawAmount: '2000000000' }, order: orderFor(transfer) }
    const verdict = await look({ sources: [greedy, cells()] }, claim)
    expect(verdict).toMatchObject({ kind: 'contradicted', reason: 'sources_differ' })
    const detail = 'detail' in verdict ? verdict.detail : ''
    expect(detail).toMatch(
      /^source 1: 2000000000 of TON from 0:\w{64} to 0:\w{64} in \w{64}, lt \d+; /,
    )
    expect(detail).toMatch(/source 2: .*is 1000000000 in its cell; the index shows 2000000000$/)
    const denied = await look({ sources: [index(), greedy] }, reported(native))
    expect(denied).toMatchObject({ kind: 'contradicted', reason: 'sources_differ' })
  })

  it.each([
    [{}, 'v3: set either v3, or sources'],
    [{ sources: [] }, 'sources'],
    [{ sources: [{ compare: () => undefined }] }, 'sources[0]'],
    [{ v3: 'index', sources: ['index'] }, 'v3: set either v3, or sources'],
    [{ sources: ['index', {}] }, 'sources[1]'],
    [
      { sources: ['index', 'index'], require: 3 },
      'require: must be at most the number of sources, 2; received 3',
    ],
    [{ sources: ['index', 'index'], require: 0 }, 'require'],
    [{ sources: ['index', 'index'] }, 'sources: must not have a source twice'],
  ])('rejects the options %j', (options, message) => {
    const v3 = createV3Client({ network: 'testnet' })
    const replaced = Object.fromEntries(
      Object.entries(options).map(([name, value]) => [
        name,
        Array.isArray(value)
          ? value.map((one: unknown) => (one === 'index' ? v3 : one))
          : value === 'index'
            ? v3
            : value,
      ]),
    )
    expect(() => createPaymentVerifier(replaced as never)).toThrow(message)
  })
})

describe('S141 an index that lies', () => {
  const replace =
    (from: string, to: string): Lie =>
    (text) =>
      text.replaceAll(from, to)
  const raw = (address: Address): string => address.toRawString().toUpperCase()

  /** Payments that are not the reported one, each with the lie that makes them so. */
  async function startLies(): Promise<{
    lies: [string, Reported, Lie][]
    paid: Awaited<ReturnType<typeof startPaid>>
  }> {
    const paid = await startPaid()
    const { payer, native, token } = paid
    const elsewhere = await payer.pay({ reference: 'order-3', to: theirs, value: toNano(1) })
    const body = base64Hash(bodyOf('another').hash())
    const stranger = walletV4(77).wallet.address
    const claim = (transfer: TransferData, facts: Partial<TransferData>): Reported => {
      const told = { ...transfer, ...facts }
      return { transfer: told, order: orderFor(told) }
    }
    const lies: [string, Reported, Lie][] = [
      [
        'amount',
        claim(native, { rawAmount: '2000000000' }),
        replace('"1000000000"', '"2000000000"'),
      ],
      [
        'sender',
        claim(native, { senderAddr: stranger.toString() }),
        replace(raw(payer.address), raw(stranger)),
      ],
      ['body', claim(native, { bodyBase64Hash: body }), replace(native.bodyBase64Hash, body)],
      [
        'recipient',
        claim(elsewhere, { recipientAddr: ours.toString() }),
        replace(raw(theirs), raw(ours)),
      ],
      [
        'jetton amount',
        claim(token, { rawAmount: '990000' }),
        (text) => text.replaceAll(/te6[\w+/=]+/g, (boc) => withAmount(boc, 990_000n)),
      ],
      ['jetton body', claim(token, { bodyBase64Hash: body }), replace(token.bodyBase64Hash, body)],
    ]
    return { lies, paid }
  }

  it('completes no order when a second source is asked; alone it may only not lie about bodies', async () => {
    const { lies, paid } = await startLies()
    const { index, cells } = paid
    for (const [name, claim, lie] of lies) {
      const liar = (): ReturnType<typeof index> => index(lying(lie))
      const alone = await look({ v3: liar() }, claim)
      // The hash beside a body has to be its own.
      const isNoticed = ['body', 'jetton amount', 'jetton body'].includes(name)
      expect([name, alone.kind]).toEqual([name, isNoticed ? 'pending' : 'verified'])
      for (const second of [index(), cells()]) {
        const { kind } = await look({ sources: [liar(), second] }, claim)
        expect([name, kind]).not.toEqual([name, 'verified'])
      }
      const { kind } = await look({ sources: [index(), liar()] }, claim)
      expect([name, kind]).not.toEqual([name, 'verified'])
    }
  })

  it('cannot pay an order with the money of another buyer by changing the comment', async () => {
    const { payer, index, cells } = await startPaid()
    const body = commentOf('victim')
    const paid = await payer.pay({ reference: 'victim', to: ours, value: toNano(1), body })
    const claimOf = (reference: string): Reported => {
      const transfer = { ...paid, reference, commentToRecipient: reference }
      return { transfer, order: orderFor(transfer) }
    }
    const lie: Lie = (text) =>
      text.replaceAll(/te6[\w+/=]+/g, (boc) =>
        Cell.fromBase64(boc).equals(body) ? commentOf('attack').toBoc().toString('base64') : boc,
      )
    const liar = () => index(lying(lie))
    for (const [first, ...others] of [
      [liar(), cells()],
      [liar(), index()],
      [index(), cells()],
      [liar()],
    ] as const) {
      const sources = [first, ...others] as const
      expect((await look({ sources }, claimOf('attack'))).kind).not.toBe('verified')
    }
    const honest = { sources: [index(), cells()] } as const
    expect(await look(honest, claimOf('victim'))).toMatchObject({ kind: 'verified' })
  })

  it.each([
    ['get_wallet_data', -13, 'incomplete'],
    ['get_wallet_data', 11, 'sources_differ'],
    ['get_wallet_address', 11, 'sources_differ'],
  ])('asks the contracts of a jetton, and %s ends with %i: %s', async (method, code, reason) => {
    const { token, reported, index, cells } = await startPaid()
    const failing: Fetch = (url, init) => {
      const isFailing = String(init?.body).includes(method)
      const fail: Lie = (text) => text.replace(/"exit_code":\s*0/, `"exit_code":${code}`)
      return isFailing ? lying(fail)(url, init) : fetch(url, init)
    }
    expect(await look({ sources: [index(), cells(failing)] }, reported(token))).toMatchObject({
      reason,
    })
  })

  it('cannot replace a jetton by a forged one', async () => {
    const { chain, payer, index, cells } = await startPaid()
    const { paid, genuine, attribute } = await payWithForgedJetton(chain, payer)
    const transfer = { ...paid, asset: genuine.master }
    const claim = { transfer, order: orderFor(transfer) }
    const liar = () => index(attribute(globalThis.fetch))
    for (const second of [index(), cells()]) {
      expect(await look({ sources: [liar(), second] }, claim)).not.toMatchObject({
        kind: 'verified',
      })
    }
  })
})

function commentOf(text: string): Cell {
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell()
}

/** Returns a jetton transfer with another amount; any other cell as it is. */
function withAmount(boc: string, amount: bigint): string {
  const slice = Cell.fromBase64(boc).beginParse()
  if (slice.remainingBits < 100) return boc
  const opcode = slice.loadUint(32)
  if (![0x0f8a7ea5, 0x178d4519].includes(opcode)) return boc
  const queryId = slice.loadUintBig(64)
  slice.loadCoins()
  const changed = beginCell().storeUint(opcode, 32).storeUint(queryId, 64).storeCoins(amount)
  return changed.storeSlice(slice).endCell().toBoc().toString('base64')
}

describe('S143 a server of API v2 that returns other cells', () => {
  it('confirms nothing', async () => {
    const { payer, native, reported, index, cells } = await startPaid()
    const other = await payer.pay({ reference: 'order-9', to: ours, value: toNano(3) })
    expect(other.txHash).not.toBe(native.txHash)
    const datas: string[] = []
    const record = lying((text) => {
      datas.push(...[...text.matchAll(/"data": ?"(te6[^"]+)"/g)].map(([, data = '']) => data))
      return text
    })
    for (const transfer of [native, other]) {
      const recorded = await look({ sources: [index(), cells(record)] }, reported(transfer))
      expect(recorded.kind).toBe('verified')
    }
    const [first = '', second = ''] = datas
    expect(first).not.toBe(second)
    const swapped = cells(lying((text) => text.replaceAll(first, second)))
    expect(await look({ sources: [index(), swapped] }, reported(native))).toMatchObject({
      kind: 'contradicted',
      reason: 'sources_differ',
    })
    const cut = cells(lying((text) => text.replaceAll(first, first.slice(0, -8))))
    expect(await look({ sources: [index(), cut] }, reported(native))).toMatchObject({
      kind: 'pending',
      reason: 'incomplete',
    })
    const empty = cells(lying(() => '{"ok":true,"result":[]}'))
    expect(await look({ sources: [index(), empty] }, reported(native))).toMatchObject({
      kind: 'pending',
      reason: 'not_found',
    })
  })
})

describe('S142 a source that is silent for an hour', () => {
  it.each(['v2Server', 'v3Server'] as const)(
    'holds the payment, which is completed when the %s responds again',
    async (silent) => {
      const { chain, native } = await startPaid()
      const { v2Server, v3Server } = chain
      const driven = createDrivenClock(() => v2Server.hanging + v3Server.hanging)
      const transport = (baseUrl: string) =>
        createTransport({ baseUrl, clock: driven.clock, rps: Infinity, fetch: driven.fetch })
      const v3 = createV3Client({ transport: transport(v3Server.url) })
      const v2 = createV2Client({ transport: transport(v2Server.url) })
      const shop = openProofShop({
        url: v3Server.url,
        orders: [orderFor(native)],
        wallets,
        driven,
        proof: { v3: undefined, sources: [v3, checkedCells({ v2 })], require: 2 },
      })
      chain[silent].fault = () => 'hang'
      const startMs = shop.clock.nowMs()
      const decided = shop.decide(native)
      shop.at(HOUR_MS, () => {
        expect(shop.shipped).toEqual([])
        expect(shop.decisions).toEqual([expect.objectContaining({ kind: 'verifying' })])
        chain[silent].fault = undefined
      })
      expect(await decided).toMatchObject({ kind: 'paid' })
      await shop.clock.advance(0)
      expect(shop.shipped).toEqual(['order-1'])
      expect(shop.clock.nowMs() - startMs).toBeGreaterThanOrEqual(HOUR_MS)
    },
  )

  it('S141 reports both answers to the shop when the sources differ', async () => {
    const { chain, native, index, cells } = await startPaid()
    const liar = index(lying((text) => text.replaceAll('"1000000000"', '"2000000000"')))
    const paid = { ...native, rawAmount: '2000000000', amount: '2' }
    const shop = openProofShop({
      url: chain.v3Server.url,
      orders: [orderFor(paid)],
      wallets,
      proof: { v3: undefined, sources: [liar, cells()] },
    })
    await shop.decide(paid)
    await shop.clock.advance(0)
    expect(shop.shipped).toEqual([])
    const [decision] = shop.unverified
    expect(decision?.reason).toBe('sources_differ')
    expect(decision?.detail).toMatch(/source 1: .*; source 2: .*/)
  })
})
