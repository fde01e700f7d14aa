import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import type { V2EndpointName } from '../../../src/toncenter/v2/endpoint-types.js'
import { v2Results } from '../../../src/toncenter/v2/results.js'
import { driftOf } from '../schema/read-schema.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { readFixture } from './fixtures.js'
import { sampleParameters } from './sample-parameters.js'

/** Calls an endpoint with its sample parameters. @returns its result, and the differences of the response from its schema */
async function callWith(endpoint: V2EndpointName, text: string) {
  const { baseUrl } = await startMockApi(() => text)
  const v2 = createV2Client({ baseUrl, rps: Infinity })
  // One call for any endpoint: its own parameters are what it gets.
  const call = v2[endpoint] as (params: unknown) => Promise<unknown>
  const result = await call(sampleParameters[endpoint])
  const body = parseJson(text) as { result?: unknown }
  return { result, drifts: driftOf(v2Results[endpoint], body.result) }
}

const ABSENT = Symbol('absent')
const AT = /[^.]+/g

/** Returns a fixture with another value at a path, for example `result.0.in_msg`. */
function changed(file: string, place: string, value: unknown): string {
  const body: unknown = parseJson(readFixture(file))
  const keys = place.match(AT) ?? []
  const last = keys.pop() ?? ''
  let inner = body as Record<string, unknown>
  for (const key of keys) inner = inner[key] as Record<string, unknown>
  if (value === ABSENT) delete inner[last]
  else inner[last] = value
  return JSON.stringify(body)
}

function valueAt(result: unknown, place: string): unknown {
  let inner = { result } as Record<string, unknown>
  const keys = place.match(AT) ?? []
  const last = keys.pop() ?? ''
  for (const key of keys) inner = inner[key] as Record<string, unknown>
  return inner[last]
}

type Row = [file: string, place: string, values: unknown[], read: unknown]

const MISSING = [ABSENT, null]
const rows: Row[] = [
  ['getTransactions.cpp.json', 'result.0.in_msg.body_hash', MISSING, undefined],
  ['getTransactions.cpp.json', 'result.0.in_msg.source', MISSING, ''],
  ['getTransactions.cpp.json', 'result.0.in_msg.destination', MISSING, ''],
  ['getTransactions.cpp.json', 'result.0.in_msg', [...MISSING, {}], undefined],
  ['getTransactions.cpp.json', 'result.0.out_msgs', MISSING, []],
  [
    'getTransactionsStd.cpp.json',
    'result.transactions.0.in_msg.source',
    [...MISSING, { account_address: null }, {}],
    { account_address: '' },
  ],
  ['getTransactionsStd.cpp.json', 'result.transactions.0.in_msg', [{}], undefined],
  ['getTransactionsStd.cpp.json', 'result.transactions.0.out_msgs', MISSING, []],
  ['getTransactionsStd.end.cpp.json', 'result.previous_transaction_id.hash', [''], ''],
  ['getBlockTransactions.cpp.json', 'result.transactions.0.mode', MISSING, undefined],
  ['getBlockTransactions.cpp.json', 'result.id.shard', [0], '0'],
  ['getMasterchainInfo.cpp.json', 'result.init.shard', [0], '0'],
  ['estimateFee.cpp.json', 'result.destination_fees', MISSING, []],
  ['getBlockHeader.cpp.json', 'result.gen_utime', MISSING, undefined],
  ['getLibraries.cpp.json', 'result.result', MISSING, []],
  ['getAddressInformation.cpp.json', 'result.code', MISSING, ''],
  ['getAddressInformation.cpp.json', 'result.data', MISSING, ''],
  ['getAddressInformation.cpp.json', 'result.last_transaction_id.hash', [''], ''],
  ['getExtendedAddressInformation.raw.cpp.json', 'result.account_state.code', MISSING, ''],
  // An account that never existed, from tonlib and from the Python server.
  ...[
    'getAddressInformation.cpp',
    'getWalletInformation.cpp',
    'getExtendedAddressInformation.raw.cpp',
  ].flatMap((file): Row[] => [
    [`${file}.json`, 'result.balance', ['-1', -1], -1n],
    [`${file}.json`, 'result.balance', ['0', 0], 0n],
  ]),
  ['getAddressBalance.cpp.json', 'result', ['-1', -1], -1n],
  ['getAddressBalance.cpp.json', 'result', ['0', 0], 0n],
  ['getTransactions.cpp.json', 'result.0.address', MISSING, { account_address: '' }],
  ['getConsensusBlock.cpp.json', 'result.timestamp', ['1716788421.28'], 1_716_788_421.28],
  ['getTokenData.nft-item.python.json', 'result.content', MISSING, undefined],
  ['getTokenData.nft-collection.cpp.json', 'result.collection_content', MISSING, undefined],
]

