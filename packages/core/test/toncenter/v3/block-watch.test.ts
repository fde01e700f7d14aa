import { createFakeClock, type FakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../src/shared/configuration-error.js'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import type { TonplugError } from '../../../src/shared/tonplug-error.js'
import type { Watch } from '../../../src/toncenter/follow/watch.js'
import type { MasterchainBlock } from '../../../src/toncenter/v3/block-watch.js'
import { createRandom } from '@tonplug/test-support/random'
import { idOfHash, type IndexRow } from './index-rows.js'
import type { Fault } from './mock-index.js'
import { idsUpTo, serve, stored } from './pagination.js'

const POLL_MS = 1000
/** Block n has n % 4 transactions; some have one lt. */
const ROWS: IndexRow[] = idsUpTo(60).flatMap((mc) =>
  idsUpTo(mc % 4).map((number) => ({
    id: mc * 10 + number,
    lt: mc * 1000 + Math.floor(number / 2),
    utime: mc,
    account: number,
    mc,
  })),
)

const idsOf = (seqno: number): number[] => ROWS.filter(({ mc }) => mc === seqno).map(({ id }) => id)

/** Collects the blocks of a subscription until it ends. */
function run(follow: Watch<MasterchainBlock>, clock: FakeClock, until = Infinity) {
  const blocks: MasterchainBlock[] = []
  const ended = (async () => {
    for await (const block of follow) if (blocks.push(block) >= until) return
  })()
  ended.catch(() => undefined)
  const rest = async (): Promise<void> => clock.waitForTimer(({ delayMs }) => delayMs === POLL_MS)
  const poll = async (): Promise<void> => {
    await rest()
    await clock.advance(POLL_MS)
    await rest()
  }
  return { blocks, ended, rest, poll, seqnos: () => blocks.map(({ seqno }) => seqno) }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

async function serveBlocks(seqno: number, more: object = {}) {
  const clock = createFakeClock()
  const head = { seqno, utime: 100 }
  const rows = { '/transactions': ROWS }
  return {
    clock,
    head,
    ...(await serve({ rows, head, ...more }, { clock, retry: { maxAttempts: 1 } })),
  }
}

describe('transactionsByMasterchainBlock.watch', () => {
  it('delivers every block with all of its transactions, in order', async () => {
    const { v3, clock, head } = await serveBlocks(40)
    const follow = v3.transactionsByMasterchainBlock.watch({ seqno: 3 }, { pageSize: 2 })
    const running = run(follow, clock)
    await running.rest()
    expect(running.seqnos()).toEqual(range(3, 40))
    for (const { seqno, transactions } of running.blocks) {
      expect(
        transactions.map(({ hash }) => idOfHash(hash)).toSorted((one, other) => one - other),
      ).toEqual(idsOf(seqno))
      expect(transactions.map(({ lt }) => lt)).toEqual(
        transactions.map(({ lt }) => lt).toSorted((one, other) => Number(one - other)),
      )
    }
    head.seqno = 43
    await running.poll()
    expect(running.seqnos()).toEqual(range(3, 43))
  })

  it('begins at the newest block', async () => {
    const { v3, clock, head } = await serveBlocks(40)
    const running = run(v3.transactionsByMasterchainBlock.watch(), clock)
    await running.rest()
    head.seqno = 42
    await running.poll()
    expect(running.seqnos()).toEqual([40, 41, 42])
  })

  it('waits for a missing block although later ones are there, and reports it', async () => {
    const { v3, clock, server } = await serveBlocks(12)
    server.missing.add(5)
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const running = run(v3.transactionsByMasterchainBlock.watch({ seqno: 3 }, { onError }), clock)
    await running.rest()
    expect(running.seqnos()).toEqual([3, 4])
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_TONPLUG_NOT_FOUND' })])
    server.missing.clear()
    await running.poll()
    expect(running.seqnos()).toEqual(range(3, 12))
  })

  it.each([0, 1, 5])(
    'skips no block over faults and crashes, with %i prefetched',
    async (prefetch) => {
      const random = createRandom(prefetch + 7)
      const faults: Fault[] = ['drop', 'timeout', 'unavailable', 'cut', 'failed']
      let isFaulty = false
      const { v3, clock, head, server } = await serveBlocks(2, {
        fault: () => (isFaulty && random() < 0.1 ? faults[Math.floor(random() * 5)] : undefined),
      })
      const delivered: number[] = []
      let process = new AbortController()
      const follow = v3.transactionsByMasterchainBlock.watch
      let current = follow({ seqno: 1 }, { prefetch, signal: process.signal })
      let running = run(current, clock)
      // A wait between two polls, or after some failures in a row.
      const rest = async () => clock.waitForTimer(({ delayMs }) => delayMs <= 8 * POLL_MS)
      for (let step = 0; step < 30; step++) {
        await rest()
        head.seqno += 2
        server.missing.clear()
        if (step % 4 === 1 && step < 26) server.missing.add(head.seqno - 1)
        isFaulty = step % 3 === 0
        await clock.advance(8 * POLL_MS)
        await rest()
        isFaulty = false
        if (step % 6 !== 5) continue
        const cursor = stored(current)
        delivered.push(...running.seqnos())
        process.abort()
        process = new AbortController()
        current = follow({ seqno: 1 }, { prefetch, cursor, signal: process.signal })
        running = run(current, clock)
      }
      await rest()
      await clock.advance(8 * POLL_MS)
      await rest()
      delivered.push(...running.seqnos())
      expect(delivered).toEqual(range(1, head.seqno))
    },
  )

  it('prefetches the configured number of blocks', async () => {
    let answerFirst = (): void => undefined
    const { v3, clock, server } = await serveBlocks(40, {
      beforeResponse: async ({ query }: { query: URLSearchParams }) => {
        if (query.get('seqno') === '1' && query.get('offset') === '0')
          await new Promise<void>((resolve) => (answerFirst = resolve))
      },
    })
    const running = run(
      v3.transactionsByMasterchainBlock.watch({ seqno: 1 }, { prefetch: 3 }),
      clock,
    )
    // The head, the first page of the first block, both of the next two, and one of the fourth, which is empty.
    await expect.poll(() => server.requests.length).toBe(7)
    await v3.masterchainInfo()
    expect(server.requests).toHaveLength(8)
    answerFirst()
    await running.rest()
    expect(running.seqnos()).toEqual(range(1, 40))
  })

  it('reads a block once when the server ignores the offset', async () => {
    const { v3, clock } = await serveBlocks(4, { isOffsetIgnored: () => true })
    const running = run(v3.transactionsByMasterchainBlock.watch({ seqno: 3 }), clock)
    await running.rest()
    expect(running.blocks.map(({ transactions }) => transactions.length)).toEqual([3, 0])
  })

  it('ends when a block has more rows than a page and the server ignores the offset', async () => {
    const { v3, clock } = await serveBlocks(4, { isOffsetIgnored: () => true })
    const follow = v3.transactionsByMasterchainBlock.watch({ seqno: 3 }, { pageSize: 2 })
    await expect(run(follow, clock).ended).rejects.toThrow('it is full and repeats')
  })

  it('reports that the index no longer has a block', async () => {
    const { v3, clock, server } = await serveBlocks(40)
    server.firstSeqno = 30
    const follow = v3.transactionsByMasterchainBlock.watch({ seqno: 3 })
    await expect(run(follow, clock).ended).rejects.toMatchObject({ code: 'ERR_TONPLUG_NOT_FOUND' })
    expect(follow.cursor().position).toBeNull()
  })

  it('requests 100 transactions at once when the server accepts no more', async () => {
    const { v3, clock, server } = await serveBlocks(4, { maxLimit: 500 })
    const running = run(v3.transactionsByMasterchainBlock.watch({ seqno: 3 }), clock)
    await running.rest()
    expect(running.seqnos()).toEqual([3, 4])
    const limits = server.requests.map(({ query }) => query.get('limit'))
    expect(limits.filter((limit) => limit === '100')).toHaveLength(3)
  })

  it('delivers complete blocks from a server that returns fewer rows than requested', async () => {
    const { v3, clock } = await serveBlocks(12, { mostRows: () => 1 })
    const running = run(v3.transactionsByMasterchainBlock.watch({ seqno: 3 }), clock)
    await running.rest()
    expect(running.seqnos()).toEqual(range(3, 12))
    for (const { seqno, transactions } of running.blocks) {
      expect(transactions.map(({ hash }) => idOfHash(hash))).toEqual(idsOf(seqno))
    }
  })

  it('resumes in a second loop, and ends its requests when the loop stops', async () => {
    let isHeld = false
    const { v3, clock, server } = await serveBlocks(40, {
      beforeResponse: async ({ query }: { query: URLSearchParams }) => {
        if (isHeld && query.get('seqno') === '6') await new Promise(() => undefined)
      },
    })
    isHeld = true
    const follow = v3.transactionsByMasterchainBlock.watch({ seqno: 3 }, { prefetch: 1 })
    await run(follow, clock, 3).ended
    await expect.poll(() => server.requests.some(({ isAborted }) => isAborted)).toBe(true)
    isHeld = false
    const running = run(follow, clock, 4)
    await running.ended
    expect(running.seqnos()).toEqual([6, 7, 8, 9])
  })

  it('ends with the signal', async () => {
    const { v3, clock } = await serveBlocks(4)
    const controller = new AbortController()
    const { signal } = controller
    const running = run(v3.transactionsByMasterchainBlock.watch({}, { signal }), clock)
    await running.rest()
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(running.ended).rejects.toBe(reason)
  })

  it.each([
    ['a seqno of 0', { seqno: 0 }, {}],
    ['no wait', {}, { pollMs: 0 }],
    ['too much ahead', {}, { prefetch: 101 }],
    ['another cursor', {}, { cursor: { endpoint: 'blocks', position: null, isDone: false } }],
    [
      'a cursor of a walk',
      {},
      {
        cursor: {
          endpoint: 'transactionsByMasterchainBlock',
          position: { segment: 0, offset: 5 },
          isDone: false,
        },
      },
    ],
  ])('rejects before anything is sent: %s', async (_, params, options) => {
    const { v3, server } = await serveBlocks(4)
    expect(() => v3.transactionsByMasterchainBlock.watch(params, options)).toThrow(
      'pollMs' in options || 'prefetch' in options ? ConfigurationError : InvalidParamsError,
    )
    expect(server.requests).toHaveLength(0)
  })
})
