import { loadMessage, type Address } from '@ton/core'
import type { RecordedTransaction } from '@tonplug/simulator'
import { below as belowOf, createRandom } from '@tonplug/test-support/random'
import { beforeAll, expect, it } from 'vitest'
import { createChainSimulator } from '@tonplug/simulator'
import { getV3, populate, type Row, type SampleChain } from './sample-chain.js'

type Query = Record<string, string | string[]>

/** The sample chain, which no test changes. */
let sample: SampleChain

beforeAll(async () => {
  const chain = await createChainSimulator({ now: 1_800_000_000 })
  sample = await populate(chain)
  return () => chain.close()
})

const ROUNDS = 150

/** Creates a seeded random generator. */
function createChoice(seed: number) {
  const random = createRandom(seed)
  const below = (limit: number): number => belowOf(random, limit)
  return { below, oneOf: <Value>(values: readonly Value[]): Value => values[below(values.length)]! }
}

type Choice = ReturnType<typeof createChoice>

/** Returns random parameters with values of existing rows. */
function someOf(
  { below }: Choice,
  parameters: Readonly<Record<string, () => string | string[]>>,
): Query {
  const entries = Object.entries(parameters).filter(() => below(4) === 0)
  return Object.fromEntries(entries.map(([name, value]) => [name, value()]))
}

function hashOf({ transaction }: RecordedTransaction): string {
  return transaction.hash().toString('base64')
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex')
}

function raw(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}

/** Reads the filterable fields of a message from its cell. */
function readMessage(cell: NonNullable<RecordedTransaction['inMessage']>) {
  const { info, body } = loadMessage(cell.beginParse())
  const slice = body.beginParse()
  return {
    hash: cell.hash().toString('base64'),
    body: body.hash().toString('base64'),
    opcode: slice.remainingBits < 32 ? undefined : slice.loadUint(32),
    source: info.type === 'external-in' ? null : raw(info.src),
    destination: info.type === 'external-out' ? null : raw(info.dest),
    lt: info.type === 'external-in' ? undefined : info.createdLt,
    utime: info.type === 'external-in' ? undefined : info.createdAt,
    isExternal: info.type !== 'internal',
  }
}

/** Reads all pages of a list. */
async function walk(path: string, query: Query, list: string, choice: Choice): Promise<Row[]> {
  const limit = 1 + choice.below(30)
  const rows: Row[] = []
  for (;;) {
    const page = { ...query, limit: String(limit), offset: String(rows.length) }
    const { status, body } = await getV3(sample, path, page)
    expect({ path, query, status, error: body.error }).toMatchObject({ status: 200 })
    rows.push(...body[list]!)
    if (body[list]!.length < limit) return rows
  }
}

function isWithin(query: Query, lt: bigint | undefined, utime: number | undefined): boolean {
  const bounds = ['start_lt', 'end_lt', 'start_utime', 'end_utime'] as const
  return bounds.every((name) => {
    const bound = query[name]
    if (bound === undefined) return true
    const value = name.endsWith('lt') ? lt : utime
    if (value === undefined) return false
    return name.startsWith('start') ? value >= Number(bound) : value <= Number(bound)
  })
}

/** Checks that rows are sorted. */
function expectOrder(rows: readonly (number | bigint)[], isAscending: boolean): void {
  const isWrong = (value: number | bigint, at: number): boolean => {
    const next = rows[at + 1] ?? value
    return isAscending ? value > next : value < next
  }
  expect(rows.filter(isWrong)).toEqual([])
}

