import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { createPauses, freeRoute, pathOf, serverRoots, stickyRoute, urlOf } from './servers.js'

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
  ])('normalizes %s to %s', (baseUrl, root) => {
    expect(serverRoots({ baseUrl })).toEqual([root])
  })

  it('has the addresses of the networks, by default of mainnet', () => {
    expect(serverRoots({})).toEqual(['https://toncenter.com'])
    expect(serverRoots({ network: 'testnet' })).toEqual(['https://testnet.toncenter.com'])
  })

  it('keeps the order of several servers, each once', () => {
    const baseUrl = ['https://b.example', 'https://a.example', 'https://b.example/api/v2']
    expect(serverRoots({ baseUrl })).toEqual(['https://b.example', 'https://a.example'])
  })

  it.each([
    ['a relative address', { baseUrl: 'ton.example/hidden' }],
    ['another scheme', { baseUrl: 'ftp://ton.example/hidden' }],
    ['credentials', { baseUrl: 'https://user:hidden@ton.example' }],
    ['a key in the query', { baseUrl: 'https://ton.example/api/v2?api_key=hidden' }],
    ['an empty list', { baseUrl: [] }],
    ['a network and an address', { baseUrl: 'https://ton.example', network: 'mainnet' as const }],
  ])('rejects %s without quoting it', (_, options) => {
    const read = () => serverRoots(options)
    expect(read).toThrow(ConfigurationError)
    expect(read).not.toThrow(/hidden/)
  })
})

it('rejects credentials in an address', () => {
  const read = () => serverRoots({ baseUrl: 'https://user:word@ton.example' })
  expect(read).toThrow(/^baseUrl: must have no credentials, query or fragment; use apiKey$/)
})

describe('the address of a call', () => {
  it('escapes base64 and raw addresses, and repeats names', () => {
    const query = [
      ['hash', 'a+b/c='],
      ['address', '0:AB'],
      ['address', '-1:CD'],
    ] as const
    expect(pathOf({ path: '/transactions', query })).toBe(
      '/transactions?hash=a%2Bb%2Fc%3D&address=0%3AAB&address=-1%3ACD',
    )
  })

  it.each([
    ['https://ton.example', 'v2', 'https://ton.example/api/v2/shards'],
    ['https://ton.example', 'v3', 'https://ton.example/api/v3/shards'],
    ['http://127.0.0.1:8081/jsonRPC', 'v2', 'http://127.0.0.1:8081/shards'],
    ['http://127.0.0.1:8081/jsonRPC', 'v3', 'http://127.0.0.1:8081/api/v3/shards'],
    ['https://ton.example/x/v2/jsonRPC', 'v2', 'https://ton.example/x/v2/shards'],
    ['https://ton.example/x/notjsonRPC', 'v2', 'https://ton.example/x/notjsonRPC/api/v2/shards'],
  ] as const)('begins with %s for %s: %s', (root, api, url) => {
    expect(`${urlOf(root, api)}/shards`).toBe(url)
  })

  it('has no question mark without a query', () => {
    expect(pathOf({ path: '/getMasterchainInfo' })).toBe('/getMasterchainInfo')
  })
})

function createRoutes() {
  const clock = createFakeClock()
  return { clock, route: freeRoute(['a', 'b', 'c'], clock, createPauses(clock)) }
}

describe('freeRoute', () => {
  it('does not use a failed server for thirty seconds', async () => {
    const { clock, route } = createRoutes()
    expect(route.pick()).toBe('a')
    route.recordFailure('a')
    expect(route.pick()).toBe('b')
    await clock.advance(29_999)
    expect(route.pick()).toBe('b')
    await clock.advance(1)
    expect(route.pick()).toBe('a')
  })

  it('does not use a server for the time that it requests, when that is longer', async () => {
    const { clock, route } = createRoutes()
    route.recordFailure('a', 40_000)
    await clock.advance(39_999)
    expect(route.pick()).toBe('b')
    await clock.advance(1)
    expect(route.pick()).toBe('a')
  })

  it('returns at once to a server that responds', () => {
    const { route } = createRoutes()
    route.recordFailure('a')
    route.recordSuccess('a')
    expect(route.pick()).toBe('a')
  })

  it('uses the server that failed first when all have failed, and has no other then', async () => {
    const { clock, route } = createRoutes()
    for (const root of ['b', 'a', 'c']) {
      route.recordFailure(root)
      expect(route.otherFreeInMs(root) === 0).toBe(root !== 'c')
      await clock.advance(10)
    }
    expect(route.pick()).toBe('b')
  })
})

describe('stickyRoute', () => {
  it('stays with the first server that responded, even if another one is preferred', async () => {
    const { clock, route } = createRoutes()
    const sticky = stickyRoute(route, 'own')
    expect(sticky.key).toBe('own')
    sticky.recordFailure('a')
    expect(sticky.otherFreeInMs('a')).toBe(0)
    expect(sticky.pick()).toBe('b')
    sticky.recordSuccess('b')
    await clock.advance(30_000)
    expect([route.pick(), sticky.pick(), sticky.key]).toEqual(['a', 'b', 'b'])
  })

  it('leaves it when any call records a failure, and stays with the next one', async () => {
    const { clock, route } = createRoutes()
    const sticky = stickyRoute(route, 'own')
    sticky.recordSuccess('a')
    route.recordFailure('a')
    expect(sticky.pick()).toBe('b')
    sticky.recordSuccess('b')
    sticky.recordFailure('b')
    expect(sticky.otherFreeInMs('b')).toBe(0)
    expect(sticky.pick()).toBe('c')
    sticky.recordSuccess('c')
    await clock.advance(30_000)
    expect([route.pick(), sticky.pick()]).toEqual(['a', 'c'])
  })

  it('equals any other route when there is one server', () => {
    const clock = createFakeClock()
    const route = freeRoute(['a'], clock, createPauses(clock))
    expect(stickyRoute(route, 'own').key).toBe(route.key)
  })
})
