import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ADDRESS, ltOf, startMockHistory } from './mock-history.js'

const CHILD = fileURLToPath(new URL('long-pagination.child.mjs', import.meta.url))
const PAGE = 1000

interface Report {
  count: number
  isDescending: boolean
  lastLt: string
  /** The most that the walk kept in memory. */
  peakPages: number
  pageBytes: number
}

describe('an iteration over a growing history', () => {
  it.each([
    { size: 100_000, prefetch: true },
    { size: 20_000, prefetch: false },
  ])(
    'delivers $size transactions once each and keeps less than three pages, prefetch $prefetch',
    async ({ size, prefetch }) => {
      const server = await startMockHistory({ size, growth: 1 })
      const child = fork(CHILD, [server.baseUrl, ADDRESS, String(PAGE), String(prefetch)], {
        execArgv: ['--expose-gc'],
      })
      try {
        const [report] = (await once(child, 'message')) as [Report]
        const walked = server.requests.slice(-Math.ceil((size + 20) / (PAGE - 1)))
        // Strictly falling, from the newest of the first page to the first ever: so many in all, each once.
        expect(report.isDescending).toBe(true)
        expect(report.lastLt).toBe(ltOf(1).toString())
        expect(report.count).toBe(server.newest() - walked.length + 1)
        // The last page is asked for like the second one, and no page has more rows than asked for.
        expect(new Set(walked.map(({ query }) => Object.keys(query).toSorted().join()))).toEqual(
          new Set(['address,limit', 'address,hash,limit,lt']),
        )
        expect(new Set(walked.map(({ query }) => query['limit']))).toEqual(new Set([String(PAGE)]))
        expect(Math.max(...walked.map(({ rows }) => rows))).toBe(PAGE)
        expect(report.peakPages).toBeLessThan(3)
      } finally {
        child.kill('SIGKILL')
      }
    },
  )
})
