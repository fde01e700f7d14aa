import { describe, expect, it } from 'vitest'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import { checkParams } from '../../../src/toncenter/schema/params-object.js'
import type { ParamsShape } from '../../../src/toncenter/schema/params-object.js'
import { methodOf, readOperations } from './description.js'
import { endpoints, type EndpointName } from './every-endpoint.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const hex = '6f6ebf3f0f01633e9563b472601ff0d8d7fca4a05e6ec83e1f8ad3d691f96443'
const boc = 'te6cckEBAQEAAgAAAEysuc0='
const limit = 10

function check(name: EndpointName, params: unknown): Readonly<Record<string, unknown>> {
  return checkParams(name, endpoints[name].params, params)
}

function problemOf(name: EndpointName, params: unknown): string {
  try {
    check(name, params)
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.message
    throw error
  }
  return 'accepted'
}

const tooMany = Array.from({ length: 1001 }, () => address)

const refused: [name: EndpointName, params: object, problem: RegExp][] = [
  // addresses: the server takes no bare hex
  ['accountStates', { address: raw.slice(2) }, /address must be an address/],
  ['accountStates', { address: [address, `0:${'a'.repeat(63)}`] }, /address\[1\] must be/],
  ['accountStates', { address: [] }, /address must be from 1 to 1000 of them/],
  ['accountStates', { address: tooMany }, /address must be from 1 to 1000 of them/],
  ['accountStates', { address: `${address},${raw}` }, /address must be an address/],
  ['transactions', { account: [] }, /account must be from 1 to 1000/],
  ['messages', { source: null }, /source must be an address, or the string 'null'/],
  ['transactions', { account: 'null' }, /account must be an address/],
  // shards and blocks
  ['blocks', { shard: '8000000000000000' }, /shard must be passed with workchain/],
  ['blocks', { workchain: 0, seqno: 5 }, /seqno must be passed with workchain and shard/],
  ['transactions', { shard: '8000000000000000' }, /shard must be passed with workchain/],
  ['transactions', { workchain: 0, shard: '8000000000000000g' }, /shard must be a shard/],
  ['transactions', { workchain: 0, shard: 2n ** 64n }, /shard must be/],
  ['transactions', { workchain: 0, shard: -(2n ** 63n) - 1n }, /shard must be/],
  ['transactions', { workchain: 0, shard: '' }, /shard must be/],
  ['masterchainBlockShards', { seqno: -1 }, /seqno must be an integer from 0/],
  // opcodes: digits without 0x would be taken for hex
  [
    'messages',
    { opcode: '12345' },
    /opcode must be an opcode: a number of 32 bits, or hex with 0x/,
  ],
  ['messages', { opcode: -(2 ** 31) - 1 }, /opcode must be/],
  ['messages', { opcode: 2 ** 32 }, /opcode must be/],
  ['messages', { opcode: 1.5 }, /opcode must be/],
  ['messages', { opcode: '0x100000000' }, /opcode must be/],
  ['decode', { opcodes: [1, 'x'] }, /opcodes\[1\] must be/],
  ['decode', {}, /at least one of opcodes, bodies must be passed/],
  ['decode', { bodies: ['x'] }, /bodies\[0\] must be a bag of cells/],
  // hashes
  ['adjacentTransactions', { hash: hash.slice(0, 42) }, /hash must be a 256-bit hash/],
  ['adjacentTransactions', {}, /hash must be/],
  ['messages', { msg_hash: [hash, 'x'] }, /msg_hash\[1\] must be/],
  ['transactionsByMessage', { limit }, /at least one of msg_hash, body_hash, opcode/],
  // pages
  ['blocks', { limit: 0 }, /limit must be an integer from 1 to 1000/],
  ['blocks', { limit: 1001 }, /limit must be an integer from 1 to 1000/],
  ['blocks', { limit: '5' }, /limit must be/],
  ['blocks', { offset: -1 }, /offset must be an integer from 0/],
  ['blocks', { sort: 'up' }, /sort must be one of asc, desc/],
  ['messages', { direction: 'both' }, /direction must be one of in, out/],
  // times
  ['blocks', { start_utime: 1_700_000_000_000 }, /start_utime must be a Date, or seconds/],
  ['blocks', { end_lt: -1n }, /end_lt must be/],
  // what would be empty, or is refused
  ['dnsRecords', {}, /at least one of wallet, domain must be passed/],
  ['dnsRecords', { limit }, /at least one of wallet, domain must be passed/],
  [
    'messages',
    { exclude_externals: true, only_externals: true },
    /no more than one of exclude_externals and only_externals may be true/,
  ],
  [
    'jettonWallets',
    { jetton_address: [address, raw] },
    /several of jetton_address must be passed with exactly one owner_address/,
  ],
  [
    'jettonWallets',
    { jetton_address: [address, raw], owner_address: [address, raw] },
    /several of jetton_address must be passed with exactly one owner_address/,
  ],
  ['nftItems', { include_on_sale: true }, /include_on_sale must be passed with owner_address/],
  ['blocks', { start_utime: new Date('never') }, /start_utime must be a Date, or seconds/],
  ['blocks', { start_utime: -1 }, /start_utime must be a Date, or seconds/],
  // legacy
  ['runGetMethod', { address, method: 5, stack: [] }, /method must be a non-empty string/],
  [
    'runGetMethod',
    { address, method: 'a', stack: [{ type: 'tuple', items: [] }] },
    /stack\[0\]\.type must be number, cell or slice: API v3 supports nothing else/,
  ],
  ['runGetMethod', { address, method: 'a', stack: [{ type: 'null' }] }, /stack\[0\]\.type must be/],
  [
    'runGetMethod',
    { address, method: 'a', stack: [{ type: 'number', value: 2n ** 256n }] },
    /stack\[0\]\.value must be a bigint of at most 257 bits/,
  ],
  ['message', { boc: 'x' }, /boc must be a bag of cells/],
  ['pendingTransactions', { trace_id: hash }, /account must be/],
  // auctions, validators and pools
  [
    'dnsActiveAuctions',
    { bidder: address, after: 'x', offset: 1 },
    /no more than one of after, offset/,
  ],
  [
    'dnsActiveAuctions',
    { bidder: address, state: 'lost' },
    /state must be one of all, won, bidding/,
  ],
  [
    'validatorsEvents',
    { stake_holder_address: address, adnl_address: hash },
    /no more than one of/,
  ],
  ['validatorsCycles', { return_validators: true, limit: 101 }, /limit must be at most 100/],
  ['validatorsElections', { return_participants: true, limit: 101 }, /limit must be at most 100/],
  ['stakingNominatorPoolsValidatorEvents', {}, /at least one of validator, pool/],
  // emulation: the server would ignore other fields of a message
  ['emulateTrace', { boc: 'x' }, /boc must be a bag of cells/],
  ['emulateTonConnect', { from: address, messages: [] }, /messages must be from 1 to 4 of them/],
  [
    'emulateTonConnect',
    { from: address, messages: Array.from({ length: 5 }, () => ({ address, amount: 1 })) },
    /messages must be from 1 to 4 of them/,
  ],
  [
    'emulateTonConnect',
    { from: address, messages: [{ address }] },
    /messages\[0\]\.amount must be/,
  ],
  [
    'emulateTonConnect',
    { from: address, messages: { address, amount: 2n ** 64n } },
    /messages\.amount must be nanocoins/,
  ],
  [
    'emulateTonConnect',
    { from: address, messages: [{ address, amount: 1, extraCurrency: {} }] },
    /messages\[0\]\.extraCurrency must be left out/,
  ],
  ['emulateTonConnect', { from: address, messages: [5] }, /messages\[0\] must be an object with/],
  // names: the server ignores those that it does not know
  ['transactions', { acount: address }, /acount is not a parameter .*did you mean account\?/],
  ['transactions', { startLt: 1 }, /did you mean start_lt\?/],
  ['messages', { hash }, /hash is not a parameter/],
  ['masterchainInfo', { limit }, /limit is not a parameter of this endpoint; it takes none/],
]

