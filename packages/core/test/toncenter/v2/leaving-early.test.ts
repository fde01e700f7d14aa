import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../src/shared/configuration-error.js'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import { ADDRESS, hashOf, ltOf, numberOf, type History } from './mock-history.js'
import { collect, down, limits, serve } from './pagination.js'

describe('leaving an iteration', () => {
  it('prefetches one page ahead while the current one is used', async () => {
    const { server, v2 } = await serve({ size: 30 })
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 10, prefetch: true })
    let used = 0
    for await (const page of walk.pages()) {
      used++
      await expect.poll(() => server.requests.length).toBe(Math.min(used + 1, 4))
      expect(page.length).toBeGreaterThan(0)
    }
    expect(used).toBe(4)
  })

  it('requests a page only when it is wanted, without prefetch', async () => {
    const { server, v2 } = await serve({ size: 30 })
    for await (const _ of v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 10 })) {
      // What was requested ahead would have come before this.
      await v2.getTransactions({ address: ADDRESS, limit: 5 })
      break
    }
    expect(limits(server.requests)).toEqual([10, 5])
  })

  it('ends the prefetch when the loop stops', async () => {
    const { server, v2 } = await serve({ size: 30, beforeResponse: holdFrom(2) })
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 10, prefetch: true })
    for await (const _ of walk) {
      await expect.poll(() => server.requests.length).toBe(2)
      break
    }
    await expect
      .poll(() => server.requests.map(({ isAborted }) => isAborted))
      .toEqual([false, true])
  })

  it('reports the failure of a prefetch when its page is wanted, after all earlier rows', async () => {
    const { v2 } = await serve({ size: 30, kept: 16 })
    const walk = v2.getTransactions.paginate(
      { address: ADDRESS, archival: false },
      { pageSize: 10, prefetch: true },
    )
    const delivered: number[] = []
    const loop = async (): Promise<void> => {
      for await (const row of walk) delivered.push(numberOf(row))
    }
    await expect(loop()).rejects.toMatchObject({ code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE' })
    expect(delivered).toEqual(down(30, 21))
  })

  it('rejects with the reason of the signal during a request, which ends', async () => {
    const { server, v2 } = await serve({ size: 30, beforeResponse: holdFrom(2) })
    const controller = new AbortController()
    const reason = new Error('enough')
    const walk = v2.getTransactions.paginate(
      { address: ADDRESS },
      { pageSize: 10, signal: controller.signal },
    )
    const delivered: number[] = []
    const loop = (async () => {
      for await (const row of walk) delivered.push(numberOf(row))
    })()
    await expect.poll(() => server.requests.length).toBe(2)
    controller.abort(reason)
    await expect(loop).rejects.toBe(reason)
    expect(delivered).toEqual(down(30, 21))
    await expect.poll(() => server.requests[1]?.isAborted).toBe(true)
    expect(walk.cursor()).toEqual({
      endpoint: 'getTransactions',
      position: { lt: ltOf(21).toString(), hash: hashOf(21) },
      isDone: false,
      filter: expect.any(String),
    })
  })

  it('rejects with the reason of the signal between two items', async () => {
    const { v2 } = await serve({ size: 30 })
    const controller = new AbortController()
    const reason = new Error('enough')
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { signal: controller.signal })
    const delivered: number[] = []
    const loop = async (): Promise<void> => {
      for await (const row of walk)
        if (delivered.push(numberOf(row)) === 5) controller.abort(reason)
    }
    await expect(loop()).rejects.toBe(reason)
    expect(delivered).toEqual(down(30, 26))
    const rest = await collect(
      v2.getTransactions.paginate({ address: ADDRESS }, { cursor: walk.cursor() }),
    )
    expect(rest).toEqual(down(25, 1))
  })

  it('requests nothing when the signal was aborted before', async () => {
    const { server, v2 } = await serve({ size: 30 })
    const reason = new Error('enough')
    const walk = v2.getTransactions.paginate(
      { address: ADDRESS },
      { signal: AbortSignal.abort(reason) },
    )
    await expect(collect(walk)).rejects.toBe(reason)
    expect(server.requests).toHaveLength(0)
  })

  /** Leaves requests unanswered, from the given one on. */
  function holdFrom(count: number): NonNullable<History['beforeResponse']> {
    let requests = 0
    return async () => {
      if (++requests >= count) await new Promise(() => undefined)
    }
  }
})

const OTHER = `0:${'CD'.repeat(32)}`
const FILTER = Buffer.from(ADDRESS.slice(2), 'hex').toString('base64')

describe('an invalid argument', () => {
  const cursor: Cursor = {
    endpoint: 'getTransactions',
    position: { lt: '1000', hash: 'x' },
    isDone: false,
  }
  // What JavaScript callers may hand over, whatever the types say.
  it.each([
    ['a page of one', {}, { pageSize: 1 }, 'pageSize: must be'],
    ['a page of 1001', {}, { pageSize: 1001 }, 'pageSize: must be'],
    ['half a row', {}, { pageSize: 2.5 }, 'pageSize: must be'],
    ['limit', { limit: 5 }, {}, 'limit is not a parameter of paginate()'],
    [
      'a cursor of another endpoint',
      {},
      { cursor: { ...cursor, endpoint: 'getBlockTransactions' } },
      'belongs to getBlockTransactions',
    ],
    ['a cursor without a place', {}, { cursor: { ...cursor, position: {} } }, 'cursor.position'],
    [
      'a cursor of another account',
      { address: OTHER },
      { cursor: { ...cursor, filter: FILTER } },
      'cursor was made with other parameters',
    ],
    ['a string as cursor', {}, { cursor: 'eyJ' }, 'cursor must be'],
  ])('is rejected before anything is sent: %s', async (_, params, options, message) => {
    const { server, v2 } = await serve({ size: 30 })
    const start = () =>
      v2.getTransactions.paginate({ address: ADDRESS, ...params } as never, options as never)
    expect(start).toThrow('pageSize' in options ? ConfigurationError : InvalidParamsError)
    expect(start).toThrow(message)
    expect(server.requests).toHaveLength(0)
  })

  it('accepts a cursor of the same account in another form, or without an optional field', async () => {
    const { v2 } = await serve({ size: 30 })
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 5 })
    for await (const row of walk) if (numberOf(row) === 21) break
    const { filter, ...old } = walk.cursor()
    expect(filter).toBe(FILTER)
    for (const cursor of [walk.cursor(), old]) {
      const rest = v2.getTransactions.paginate({ address: ADDRESS.toLowerCase() }, { cursor })
      expect(await collect(rest)).toEqual(down(20, 1))
    }
  })

  it('is rejected by the first step when it is a parameter', async () => {
    const { v2 } = await serve({ size: 30 })
    const walk = v2.getTransactions.paginate({ address: 'EQ' })
    await expect(collect(walk)).rejects.toThrow(InvalidParamsError)
  })
})
