import { describe, expect, it } from 'vitest'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { callWith, driftIn } from './call-with.js'
import { readFixture } from './fixtures.js'

interface ActionsBody {
  actions: Record<string, unknown>[]
  address_book?: unknown
  metadata?: unknown
}

const captured = readFixture('actions.captured.json')

function bodyWith(change: (body: ActionsBody) => void): string {
  // The fixture is an answer with actions.
  const body = parseJson(captured) as ActionsBody
  change(body)
  return JSON.stringify(body)
}

/** Reads a response, and lists its differences from the schema. */
async function read(text: string) {
  const { actions, ...rest } = await callWith('actions', text)
  return { actions, rest, drift: driftIn('actions', text) }
}

describe('one odd row among many', () => {
  it('keeps the page, and the action as one that is unreadable', async () => {
    const count = 1000
    const odd = { asset: 5, source: 5, sender: 5, account: 5, stake_holder: 5, amount: '1' }
    const text = bodyWith((body) => {
      const [first = {}] = body.actions
      body.actions = Array.from({ length: count }, (_, index) =>
        index === 500 ? { ...first, details: odd } : first,
      )
    })
    const { actions, drift } = await read(text)
    expect(actions).toHaveLength(count)
    expect(actions[500]).toMatchObject({
      type: 'unreadable',
      received_type: actions[499]?.type,
      details: odd,
    })
    expect(actions[500]?.action_id).toBe(actions[499]?.action_id)
    expect(drift).toEqual(['action.details: cannot be read'])
  })

  it.each([
    ['a list', []],
    ['a text', 'details'],
    ['a number', 5],
  ])('keeps an action with details that are %s as unreadable', async (_, details) => {
    const { actions, drift } = await read(
      bodyWith((body) => Object.assign(body.actions[0] ?? {}, { details })),
    )
    expect(actions[0]).toMatchObject({ type: 'unreadable', details })
    expect(drift).toEqual(['action.details: cannot be read'])
  })

  it('reads no details with an invalid asset, since native coins have none', async () => {
    const details = { asset: 5, sender: '0:AA', receiver: '0:BB', amount: '5' }
    const { actions } = await read(
      bodyWith((body) =>
        Object.assign(body.actions[0] ?? {}, { type: 'jetton_transfer', details }),
      ),
    )
    expect(actions[0]).toMatchObject({
      type: 'unreadable',
      received_type: 'jetton_transfer',
      details,
    })
  })

  it('keeps unreadable details of every described type as received', async () => {
    const body = parseJson(readFixture('actions.all-types.json')) as ActionsBody
    const accounts = /^(?:account|sender|source|owner|receiver|.*_(?:address|jetton_wallet))$/
    const received = body.actions.flatMap(({ details, ...action }) => {
      const last = Object.keys(details ?? {}).findLast((name) => accounts.test(name))
      return last === undefined
        ? []
        : [{ ...action, details: { ...(details as object), [last]: 5 } }]
    })
    expect(received.length).toBeGreaterThan(40)
    const { actions } = await read(JSON.stringify({ actions: received }))
    const unreadable = [...actions.entries()].filter(([, { type }]) => type === 'unreadable')
    expect(unreadable.length).toBeGreaterThan(40)
    for (const [index, { details }] of unreadable) {
      expect(details).toEqual(received[index]?.details)
    }
  })

  it.each(['1.5', '0x5', '', true])('omits only an invalid amount: %j', async (amount) => {
    const details = { asset: '0:CC', sender: '0:AA', receiver: '0:BB', amount }
    const { actions, drift } = await read(
      bodyWith((body) =>
        Object.assign(body.actions[0] ?? {}, { type: 'jetton_transfer', details }),
      ),
    )
    expect(actions[0]?.details).toEqual({ ...details, amount: undefined })
    expect(drift).toEqual(['action.details: cannot be read'])
  })

  it('reads every described type with each of its fields null and absent', async () => {
    const { actions } = parseJson(readFixture('actions.all-types.json')) as ActionsBody
    const described = actions.flatMap((action) =>
      Object.keys(action['details'] ?? {}).flatMap((name) =>
        [null, undefined].map((value) => {
          const details = { ...(action['details'] as object), [name]: value }
          return { name, action: { ...action, details } }
        }),
      ),
    )
    expect(described.length).toBeGreaterThan(700)
    const text = JSON.stringify({ actions: described.map(({ action }) => action) })
    const all = await read(text)
    expect(all.drift).toEqual([])
    for (const [index, { name }] of described.entries()) {
      const { details } = all.actions[index] ?? {}
      expect(details).toBeDefined()
      // Lists that are null or absent are empty.
      const value: unknown = Reflect.get(details ?? {}, name)
      expect([undefined, 0]).toContain(Array.isArray(value) ? value.length : value)
    }
  })

  it('omits only an invalid comment, never the amount', async () => {
    const details = { source: '0:AA', destination: '0:BB', value: '5', comment: { a: 1 } }
    const { actions } = await read(
      bodyWith((body) => Object.assign(body.actions[0] ?? {}, { type: 'ton_transfer', details })),
    )
    expect(actions[0]?.details).toEqual({
      source: '0:AA',
      destination: '0:BB',
      value: 5n,
      comment: undefined,
    })
  })

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['odd rows', { '0:AA': 5 }],
  ])('continues without an address book and metadata that are %s', async (_, odd) => {
    const text = bodyWith((body) => Object.assign(body, { address_book: odd, metadata: odd }))
    const { actions, rest, drift } = await read(text)
    expect(actions.length).toBeGreaterThan(0)
    expect(rest).toEqual({ address_book: undefined, metadata: undefined })
    expect(drift).toEqual(['address_book: cannot be read', 'metadata: cannot be read'])
  })

  it('omits single invalid strings of the address book and of metadata', async () => {
    const text = bodyWith((body) =>
      Object.assign(body, {
        address_book: { '0:AA': { user_friendly: 'EQ', domain: 5, interfaces: [null] } },
        metadata: { '0:AA': { is_indexed: true, token_info: [{ name: 5, symbol: 'S' }] } },
      }),
    )
    expect((await read(text)).rest).toEqual({
      address_book: { '0:AA': { user_friendly: 'EQ', domain: undefined, interfaces: [] } },
      metadata: {
        '0:AA': { is_indexed: true, token_info: [{ name: undefined, symbol: 'S' }] },
      },
    })
  })

  it('continues without extra currencies that have no amount', async () => {
    const text = readFixture('transactions.older.json').replace('"100": "', '"100": null, "x": "')
    expect(text).toContain('"100": null')
    const { transactions } = await callWith('transactions', text)
    expect(transactions[0]?.out_msgs[0]?.value).toBe(2n ** 63n - 1n)
    expect(transactions[0]?.out_msgs[0]?.value_extra_currencies).toBeUndefined()
  })
})

describe('pending traces whose id is empty', () => {
  it('are distinguished by the hash of their message', async () => {
    const traces = [1, 2].map((id) => ({
      trace_id: '',
      external_hash: Buffer.alloc(32, id).toString('base64'),
      start_lt: '1000',
      start_utime: 1,
      end_lt: '1000',
      end_utime: 1,
      trace_info: { trace_state: 'pending', messages: 1, transactions: 1, pending_messages: 1 },
    }))
    const { baseUrl } = await startMockApi(({ query }) =>
      JSON.stringify({ traces: Number(query.get('offset') ?? 0) > 0 ? [] : traces }),
    )
    const v3 = createV3Client({ baseUrl, rps: Infinity })
    const hashes: (string | undefined)[] = []
    for await (const { external_hash } of v3.traces.paginate()) hashes.push(external_hash)
    expect(hashes).toEqual(traces.map(({ external_hash }) => external_hash))
  })
})