const accepted: [name: EndpointName, params: object, wire: object][] = [
  ['accountStates', { address }, { address: [address] }],
  ['accountStates', { address: { toRawString: () => raw } }, { address: [raw] }],
  ['accountStates', { address: [address, raw] }, { address: [address, raw] }],
  ['messages', { source: 'null' }, { source: 'null', limit }],
  ['messages', { opcode: 0x0f8a7ea5 }, { opcode: '0x0f8a7ea5', limit }],
  ['messages', { opcode: '0xF8A7EA5' }, { opcode: '0x0f8a7ea5', limit }],
  ['messages', { opcode: 0 }, { opcode: '0x00000000', limit }],
  ['messages', { opcode: -1 }, { opcode: '0xffffffff', limit }],
  ['messages', { opcode: -(2 ** 31) }, { opcode: '0x80000000', limit }],
  [
    'messages',
    { exclude_externals: true, only_externals: false },
    { exclude_externals: true, only_externals: false, limit },
  ],
  ['dnsRecords', { wallet: address }, { wallet: address, limit: 100 }],
  ['nftItems', { include_on_sale: false }, { include_on_sale: false, limit }],
  [
    'jettonWallets',
    { jetton_address: [address, raw], owner_address: address },
    { jetton_address: [address, raw], owner_address: [address], limit },
  ],
  ['transactions', { hash: hex }, { hash: [hash], limit }],
  ['transactions', { hash: [hex, hash] }, { hash: [hash, hash], limit }],
  ['transactionsByMessage', { msg_hash: [hex, hash] }, { msg_hash: [hash, hash], limit }],
  ['runGetMethod', { address, method: 'seqno' }, { address, method: 'seqno', stack: [] }],
  ['decode', { bodies: Buffer.from(boc, 'base64').toString('hex') }, { bodies: [boc] }],
  ['blocks', { start_utime: 1_700_000_000.9 }, { start_utime: 1_700_000_000, limit }],
  ['messages', { opcode: 2 ** 32 - 1 }, { opcode: '0xffffffff', limit }],
  ['messages', { msg_hash: hex }, { msg_hash: [hash], limit }],
  [
    'messages',
    { msg_hash: [`0x${hex}`, hash.slice(0, 43), hash.replace('+', '-').replace('/', '_')] },
    { msg_hash: [hash, hash, hash], limit },
  ],
  ['adjacentTransactions', { hash: Buffer.from(hex, 'hex') }, { hash }],
  ['blocks', {}, { limit }],
  ['blocks', { limit: undefined }, { limit }],
  ['blocks', { limit: 1000, offset: 0, sort: 'asc' }, { limit: 1000, offset: 0, sort: 'asc' }],
  ['blocks', { start_utime: new Date(1_700_000_000_999) }, { start_utime: 1_700_000_000, limit }],
  ['blocks', { end_lt: '93307000000009' }, { end_lt: '93307000000009', limit }],
  ['topAccountsByBalance', {}, { limit }],
  ['decode', { opcodes: 1 }, { opcodes: ['0x00000001'] }],
  ['decode', { bodies: [Buffer.from(boc, 'base64')] }, { bodies: [boc] }],
  [
    'runGetMethod',
    {
      address,
      method: 'a',
      stack: [
        { type: 'number', value: -(2n ** 256n) },
        { type: 'cell', boc },
        { type: 'slice', boc },
      ],
    },
    {
      address,
      method: 'a',
      stack: [
        { type: 'num', value: (-(2n ** 256n)).toString() },
        { type: 'cell', value: boc },
        { type: 'slice', value: boc },
      ],
    },
  ],
  [
    'emulateTonConnect',
    {
      from: { toRawString: () => raw },
      messages: { address, amount: 2n ** 64n - 1n, payload: Buffer.from(boc, 'base64') },
    },
    { from: raw, messages: [{ address, amount: '18446744073709551615', payload: boc }] },
  ],
  ['validatorsEvents', { validator_pubkey: hex }, { validator_pubkey: hash, limit }],
  ['validatorsCycles', { limit: 101 }, { limit: 101 }],
  // what an answer of v3 or v2 says about a shard
  ...[
    ['8000000000000000', '8000000000000000'],
    ['0x8000000000000000', '8000000000000000'],
    ['-9223372036854775808', '8000000000000000'],
    ['9223372036854775808', '8000000000000000'],
    [2n ** 63n, '8000000000000000'],
    [-(2n ** 63n), '8000000000000000'],
    ['a000000000000000', 'A000000000000000'],
    ['-6917529027641081856', 'A000000000000000'],
    ['2305843009213693952', '2000000000000000'],
    ['800000000000', '0000800000000000'],
    ['1000000000000000', '1000000000000000'],
  ].map(([given, sent]): [EndpointName, object, object] => [
    'blocks',
    { workchain: 0, shard: given },
    { workchain: 0, shard: sent, limit },
  ]),
]

describe('parameters of API v3', () => {
  it.each(refused)('make %s reject %o', (name, params, problem) => {
    expect(problemOf(name, params)).toMatch(problem)
  })

  it.each(accepted)('make %s accept %o', (name, params, wire) => {
    expect(check(name, params)).toEqual(wire)
  })

  it('always send a limit where the endpoint has one', () => {
    const described = readOperations().filter(({ parameters }) => parameters.includes('limit'))
    const names = [...described.map(({ path }) => methodOf(path)), 'events']
    const withLimit = Object.values(endpoints).filter(({ params }) => 'limit' in params.shape)
    expect(withLimit.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    for (const { name, params } of withLimit) {
      const shape: ParamsShape = params.shape
      const limit = /^(?:dns|staking)/.test(name) ? 100 : 10
      expect(shape['limit']).toMatchObject({ isOptional: true, whenLeftOut: limit })
    }
  })
})
