import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { ADDRESS, hashOf, ltOf, numberOf, type History, type PageRequest } from './mock-history.js'
import { collect, down, serve } from './pagination.js'

describe('archival', () => {
  const archivalOf = (requests: readonly PageRequest[]) =>
    requests.map(({ query }) => query['archival'])

  it.each(['refuse', 'cut'] as const)(
    'switches to archival nodes once, where the others have no more (%s)',
    async (missing) => {
      const { server, v2 } = await serve({ size: 50, kept: 31, missing })
      expect(
        await collect(v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 11 })),
      ).toEqual(down(50, 1))
      const archival = archivalOf(server.requests)
      const first = archival.indexOf('true')
      expect(first).toBeGreaterThan(0)
      expect(archival.slice(0, first).every((value) => value === undefined)).toBe(true)
      expect(archival.slice(first).every((value) => value === 'true')).toBe(true)
    },
  )

  it.each([true, false])('asks archival nodes as configured: %s', async (archival) => {
    const { server, v2 } = await serve({ size: 20, kept: archival ? 11 : 1 })
    expect(await collect(v2.getTransactions.paginate({ address: ADDRESS, archival }))).toEqual(
      down(20, 1),
    )
    expect(archivalOf(server.requests)).toEqual([String(archival)])
  })

  it.each(['refuse', 'cut'] as const)(
    'reports missing history without archival nodes (%s)',
    async (missing) => {
      const { v2 } = await serve({ size: 50, kept: 41, missing })
      const walk = v2.getTransactions.paginate(
        { address: ADDRESS, archival: false },
        { pageSize: 5 },
      )
      const delivered: number[] = []
      const loop = async (): Promise<void> => {
        for await (const row of walk) delivered.push(numberOf(row))
      }
      await expect(loop()).rejects.toMatchObject({ code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE' })
      const cursor = walk.cursor()
      const rest = await collect(v2.getTransactions.paginate({ address: ADDRESS }, { cursor }))
      expect([...delivered, ...rest]).toEqual(down(50, 1))
    },
  )

  it.each([
    ['empty', undefined],
    ['refuse', undefined],
    ['refuse', true],
    ['refuse', false],
  ] as const)(
    'delivers nothing of an unused account (%s, archival %s)',
    async (unused, archival) => {
      const { v2 } = await serve({ size: 0, unused })
      const walk = v2.getTransactions.paginate({ address: ADDRESS, archival })
      expect(await collect(walk)).toEqual([])
      expect(walk.cursor()).toMatchObject({ position: null, isDone: true })
    },
  )
})

describe('an empty page', () => {
  /** A server that drops what it has of the history after `pages` answers. */
  async function serveUntil(pages: number) {
    const history: History = { size: 50, missing: 'cut' }
    let answers = 0
    history.beforeResponse = () => {
      if (++answers > pages) history.kept = 51
    }
    return serve(history)
  }

  const from = { address: ADDRESS, lt: ltOf(30), hash: hashOf(30) }

  it('is followed by archival nodes in the middle of a walk', async () => {
    const { server, v2 } = await serveUntil(2)
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(50, 1))
    expect(server.requests.slice(0, 4).map(({ query }) => query['archival'])).toEqual([
      undefined,
      undefined,
      undefined,
      'true',
    ])
  })

  it('is followed by archival nodes at a given start', async () => {
    const { v2 } = await serveUntil(0)
    expect(await collect(v2.getTransactions.paginate(from))).toEqual(down(30, 1))
  })

  it.each([0, 2])(
    'does not end the history when archival nodes are excluded (after %i pages)',
    async (pages) => {
      const { v2 } = await serveUntil(pages)
      const walk = v2.getTransactions.paginate({ ...from, archival: false }, { pageSize: 5 })
      await expect(collect(walk)).rejects.toMatchObject({
        code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
      })
      expect(walk.cursor().isDone).toBe(false)
    },
  )

  it('ends an iteration whose start is not above to_lt', async () => {
    const { server, v2 } = await serve({ size: 50 })
    expect(await collect(v2.getTransactions.paginate({ ...from, to_lt: ltOf(30) }))).toEqual([])
    const cursor = { endpoint: 'getTransactions', position: position(20), isDone: false }
    const walk = v2.getTransactions.paginate({ address: ADDRESS, to_lt: ltOf(40) }, { cursor })
    expect(await collect(walk)).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  function position(number: number) {
    return { lt: ltOf(number).toString(), hash: hashOf(number) }
  }
})

describe('several servers', () => {
  it('are not switched after the first response, even when the preferred one is back', async () => {
    const clock = createFakeClock()
    const { server: preferred } = await serve({ size: 30, failures: 1 })
    const { server: other } = await serve({ size: 30 })
    const v2 = createV2Client({ baseUrl: [preferred.baseUrl, other.baseUrl], rps: Infinity, clock })
    const delivered: number[] = []
    for await (const page of v2.getTransactions
      .paginate({ address: ADDRESS }, { pageSize: 10 })
      .pages()) {
      delivered.push(...page.map(numberOf))
      await clock.advance(60_000)
    }
    expect(delivered).toEqual(down(30, 1))
    expect([preferred.requests.length, other.requests.length]).toEqual([1, 4])
    await v2.getTransactions({ address: ADDRESS })
    expect(preferred.requests).toHaveLength(2)
  })
})
