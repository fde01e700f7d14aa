import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { leavesOf, parseDigits } from '../v2/raw-digits.js'
import { callWith, driftIn } from './call-with.js'
import { endpointNames, schemaOf } from './every-endpoint.js'
import { readFixture, readFixtures } from './fixtures.js'
import { undescribedIn } from './undescribed.js'

/**
 * Lists every value with its path, equal for the wire and the decoded response. Null and absent are alike. An unreadable
 * action has its received type.
 */
function describeLeaves(result: unknown): string[] {
  return leavesOf(result)
    .filter(({ path, value }) => value !== null && value !== undefined && !isConverted(path))
    .filter(({ path, value }) => !(path.endsWith('/type') && value === 'unreadable'))
    .map(({ path, value }) => `${path.replace(/\/received_type$/, '/type')} ${String(value)}`)
    .toSorted()
}

/** A stack is converted and an empty seqno is 0, which have tests of their own. */
function isConverted(path: string): boolean {
  return path.startsWith('/stack/') || /\/mc_seqno_(?:start|end)$/.test(path)
}

/** Types in fixtures on purpose, which the descriptions lack. */
const UNDESCRIBED_TYPE = /"(?:robot_dance|flea_market|coffee_mev_protect_failed_swap)"$/

describe('responses of the index', () => {
  it.each(readFixtures())('decode to the digits of the wire: $file', async (fixture) => {
    const { endpoint, text } = fixture
    const result = await callWith(endpoint, text)
    expect(describeLeaves(result)).toEqual(describeLeaves(parseDigits(text)))
  })

  it.each(readFixtures())('have no field that the schema lacks: $file', (fixture) => {
    expect(undescribedIn(schemaOf(fixture.endpoint), parseJson(fixture.text))).toEqual([])
  })

  it.each(readFixtures())('have no new value and no unreadable field: $file', (fixture) => {
    const drift = driftIn(fixture.endpoint, fixture.text)
    expect(drift.filter((difference) => !UNDESCRIBED_TYPE.test(difference))).toEqual([])
  })

  it('has a fixture for every endpoint', () => {
    const covered = new Set<string>(readFixtures().map(({ endpoint }) => endpoint))
    expect(endpointNames.filter((name) => !covered.has(name))).toEqual([])
  })

  it('keeps unknown fields', async () => {
    const text = readFixture('dnsRecords.described.json').replace(
      '"domain"',
      '"new": {"a": 1}, "domain"',
    )
    expect((await callWith('dnsRecords', text)).records[0]).toHaveProperty('new', { a: 1 })
  })

  it('rejects a body without its list', async () => {
    for (const endpoint of ['actions', 'traces', 'transactions', 'jettonTransfers'] as const) {
      await expect(callWith(endpoint, '{"address_book": {}}')).rejects.toMatchObject({
        code: 'ERR_TONPLUG_RESPONSE_SHAPE',
        message: expect.stringContaining('an array'),
      })
    }
  })

  it('reads a null list as an empty one, and null maps of amounts as empty ones', async () => {
    const text = readFixture('pendingTransactions.none.json')
    expect(await callWith('pendingTransactions', text)).toEqual({
      transactions: [],
      address_book: {},
    })
    const changes = readFixture('balanceChanges.null.json')
    expect(await callWith('balanceChanges', changes)).toEqual({
      changes: {},
      fees: {},
      jettons: {},
    })
  })

  it('treats a null address book as absent', async () => {
    const text = readFixture('transactions.undeployed.json')
    expect((await callWith('transactions', text)).address_book).toBeUndefined()
  })
})

describe('transactions', () => {
  it('distinguish a transfer to an account without a contract from a bounced one', async () => {
    const undeployed = await callWith('transactions', readFixture('transactions.undeployed.json'))
    expect(undeployed.transactions[0]?.description).toMatchObject({
      aborted: true,
      credit_ph: { credit: 1_000_000_000n },
      compute_ph: { skipped: true, reason: 'no_state' },
    })
    expect(undeployed.transactions[0]?.description.bounce).toBeUndefined()
    const [bounced] = (await callWith('transactions', readFixture('transactions.bounced.json')))
      .transactions
    expect(bounced?.description.bounce).toMatchObject({ type: 'ok', fwd_fees: 266_669n })
    expect(bounced?.out_msgs[0]).toMatchObject({ bounced: true, value: 1_000_000_000n })
  })

  it('read amounts as bigint, times and seqnos as numbers', async () => {
    const [older] = (await callWith('transactions', readFixture('transactions.older.json')))
      .transactions
    expect(older).toMatchObject({
      lt: 93_307_000_000_009n,
      now: 1_785_330_571,
      mc_block_seqno: 82_744_100,
      block_ref: { shard: 'A000000000000000', seqno: 87_315_937 },
      out_msgs: [
        {
          value: 2n ** 63n - 1n,
          value_extra_currencies: { '100': 2n ** 120n, '4294967295': 1n },
          created_at: 1_785_330_571,
        },
      ],
    })
    expect(older?.in_msg?.value).toBeUndefined()
    expect(older?.finality).toBeUndefined()
  })
})

