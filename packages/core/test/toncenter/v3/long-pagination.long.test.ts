import { fork, type ChildProcess } from 'node:child_process'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import { createRandom } from '@tonplug/test-support/random'
import { idOfHash } from './index-rows.js'
import { startMockIndex, type Fault, type MockIndex } from './mock-index.js'
import { rowOf, rowsUpTo } from './pagination.js'

const CHILD = fileURLToPath(new URL('pagination.child.mjs', import.meta.url))
const COUNT = 100_000
const PAGES_OF_A_LIFE = 23

/** A page, as the child process reports it. */
interface Told {
  ids: string[]
  cursor: string
}

/** Pages of one process, which is killed after some of them. */
async function live(url: string, name: string, cursor: string | undefined): Promise<Told[]> {
  const child: ChildProcess = fork(CHILD, [url, name, ...(cursor === undefined ? [] : [cursor])])
  const pages: Told[] = []
  try {
    for await (const [told] of on(child, 'message') as AsyncIterable<[Told]>) {
      pages.push(told)
      const { isDone } = JSON.parse(told.cursor) as Cursor
      if (isDone || pages.length === PAGES_OF_A_LIFE) return pages
    }
    return pages
  } finally {
    child.kill('SIGKILL')
  }
}

/** An index that adds rows before each answer, a new one and one among the old, and fails now and then. */
async function startRestlessIndex(path: string): Promise<MockIndex> {
  const random = createRandom(2026)
  const faults: Fault[] = ['drop', 'cut', 'timeout', 'unavailable']
  let newest = COUNT
  const server = await startMockIndex({
    rows: { [path]: rowsUpTo(COUNT) },
    beforeResponse: () => {
      const late = rowOf(++newest)
      const old = rowOf(Math.ceil(random() * COUNT))
      server.table(path).insert(rowOf(++newest), { ...late, lt: old.lt, utime: old.utime })
    },
    fault: () => (random() < 0.1 ? faults[Math.floor(random() * faults.length)] : undefined),
  })
  return server
}

describe('an iteration over a growing list of 100 000 rows, many with one lt', () => {
  it.each([
    ['transactions', '/transactions'],
    ['jettonTransfers', '/jetton/transfers'],
  ])(
    'delivers each %s row once over faults and killed processes, at the same cost for every page',
    async (name, path) => {
      const server = await startRestlessIndex(path)
      const delivered: number[] = []
      let cursor: string | undefined
      for (let isDone = false; !isDone;) {
        const pages = await live(server.baseUrl, name, cursor)
        for (const { ids } of pages) delivered.push(...ids.map(idOfHash))
        cursor = pages.at(-1)?.cursor
        isDone = (JSON.parse(cursor ?? '') as Cursor).isDone
      }
      const known = new Set(delivered)
      expect(known.size).toBe(delivered.length)
      expect(delivered.filter((id) => id <= COUNT)).toHaveLength(COUNT)
      const costs = server.requests.filter(({ rows }) => rows > 0).map(({ work }) => work)
      expect(costs.length).toBeGreaterThan(100)
      expect(Math.max(...costs) / (costs[0] ?? 0)).toBeLessThanOrEqual(1.3)
    },
  )
})
