import { describe, expect, it } from 'vitest'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import { checkParams } from '../../../src/toncenter/schema/params-object.js'
import { v2Endpoints } from '../../../src/toncenter/v2/endpoints/table.js'
import type { V2EndpointName } from '../../../src/toncenter/v2/endpoint-types.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const accountHash = 'g9/VUuY3KbRy/LzIxF68xmkXAlWLaOx1J+G6QDoPMag='
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const shard = '-9223372036854775808'
const block = { workchain: -1, shard, seqno: 1 }
const boc = 'te6cckEBAQEAAgAAAEysuc0='

function check(name: V2EndpointName, params: unknown): Readonly<Record<string, unknown>> {
  return checkParams(name, v2Endpoints[name].params, params)
}

function problemOf(name: V2EndpointName, params: unknown): string {
  try {
    check(name, params)
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.message
    throw error
  }
  return 'accepted'
}

type Row = [name: V2EndpointName, params: object, problem: RegExp]

const refused: Row[] = [
  // addresses
  ['getAddressBalance', {}, /^getAddressBalance: address must be an address/],
  ['getAddressBalance', { address: '0:83dfd552' }, /address must be/],
  ['getAddressBalance', { address: `0:${'a'.repeat(63)}` }, /address must be/],
  ['getAddressBalance', { address: 'a'.repeat(64) }, /address must be/],
  ['getAddressBalance', { address: address.replace('D39', 'D38') }, /right checksum/],
  ['getAddressBalance', { address: '' }, /address must be/],
  ['getAddressBalance', { address: {} }, /address must be/],
  ['tryLocateTx', { source: address, created_lt: 1n }, /destination must be/],
  // seqno and other small integers
  ['getAddressState', { address, seqno: 0 }, /seqno must be an integer from 1 to 2147483647/],
  ['getAddressState', { address, seqno: -1 }, /seqno must be/],
  ['getAddressState', { address, seqno: 1.5 }, /seqno must be/],
  ['getAddressState', { address, seqno: 2 ** 31 }, /seqno must be/],
  ['getAddressState', { address, seqno: '1' }, /seqno must be/],
  ['getAddressState', { address, seqno: null }, /seqno must be/],
  ['getMasterchainBlockSignatures', {}, /seqno must be/],
  ['getShards', { seqno: 0 }, /seqno must be/],
  ['shards', { seqno: Number.NaN }, /seqno must be/],
  ['getShardBlockProof', { ...block, from_seqno: -1 }, /from_seqno must be an integer from 0/],
  ['getBlockHeader', { ...block, workchain: 2 ** 31 }, /workchain must be/],
  ['getConfigParam', { config_id: -1 }, /config_id must be an integer from 0/],
  ['getConfigParam', {}, /exactly one of config_id, param/],
  ['getConfigParam', { config_id: 4, param: 4 }, /exactly one of config_id, param/],
  ['dnsResolve', { address, ttl: -1 }, /ttl must be an integer from 0/],
  // shards
  ['getBlockHeader', { ...block, shard: '8000000000000000g' }, /shard must be/],
  ['getBlockHeader', { ...block, shard: '0x18000000000000000' }, /shard must be/],
  ['getBlockHeader', { ...block, shard: 2n ** 64n }, /shard must be/],
  ['getBlockHeader', { ...block, shard: -(2n ** 63n) - 1n }, /shard must be/],
  ['getBlockHeader', { ...block, shard: 'abc' }, /shard must be/],
  // lt and hash
  ['getTransactions', { address, lt: 5n }, /lt and hash must be passed together/],
  ['getTransactions', { address, hash }, /lt and hash must be passed together/],
  ['getTransactions', { address, lt: 0n, hash }, /lt must be a logical time from 1/],
  ['getTransactions', { address, lt: -1n, hash }, /lt must be/],
  ['getTransactions', { address, lt: '1.0', hash }, /lt must be/],
  ['getTransactions', { address, lt: 2 ** 53, hash }, /lt must be/],
  ['getTransactions', { address, lt: 2n ** 63n, hash }, /lt must be/],
  ['getTransactions', { address, lt: 1n, hash: hash.slice(0, 42) }, /hash must be/],
  ['getTransactions', { address, lt: 1n, hash: 'zz'.repeat(32) }, /hash must be/],
  ['getTransactions', { address, lt: 1n, hash: new Uint8Array(31) }, /hash must be/],
  ['getTransactions', { address, to_lt: -1n }, /to_lt must be/],
  ['getTransactions', { address, limit: 0 }, /limit must be an integer from 1 to 1000/],
  ['getTransactions', { address, limit: 1001 }, /limit must be/],
  ['getTransactions', { address, archival: 'yes' }, /archival must be true, false or 'auto'/],
  ['getTransactionsStd', { address, lt: 0n }, /lt and hash must be passed together/],
  ['getBlockTransactions', { ...block, after_lt: 1n }, /after_lt and after_hash/],
  ['getBlockTransactions', { ...block, after_hash: address }, /after_lt and after_hash/],
  ['getBlockTransactions', { ...block, count: 0 }, /count must be an integer from 1 to 10000/],
  ['getBlockTransactionsExt', { ...block, count: 10_001 }, /count must be/],
  ['getBlockTransactionsExt', { ...block, root_hash: 'abc' }, /root_hash must be/],
  ['lookupBlock', { workchain: 0, shard }, /exactly one of seqno, lt, unixtime/],
  ['lookupBlock', { workchain: 0, shard, seqno: 1, lt: 1n }, /exactly one of seqno, lt, unixtime/],
  ['lookupBlock', { workchain: 0, shard, unixtime: new Date('x') }, /unixtime must be/],
  ['getLibraries', {}, /libraries must be an array/],
  ['getLibraries', { libraries: [] }, /libraries must be a list of at least one/],
  ['getLibraries', { libraries: [hash, 'x'] }, /libraries\[1\] must be a 256-bit hash/],
  ['detectHash', { hash: hash.slice(1) }, /hash must be/],
  // bags of cells
  ['sendBoc', { boc: '' }, /boc must be a bag of cells/],
  ['sendBoc', { boc: 'b5ee9c72410101010002000000' }, /boc must be/],
  ['sendBoc', { boc: new Uint8Array(4) }, /boc must be/],
  ['sendBoc', { boc: { toBoc: () => boc } }, /boc must be/],
  ['sendBoc', { boc: { toBoc: boc } }, /boc must be/],
  ['estimateFee', { address, body: boc, ignore_chksig: 1 }, /ignore_chksig must be true or false/],
  ['estimateFee', { address, body: boc, init_code: 'x' }, /init_code must be/],
  ['estimateFee', { address, body: boc, init_data: null }, /init_data must be/],
  // get-methods
  ['runGetMethod', { address, method: '', stack: [] }, /method must be/],
  ['runGetMethod', { address, method: 2 ** 31, stack: [] }, /method must be/],
  ['runGetMethod', { address, method: 'a' }, /stack/],
  ['jsonRPC', { method: 'a', params: [] }, /params must be an object/],
  // names
  ['getTransactions', { address, limt: 5 }, /limt is not a parameter .*did you mean limit\?/],
  ['getTransactions', { adress: address }, /adress is not a parameter .*did you mean address\?/],
  ['getBlockTransactions', { ...block, afterLt: 1n }, /did you mean after_lt\?/],
  ['getMasterchainInfo', { seqno: 1 }, /seqno is not a parameter of this endpoint; it takes none/],
  ['getConfigAll', { x: 1 }, /x is not a parameter of this endpoint; it takes seqno/],
]