describe('an optional field', () => {
  it.each(rows)('may be missing or odd in %s: %s', async (file, place, values, read) => {
    const endpoint = file.split('.', 1)[0] as V2EndpointName
    for (const value of values) {
      const { result, drifts } = await callWith(endpoint, changed(file, place, value))
      expect({ value, read: valueAt(result, place) }).toEqual({ value, read })
      expect(drifts).toEqual([])
    }
  })

  it.each([
    ['getTransactions.cpp.json', 'result.0.out_msgs', 'x'],
    ['getTransactions.cpp.json', 'result.0.in_msg', { value: 'x' }],
    ['getTransactions.cpp.json', 'result.0.transaction_id.hash', ''],
    ['estimateFee.cpp.json', 'result.destination_fees', [{ fwd_fee: 'x' }]],
    ['getMasterchainInfo.cpp.json', 'result.init.shard', 0.5],
    ['getConsensusBlock.cpp.json', 'result.timestamp', 'now'],
  ])('is rejected in %s when it is invalid: %s', async (file, place, value) => {
    const endpoint = file.split('.', 1)[0] as V2EndpointName
    await expect(callWith(endpoint, changed(file, place, value))).rejects.toThrow('is not')
  })

  it('returns a separate list to every caller', async () => {
    const { result } = await callWith(
      'getTransactions',
      changed('getTransactions.cpp.json', 'result.0.out_msgs', ABSENT),
    )
    const list = result as { out_msgs: unknown[] }[]
    list[0]?.out_msgs.push('x')
    const again = await callWith(
      'getTransactions',
      changed('getTransactions.cpp.json', 'result.0.out_msgs', ABSENT),
    )
    expect(valueAt(again.result, 'result.0.out_msgs')).toEqual([])
  })

  it.each([
    ['jetton-master.cpp', 'mintable', ['true', -1, 1], true, []],
    ['jetton-master.cpp', 'mintable', ['false', 0], false, []],
    ['jetton-master.cpp', 'mintable', ['maybe', {}, 2], undefined, ['mintable: cannot be read']],
    ['jetton-master.cpp', 'mintable', MISSING, undefined, []],
    ['jetton-master.cpp', 'jetton_content', MISSING, undefined, []],
    [
      'jetton-master.cpp',
      'jetton_content',
      ['x', [], { type: 5 }],
      undefined,
      ['jetton_content: cannot be read'],
    ],
    ['jetton-master.cpp', 'jetton_content.data', MISSING, undefined, []],
    [
      'jetton-master.cpp',
      'jetton_content.data',
      [[1], 5],
      undefined,
      ['content.data: cannot be read'],
    ],
    ['jetton-master.cpp', 'jetton_wallet_code', MISSING, undefined, []],
    [
      'jetton-master.cpp',
      'jetton_wallet_code',
      [{}],
      undefined,
      ['jetton_wallet_code: cannot be read'],
    ],
    ['jetton-wallet.cpp', 'jetton_wallet_code', MISSING, undefined, []],
    ['jetton-wallet.cpp', 'owner', MISSING, undefined, []],
    ['jetton-wallet.cpp', 'jetton', MISSING, undefined, []],
    [
      'jetton-wallet.cpp',
      'mintless_is_claimed',
      ['x'],
      undefined,
      ['mintless_is_claimed: cannot be read'],
    ],
    ['nft-collection.cpp', 'collection_content.data', MISSING, undefined, []],
    ['nft-item.python', 'init', [-1, 'true'], true, []],
    ['nft-item.python', 'init', MISSING, undefined, []],
    ['nft-item.python', 'content.data', MISSING, undefined, []],
  ] as const)(
    'is read in the data of a token: %s %s as %j',
    async (file, place, values, read, told) => {
      for (const value of values) {
        const text = changed(`getTokenData.${file}.json`, `result.${place}`, value)
        const { result, drifts } = await callWith('getTokenData', text)
        expect({ value, read: valueAt(result, `result.${place}`) }).toEqual({ value, read })
        expect(drifts).toEqual(told)
      }
    },
  )

  it('reports unreadable content', async () => {
    const { result, drifts } = await callWith(
      'getTokenData',
      changed('getTokenData.nft-item.python.json', 'result.content', [1]),
    )
    expect(valueAt(result, 'result.content')).toBeUndefined()
    expect(drifts).toEqual(['content: cannot be read'])
  })
})

const sends = ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError'] as const

describe.each(sends)('%s that was accepted', (endpoint) => {
  it.each([
    '{"ok":true}',
    '{"ok":true,"result":null}',
    '{"ok":true,"result":"ok"}',
    '{"ok":true,"result":[]}',
    '{"ok":true,"result":{"@type":5}}',
    '{"ok":true,"result":{"hash":"","hash_norm":""}}',
    '{"ok":true,"result":{"hash":5,"hash_norm":{}}}',
  ])('is not a failure: %s', async (text) => {
    const { result } = await callWith(endpoint, text)
    expect(result).toBeTypeOf('object')
    const { hash, hash_norm } = result as { hash?: string; hash_norm?: string }
    const isUnread = hash === undefined && hash_norm === undefined
    expect(isUnread || endpoint === 'sendBoc').toBe(true)
  })
})

describe('a hash of a message that was accepted', () => {
  const HASH = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='

  it('is kept beside an unreadable one, which is reported', async () => {
    const text = `{"ok":true,"result":{"hash":"${HASH}","hash_norm":"x"}}`
    const { result, drifts } = await callWith('sendBocReturnHash', text)
    expect(result).toEqual({ hash: HASH })
    expect(drifts).toEqual(['hash_norm: cannot be read'])
  })
})
