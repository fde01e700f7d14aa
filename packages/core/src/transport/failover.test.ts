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
    route.record('a', 'failed')
    expect(route.pick()).toBe('b')
    await clock.advance(29_999)
    expect(route.pick()).toBe('b')
    await clock.advance(1)
    expect(route.pick()).toBe('a')
  })

  it('goes back at once to a server that answers', () => {
    const { route } = createRoutes()
    route.record('a', 'failed')
    route.record('a', 'answered')
    expect(route.pick()).toBe('a')
  })

  it('takes the one that failed first when all have failed, and knows no other then', async () => {
    const { clock, route } = createRoutes()
    for (const root of ['b', 'a', 'c']) {
      route.record(root, 'failed')
      expect(route.hasOther(root)).toBe(root !== 'c')
      await clock.advance(10)
    }
    expect(route.pick()).toBe('b')
  })
})

describe('stickyRoute', () => {
  it('stays with the first server that answered, even when it fails', () => {
    const { servers, route } = createRoutes()
    const sticky = stickyRoute(servers, 'own')
    expect(sticky.key).toBe('own')
    sticky.record('a', 'failed')
    expect(sticky.hasOther('a')).toBe(true)
    expect(sticky.pick()).toBe('b')
    sticky.record('b', 'answered')
    sticky.record('b', 'failed')
    expect(sticky.pick()).toBe('b')
    expect(sticky.hasOther('b')).toBe(false)
    expect(sticky.key).toBe('b')
    expect(route.pick()).toBe('c')
  })

  it('is like any other route when there is one server', () => {
    const servers = createServers(['a'], createManualClock())
    expect(stickyRoute(servers, 'own').key).toBe(freeRoute(servers).key)
  })
})