it('returns the transactions of a filter once each, sorted and paginated', async () => {
  const choice = createChoice(1)
  const all = sample.chain.transactions
  const any = () => choice.oneOf(all)
  let found = 0
  for (let round = 0; round < ROUNDS; round++) {
    const query: Query = someOf(choice, {
      account: () => [any().address.toString(), raw(any().address)],
      exclude_account: () => raw(any().address),
      workchain: () => choice.oneOf(['0', '0', '-1']),
      shard: () => choice.oneOf(['8000000000000000', '-9223372036854775808', '2000000000000000']),
      seqno: () => String(any().seqno),
      mc_seqno: () => String(any().seqno),
      start_lt: () => String(any().transaction.lt),
      end_lt: () => String(any().transaction.lt),
      start_utime: () => String(any().transaction.now),
      end_utime: () => String(any().transaction.now),
      sort: () => choice.oneOf(['asc', 'desc']),
    })
    const accounts = query['account'] as string[] | undefined
    const expected = all.filter(
      ({ address, seqno, transaction: { lt, now } }) =>
        (accounts === undefined ||
          accounts.some((one) => one === raw(address) || one === address.toString())) &&
        (query['workchain'] ?? '0') === '0' &&
        query['shard'] !== '2000000000000000' &&
        (query['seqno'] ?? `${seqno}`) === `${seqno}` &&
        (query['mc_seqno'] ?? `${seqno}`) === `${seqno}` &&
        isWithin(query, lt, now),
    )
    const rows = await walk('/transactions', query, 'transactions', choice)
    expect(
      rows
        .map(({ hash }) => hash)
        .map(String)
        .toSorted(),
    ).toEqual(expected.map(hashOf).map(String).toSorted())
    const isTimed = 'start_utime' in query || 'end_utime' in query
    expectOrder(
      rows.map((row) => (isTimed ? Number(row['now']) : BigInt(String(row['lt'])))),
      query['sort'] === 'asc',
    )
    found += rows.length
  }
  expect(found).toBeGreaterThan(ROUNDS)
})

it('finds transactions by hash and by lt in any format', async () => {
  for (const one of sample.chain.transactions) {
    const hash = hashOf(one)
    const url = hash.replaceAll('+', '-').replaceAll('/', '_')
    for (const spelling of [hash, url, hex(hash), `0x${hex(hash).toUpperCase()}`]) {
      const { body } = await getV3(sample, '/transactions', { hash: spelling })
      expect(body['transactions']!.map((row) => row['hash'])).toEqual([hash])
    }
    const { body } = await getV3(sample, '/transactions', { lt: one.transaction.lt })
    expect(body['transactions']!.map((row) => row['hash'])).toEqual([hash])
  }
})

it('returns the messages of a filter once each, sorted and paginated', async () => {
  const choice = createChoice(2)
  const sent = new Map<string, { sender?: RecordedTransaction; receiver?: RecordedTransaction }>()
  const facts = new Map<string, ReturnType<typeof readMessage>>()
  for (const one of sample.chain.transactions) {
    for (const cell of one.outMessages) {
      const message = readMessage(cell)
      facts.set(message.hash, message)
      sent.set(message.hash, { ...sent.get(message.hash), sender: one })
    }
    const message = readMessage(one.inMessage!)
    facts.set(message.hash, message)
    sent.set(message.hash, { ...sent.get(message.hash), receiver: one })
  }
  const all = [...facts.values()]
  const any = () => choice.oneOf(all)
  let found = 0
  for (let round = 0; round < ROUNDS; round++) {
    const query: Query = someOf(choice, {
      msg_hash: () => [any().hash, hex(any().hash)],
      body_hash: () => any().body,
      opcode: () => `0x${(any().opcode ?? 0).toString(16)}`,
      source: () => any().source ?? 'null',
      destination: () => any().destination ?? 'null',
      direction: () => choice.oneOf(['in', 'out']),
      exclude_externals: () => choice.oneOf(['true', 'false']),
      only_externals: () => choice.oneOf(['false', '0', '1']),
      start_lt: () => String(any().lt ?? 1),
      end_lt: () => String(any().lt ?? 1),
      start_utime: () => String(any().utime ?? 1),
      end_utime: () => String(any().utime ?? 2_000_000_000),
      sort: () => choice.oneOf(['asc', 'desc']),
    })
    const hashes = query['msg_hash'] as string[] | undefined
    const expected = all.filter((one) => {
      const { sender, receiver } = sent.get(one.hash)!
      return (
        (hashes === undefined || hashes.includes(one.hash) || hashes.includes(hex(one.hash))) &&
        (query['body_hash'] ?? one.body) === one.body &&
        (query['opcode'] === undefined || Number(query['opcode']) === one.opcode) &&
        (query['source'] ?? String(one.source)) === String(one.source) &&
        (query['destination'] ?? String(one.destination)) === String(one.destination) &&
        (query['direction'] !== 'in' || receiver !== undefined) &&
        (query['direction'] !== 'out' || sender !== undefined) &&
        (query['exclude_externals'] !== 'true' || !one.isExternal) &&
        (query['only_externals'] !== '1' || one.isExternal) &&
        isWithin(query, one.lt, one.utime)
      )
    })
    const rows = await walk('/messages', query, 'messages', choice)
    expect({
      query,
      rows: rows
        .map(({ hash }) => hash)
        .map(String)
        .toSorted(),
    }).toEqual({
      query,
      rows: expected
        .map(({ hash }) => hash)
        .map(String)
        .toSorted(),
    })
    for (const row of rows) {
      const { sender, receiver } = sent.get(String(row['hash']))!
      expect(row['out_msg_tx_hash']).toBe(sender && hashOf(sender))
      expect(row['in_msg_tx_hash']).toBe(receiver && hashOf(receiver))
    }
    found += rows.length
  }
  expect(found).toBeGreaterThan(ROUNDS / 2)
})