const accepted: [name: V2EndpointName, params: object, wire: object][] = [
  ['getAddressBalance', { address: raw }, { address: raw }],
  ['getAddressBalance', { address: { toRawString: () => raw } }, { address: raw }],
  ['getAddressBalance', { address, seqno: undefined }, { address }],
  [
    'packAddress',
    { address: address.replaceAll('_', '/') },
    { address: address.replaceAll('_', '/') },
  ],
  ['getBlockHeader', { ...block, shard: 2n ** 63n }, block],
  ['getBlockHeader', { ...block, shard: '0x8000000000000000' }, block],
  ['getBlockHeader', { ...block, shard: '9223372036854775808' }, block],
  ...shards(),
  ['getTransactions', { address, lt: '5', hash, to_lt: 0 }, { address, lt: '5', hash, to_lt: '0' }],
  ['getTransactionsStd', { address, lt: 0n, hash }, { address, lt: '0', hash }],
  ['detectHash', { hash: hash.replaceAll('/', '_').replaceAll('+', '-') }, { hash }],
  ['detectHash', { hash: hash.slice(0, 43) }, { hash }],
  ['detectHash', { hash: Buffer.from(hash, 'base64') }, { hash }],
  ['detectHash', { hash: Buffer.from(hash, 'base64').toString('hex') }, { hash }],
  [
    'detectHash',
    { hash: `0x${Buffer.from(hash, 'base64').toString('hex').toUpperCase()}` },
    { hash },
  ],
  [
    'getBlockTransactions',
    { ...block, after_lt: 1n, after_hash: raw },
    { ...block, after_lt: '1', after_hash: accountHash },
  ],
  [
    'getBlockTransactions',
    { ...block, after_lt: 1n, after_hash: accountHash },
    { ...block, after_lt: '1', after_hash: accountHash },
  ],
  [
    'lookupBlock',
    { workchain: 0, shard, unixtime: new Date(1_700_000_000_999) },
    { workchain: 0, shard, unixtime: 1_700_000_000 },
  ],
  // what an answer holds, passed on as it came
  ['getBlockHeader', { '@type': 'ton.blockIdExt', ...block }, block],
  [
    'getTransactions',
    { address, '@type': 'internal.transactionId', lt: 5n, hash, '@extra': '1:2:3' },
    { address, lt: '5', hash },
  ],
  ['sendBoc', { boc: Buffer.from(boc, 'base64') }, { boc }],
  ['sendBoc', { boc: boc.replace('=', '') }, { boc }],
  ['sendBoc', { boc: { toBoc: () => Buffer.from(boc, 'base64') } }, { boc }],
  [
    'runGetMethod',
    {
      address,
      method: 'a',
      stack: [{ type: 'slice', boc: { toBoc: () => Buffer.from(boc, 'base64') } }],
    },
    { address, method: 'a', stack: [['tvm.Slice', boc]] },
  ],
  ['estimateFee', { address, body: boc, init_code: '' }, { address, body: boc, init_code: '' }],
  ['getConfigParam', { param: 0 }, { param: 0 }],
  ['runGetMethod', { address, method: -1, stack: [] }, { address, method: -1, stack: [] }],
]

