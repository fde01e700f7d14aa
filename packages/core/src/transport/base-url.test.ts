import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors/configuration.js'
import { callUrl, serverRoots, type Network } from './base-url.js'

describe('serverRoots', () => {
  it.each([
    ['http://127.0.0.1:8081', 'http://127.0.0.1:8081'],
    ['http://127.0.0.1:8081/', 'http://127.0.0.1:8081'],
    ['https://ton.example/api/v2', 'https://ton.example'],
    ['https://ton.example/api/v3/', 'https://ton.example'],
    ['https://ton.example/api/v2/jsonRPC', 'https://ton.example'],
    ['https://example.com/nodes/ton/', 'https://example.com/nodes/ton'],
    ['https://example.com/nodes/ton/api/v2', 'https://example.com/nodes/ton'],
    ['https://example.com/api/v2x', 'https://example.com/api/v2x'],
    ['http://127.0.0.1:8081/jsonRPC', 'http://127.0.0.1:8081/jsonRPC'],
    ['http://127.0.0.1:8081/jsonRPC/', 'http://127.0.0.1:8081/jsonRPC'],
    ['https://example.com/nodes/v2/jsonRPC', 'https://example.com/nodes/v2/jsonRPC'],
    ['https://example.com/notjsonRPC', 'https://example.com/notjsonRPC'],
  ])('takes %s as %s', (baseUrl, root) => {
    expect(serverRoots({ baseUrl })).toEqual([root])
  })

  it('knows the networks and prefers mainnet', () => {
    expect(serverRoots({})).toEqual(['https://toncenter.com'])
    expect(serverRoots({ network: 'testnet' })).toEqual(['https://testnet.toncenter.com'])
  })

  it('keeps the order of several servers, each once', () => {
    const baseUrl = ['https://b.example', 'https://a.example', 'https://b.example/api/v2']
    expect(serverRoots({ baseUrl })).toEqual(['https://b.example', 'https://a.example'])
  })

  it.each([
    ['no address', { baseUrl: 'ton.example/hidden' }],
    ['another scheme', { baseUrl: 'ftp://ton.example/hidden' }],
    ['credentials', { baseUrl: 'https://user:hidden@ton.example' }],
    ['a key in the query', { baseUrl: 'https://ton.example/api/v2?api_key=hidden' }],
    ['no server at all', { baseUrl: [] }],
    ['two answers', { baseUrl: 'https://ton.example', network: 'mainnet' as const }],
    // What a caller without types may write.
    ['an unknown network', { network: 'hidden' as Network }],
  ])('refuses %s without quoting it', (_, options) => {
    const read = () => serverRoots(options)
    expect(read).toThrow(ConfigurationError)
    expect(read).not.toThrow(/hidden/)
  })
})

it('names an option of clients in place of credentials in an address', () => {
  const read = () => serverRoots({ baseUrl: 'https://user:word@ton.example' })
  expect(read).toThrow(/^baseUrl: holds credentials; use apiKey$/)
})

describe('callUrl', () => {
  it('escapes what base64 and raw addresses hold, and repeats names', () => {
    const query = [
      ['hash', 'a+b/c='],
      ['address', '0:AB'],
      ['address', '-1:CD'],
    ] as const
    expect(callUrl('https://ton.example/x', { api: 'v3', path: '/transactions', query })).toBe(
      'https://ton.example/x/api/v3/transactions?hash=a%2Bb%2Fc%3D&address=0%3AAB&address=-1%3ACD',
    )
  })

  it.each([
    ['https://ton.example', 'v2', 'https://ton.example/api/v2/shards'],
    ['https://ton.example', 'v3', 'https://ton.example/api/v3/shards'],
    ['http://127.0.0.1:8081/jsonRPC', 'v2', 'http://127.0.0.1:8081/shards'],
    ['http://127.0.0.1:8081/jsonRPC', 'v3', 'http://127.0.0.1:8081/api/v3/shards'],
    ['https://ton.example/x/v2/jsonRPC', 'v2', 'https://ton.example/x/v2/shards'],
    ['https://ton.example/x/notjsonRPC', 'v2', 'https://ton.example/x/notjsonRPC/api/v2/shards'],
  ] as const)('of %s, %s is at %s', (root, api, url) => {
    expect(callUrl(root, { api, path: '/shards' })).toBe(url)
  })

  it('has no question mark without a query', () => {
    expect(callUrl('https://ton.example', { api: 'v2', path: '/getMasterchainInfo' })).toBe(
      'https://ton.example/api/v2/getMasterchainInfo',
    )
  })
})
