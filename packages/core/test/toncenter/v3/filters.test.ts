import { describe, expect, it } from 'vitest'
import { checkParams } from '../../../src/toncenter/schema/params-object.js'
import { v3Endpoints } from '../../../src/toncenter/v3/endpoints/table.js'
import type { V3EndpointName } from '../../../src/toncenter/v3/endpoint-types.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='

function check(name: V3EndpointName, params: unknown): Readonly<Record<string, unknown>> {
  return checkParams(name, v3Endpoints[name].params, params)
}

describe('filters of actions, traces, tokens and contracts', () => {
  // The server takes those without the other one, and does not look at them.
  it.each([
    ['jettonTransfers', { direction: 'in' }, 'direction must be passed with owner_address'],
    ['nftTransfers', { direction: 'out' }, 'direction must be passed with owner_address'],
    ['nftItems', { include_on_sale: true }, 'include_on_sale must be passed with owner_address'],
    [
      'vesting',
      { contract_address: address, check_whitelist: true },
      'check_whitelist must be passed with wallet_address',
    ],
  ] as const)('make %s reject %o, which the server would ignore', (name, params, problem) => {
    expect(() => check(name, params)).toThrow(problem)
  })

  // The server answers these with 422.
  it.each([
    ['nftItems', { index: 5 }, 'index must be passed with collection_address'],
    ['traces', { account: address, trace_id: hash }, 'no more than one of account, trace_id'],
    ['events', { tx_hash: hash, msg_hash: hash }, 'no more than one of account, trace_id'],
    ['pendingTraces', {}, 'at least one of account, ext_msg_hash must be passed'],
    ['pendingActions', {}, 'at least one of account, ext_msg_hash must be passed'],
    ['balanceChanges', {}, 'exactly one of trace_id, action_id must be passed'],
    ['vesting', {}, 'exactly one of contract_address, wallet_address must be passed'],
    ['nftSales', {}, 'address must be'],
    ['actions', { action_type: 'ton transfer' }, 'action_type must be a type of actions'],
    ['actions', { action_type: ['ton_transfer', ''] }, 'action_type[1] must be a type of actions'],
    ['multisigOrders', { limit: 1025 }, 'limit must be an integer from 1 to 1024'],
    ['jettonWallets', { limit: 1001 }, 'limit must be an integer from 1 to 1000'],
  ] as const)('make %s reject %o', (name, params, problem) => {
    expect(() => check(name, params)).toThrow(problem)
  })

  it.each([
    [5, '5'],
    [0, '0'],
    [2n ** 256n - 1n, (2n ** 256n - 1n).toString()],
    ['12345678901234567890', '12345678901234567890'],
  ])('the index %s of an NFT is sent as %s', (index, wire) => {
    expect(check('nftItems', { collection_address: address, index })).toMatchObject({
      index: [wire],
    })
  })

  it.each([-1, 1.5, 2 ** 53, 2n ** 256n, -1n, '', '-5', '0x5', '1e3', null])(
    'the index of an NFT is never %s',
    (index) => {
      expect(() => check('nftItems', { collection_address: address, index })).toThrow(
        'index must be an integer from 0 to 2^256-1',
      )
    },
  )

  it('accepts unknown types of actions, and shortcuts', () => {
    const wanted = { action_type: 'robot_dance', supported_action_types: ['latest', 'nft.v3'] }
    expect(check('actions', wanted)).toMatchObject({
      action_type: ['robot_dance'],
      supported_action_types: ['latest', 'nft.v3'],
    })
  })
})