it('returns external messages first in descending order, last in ascending order', async () => {
  for (const sort of ['desc', 'asc']) {
    const { body } = await getV3(sample, '/messages', { sort, limit: 1000 })
    const externals = body['messages']!.map(({ created_lt }) => created_lt === null)
    const sorted = externals.toSorted((one, other) =>
      sort === 'asc' ? Number(one) - Number(other) : Number(other) - Number(one),
    )
    expect(externals).toEqual(sorted)
    expect(new Set(externals).size).toBe(2)
  }
})

it('finds the sender and the receiver of a message by each of its hashes', async () => {
  const { transactions } = sample.chain
  for (const one of transactions) {
    for (const cell of one.outMessages) {
      const { hash, body, opcode, source, destination } = readMessage(cell)
      const received = one.children.find(({ inMessage }) => inMessage!.equals(cell))!
      const both = [hashOf(one), hashOf(received)]
      const ask = async (query: Query) => {
        const response = await getV3(sample, '/transactionsByMessage', { ...query, limit: '1000' })
        return response.body['transactions']!.map((row) => row['hash'])
      }
      expect((await ask({ msg_hash: hash })).map(String).toSorted()).toEqual(
        both.map(String).toSorted(),
      )
      expect(await ask({ msg_hash: hash, direction: 'in' })).toEqual([both[1]])
      expect(await ask({ msg_hash: hash, direction: 'out' })).toEqual([both[0]])
      expect(await ask({ body_hash: body })).toEqual(expect.arrayContaining(both))
      expect(
        await ask({ msg_hash: hash, source: source!, destination: destination! }),
      ).toHaveLength(2)
      expect(await ask({ msg_hash: hash, source: destination! })).toEqual([])
      if (opcode === undefined) continue
      // A filter by opcode returns the receivers.
      const requested = await ask({ opcode: `0x${opcode.toString(16)}`, direction: 'out' })
      expect(requested).toContain(both[1])
      expect(requested.map(String).toSorted()).toEqual(
        transactions
          .filter(({ inMessage }) => readMessage(inMessage!).opcode === opcode)
          .map(hashOf)
          .map(String)
          .toSorted(),
      )
    }
    const near = [...(one.parent === undefined ? [] : [one.parent]), ...one.children]
    const { status, body } = await getV3(sample, '/adjacentTransactions', { hash: hashOf(one) })
    expect(status).toBe(near.length === 0 ? 404 : 200)
    expect((body['transactions'] ?? []).map(({ hash }) => hash)).toEqual(near.map(hashOf))
  }
})