describe('actions', () => {
  const DIGITS = /^\d{16,}$/

  it('have details with bigint wherever the wire has an unbounded integer', async () => {
    const text = readFixture('actions.all-types.json')
    const { actions } = await callWith('actions', text)
    const raw = leavesOf(parseDigits(text)).filter(
      ({ path, value }) => path.includes('/details/') && DIGITS.test(String(value)),
    )
    expect(raw.length).toBeGreaterThan(150)
    const decoded = new Map(leavesOf({ actions }).map(({ path, value }) => [path, value]))
    const others = raw.filter(({ path }) => typeof decoded.get(path) !== 'bigint')
    expect(others).toEqual([])
  })

  it('have only described types in the fixture of all types', () => {
    expect(driftIn('actions', readFixture('actions.all-types.json'))).toEqual([])
  })

  it('keep the details of a request to a relay, and the field that refers to it', async () => {
    const fields =
      '"type": "gasless_request", "parent_gasless_action": "5", "details": { "relay": 5 }'
    const text = readFixture('actions.all-types.json').replace(
      /"type": "gasless_request",\s*"details": \{\}/,
      fields,
    )
    const { actions } = await callWith('actions', text)
    const requests = actions.filter(({ type }) => type === 'gasless_request')
    expect(requests).toMatchObject([{ parent_gasless_action: '5', details: { relay: 5 } }])
    expect(driftIn('actions', text)).toEqual([])
  })

  it('keep the details of an unknown type unchanged', async () => {
    const text = readFixture('actions.unknown-types.json')
    const { actions } = await callWith('actions', text)
    expect(actions[0]).toMatchObject({
      type: 'robot_dance',
      start_lt: 93_307_000_000_008n,
      details: { amount: '18446744073709551615', steps: [{ to: null, n: 'x' }] },
    })
    expect(actions[1]?.details).toBeUndefined()
    expect(driftIn('actions', text)).toContain('action.type: unknown value "robot_dance"')
  })

  it('are unreadable without details', async () => {
    const { actions } = await callWith('actions', readFixture('actions.nulls.json'))
    expect(actions.at(-1)).toMatchObject({
      type: 'unreadable',
      received_type: 'ton_transfer',
      details: undefined,
    })
  })

  it('have 64-bit numbers without a lost digit', async () => {
    const { actions } = await callWith('actions', readFixture('actions.all-types.json'))
    const sent = actions.find(({ type }) => type === 'layerzero_send')
    expect(sent?.details).toMatchObject({
      layerzero_send_data: { send_request_id: 2n ** 64n - 1n, native_fee: 2n ** 64n - 2n },
      layerzero_packet_data: { nonce: 2n ** 63n - 1n, src_eid: 30_343 },
    })
  })
})

describe('traces', () => {
  it('have seqnos as numbers, 0 while unknown', async () => {
    const [whole] = (await callWith('traces', readFixture('traces.with-actions.json'))).traces
    expect(whole).toMatchObject({ mc_seqno_start: 82_744_100, mc_seqno_end: 82_744_101 })
    const [older] = (await callWith('pendingTraces', readFixture('pendingTraces.older.json')))
      .traces
    expect(older).toMatchObject({ mc_seqno_start: 0, mc_seqno_end: 0, trace_id: undefined })
  })

  it('have their transactions by hash, in the tree and in order', async () => {
    const [trace] = (await callWith('traces', readFixture('traces.captured.json'))).traces
    const order = trace?.transactions_order ?? []
    expect(order.map((hash) => trace?.transactions?.[hash]?.hash)).toEqual(order)
    expect(trace?.trace?.tx_hash).toBe(order[0])
    expect(trace?.trace?.children[0]?.children[0]?.children).toHaveLength(2)
  })

  it('may be thousands of transactions deep', async () => {
    const DEPTH = 4000
    const node = '{"tx_hash": null, "in_msg_hash": null, "children": ['
    const text = readFixture('traces.too-large.json').replace(
      '"warning"',
      `"trace": ${node.repeat(DEPTH)}${']}'.repeat(DEPTH)}, "warning"`,
    )
    const [trace] = (await callWith('traces', text)).traces
    let depth = 0
    for (let at = trace?.trace; at !== undefined; at = at.children[0]) depth++
    expect(depth).toBe(DEPTH)
  })

  it('have balance changes of 64 bits', async () => {
    const changes = await callWith('balanceChanges', readFixture('balanceChanges.described.json'))
    expect(Object.values(changes.changes)).toEqual([-(2n ** 63n), 2n ** 63n - 1n, -5n])
    const [jettons = {}] = Object.values(changes.jettons)
    expect(Object.values(jettons)).toEqual([-(2n ** 120n), 7n])
  })
})