/** One shard of every depth up to 15, as v3 writes it, and the same as v2 does. */
function shards(): [name: V2EndpointName, params: object, wire: object][] {
  const ids = Array.from({ length: 16 }, (_, depth) => [
    1n << BigInt(63 - depth),
    ((0xb5b5n >> BigInt(16 - depth)) << BigInt(64 - depth)) | (1n << BigInt(63 - depth)),
  ]).flat()
  return ids.flatMap((id) => {
    const signed = BigInt.asIntN(64, id).toString()
    const wire = { ...block, shard: signed }
    const hex = BigInt.asUintN(64, id).toString(16)
    const spellings = [hex, hex.toUpperCase(), hex.padStart(16, '0'), `0x${hex}`, signed, id]
    return spellings.map((shard): [V2EndpointName, object, object] => [
      'getBlockHeader',
      { ...block, shard },
      wire,
    ])
  })
}

describe('parameters', () => {
  it.each(refused)('make %s reject %o', (name, params, problem) => {
    expect(problemOf(name, params)).toMatch(problem)
  })

  it.each(accepted)('make %s accept %o', (name, params, wire) => {
    expect(check(name, params)).toEqual(wire)
  })

  it('names all problems at once', () => {
    expect(problemOf('getTransactions', { address: 'x', limit: 0, foo: 1 })).toBe(
      'getTransactions: address must be an address: workchain:hash with 64 hex digits, or 48 characters of base64 with a right checksum; ' +
        'limit must be an integer from 1 to 1000; foo is not a parameter of this endpoint; it takes address, limit, hash, to_lt, archival, lt',
    )
  })

  it.each([[[]], ['x'], [5]])('must be an object, not %j', (params) => {
    expect(problemOf('getTransactions', params)).toBe(
      'getTransactions: the parameters must be an object',
    )
  })
})