it('returns the traces of a filter, bounded by their ends', async () => {
  const choice = createChoice(3)
  const ends = new Map<RecordedTransaction, RecordedTransaction>()
  const members = new Map<RecordedTransaction, RecordedTransaction[]>()
  for (const one of sample.chain.transactions) {
    let root = one
    while (root.parent !== undefined) root = root.parent
    ends.set(root, one)
    members.set(root, [...(members.get(root) ?? []), one])
  }
  const any = () => choice.oneOf(sample.chain.transactions)
  const marks = {
    account: () => raw(any().address),
    trace_id: () => hashOf(choice.oneOf([...ends.keys()])),
    tx_hash: () => hashOf(any()),
    msg_hash: () => any().inMessage!.hash().toString('hex'),
  }
  for (let round = 0; round < ROUNDS; round++) {
    const mark = choice.oneOf([...Object.keys(marks), 'none']) as keyof typeof marks | 'none'
    const query: Query = {
      ...(mark !== 'none' && { [mark]: marks[mark]() }),
      ...someOf(choice, {
        mc_seqno: () => String(any().seqno),
        start_lt: () => String(any().transaction.lt),
        end_lt: () => String(any().transaction.lt),
        start_utime: () => String(any().transaction.now),
        end_utime: () => String(any().transaction.now),
        sort: () => choice.oneOf(['asc', 'desc']),
      }),
    }
    const expected = [...ends].filter(([root, end]) => {
      const own = members.get(root)!
      return (
        (query['account'] ?? raw(root.address)) !== undefined &&
        (query['account'] === undefined ||
          own.some(({ address }) => raw(address) === query['account'])) &&
        (query['trace_id'] ?? hashOf(root)) === hashOf(root) &&
        (query['tx_hash'] === undefined || own.some((one) => hashOf(one) === query['tx_hash'])) &&
        (query['msg_hash'] === undefined ||
          own.some(({ inMessage }) => inMessage!.hash().toString('hex') === query['msg_hash'])) &&
        (query['mc_seqno'] ?? `${end.seqno}`) === `${end.seqno}` &&
        isWithin(query, end.transaction.lt, end.transaction.now)
      )
    })
    const rows = await walk('/traces', query, 'traces', choice)
    expect(
      rows
        .map(({ trace_id }) => trace_id)
        .map(String)
        .toSorted(),
    ).toEqual(
      expected
        .map(([root]) => hashOf(root))
        .map(String)
        .toSorted(),
    )
    const isTimed = 'start_utime' in query || 'end_utime' in query
    expectOrder(
      rows.map((row) => (isTimed ? Number(row['end_utime']) : BigInt(String(row['end_lt'])))),
      query['sort'] === 'asc',
    )
  }
})

it('returns blocks with their transactions, and the shards of each masterchain block', async () => {
  const { blocks } = sample.chain
  const rows = await walk('/blocks', { workchain: '0', sort: 'asc' }, 'blocks', createChoice(4))
  expect(rows.map(({ seqno, tx_count }) => [seqno, tx_count])).toEqual(
    blocks.map(({ seqno, transactions }) => [seqno, transactions.length]),
  )
  for (const { seqno, transactions } of blocks) {
    const { body } = await getV3(sample, '/transactionsByMasterchainBlock', { seqno, limit: 1000 })
    expect(
      body['transactions']!.map(({ hash }) => hash)
        .map(String)
        .toSorted(),
    ).toEqual(transactions.map(hashOf).map(String).toSorted())
    const places = [
      [-1, seqno],
      [0, seqno],
    ]
    for (const path of ['/masterchainBlockShardState', '/masterchainBlockShards']) {
      const response = await getV3(sample, path, { seqno })
      expect(response.body['blocks']!.map((row) => [row['workchain'], row['seqno']])).toEqual(
        places,
      )
    }
    const [block] = (await getV3(sample, '/blocks', { workchain: 0, mc_seqno: seqno })).body[
      'blocks'
    ]!
    const byHash = await getV3(sample, '/blocks', { root_hash: String(block!['root_hash']) })
    expect(byHash.body['blocks']).toEqual([block])
  }
})
