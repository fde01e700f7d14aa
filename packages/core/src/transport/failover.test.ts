import { createManualClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { createServers, freeRoute, stickyRoute } from './failover.js'

function createRoutes() {
  const clock = createManualClock()
  const servers = createServers(['a', 'b', 'c'], clock)
  return { clock, servers, route: freeRoute(servers) }
}

describe('freeRoute', () => {
  it('leaves a failed server alone for thirty seconds', async () => {
    const { clock, route } = createRoutes()
    expect(route.pick()).toBe('a')
    route.recordFailure('a')
    expect(route.pick()).toBe('b')
    await clock.advance(29_999)
    expect(route.pick()).toBe('b')
    await clock.advance(1)
    expect(route.pick()).toBe('a')
  })

  it('leaves a server alone for as long as it asks for, when that is longer', async () => {
    const { clock, route } = createRoutes()
    route.recordFailure('a', 40_000)
    await clock.advance(39_999)
    expect(route.pick()).toBe('b')
    await clock.advance(1)
    expect(route.pick()).toBe('a')
  })

  it('goes back at once to a server that answers', () => {
    const { route } = createRoutes()
    route.recordFailure('a')
    route.recordSuccess('a')
    expect(route.pick()).toBe('a')
  })

  it('takes the one that failed first when all have failed, and knows no other then', async () => {
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
  it('stays with the first server that answered, whichever is preferred', async () => {
    const { clock, servers, route } = createRoutes()
    const sticky = stickyRoute(servers, 'own')
    expect(sticky.key).toBe('own')
    sticky.recordFailure('a')
    expect(sticky.otherFreeInMs('a')).toBe(0)
    expect(sticky.pick()).toBe('b')
    sticky.recordSuccess('b')
    await clock.advance(30_000)
    expect([route.pick(), sticky.pick(), sticky.key]).toEqual(['a', 'b', 'b'])
  })

  it('leaves it when it fails, whoever finds out, and stays with the next one', async () => {
    const { clock, servers, route } = createRoutes()
    const sticky = stickyRoute(servers, 'own')
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

  it('is like any other route when there is one server', () => {
    const servers = createServers(['a'], createManualClock())
    expect(stickyRoute(servers, 'own').key).toBe(freeRoute(servers).key)
  })
})
