import { afterEach, describe, expect, it } from 'vitest'
import type { V2ResponseMeta } from '../../src/v2/call.js'
import { readFixture } from '../v2/fixtures.js'
import { ADDRESS } from '../v2/history-server.js'
import { API_KEY } from './calls.js'
import * as server from './fault-server.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

afterEach(() => expectNoKey(API_KEY))

const notKept = server.refuse(
  500,
  'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
)
const unused = server.say(200, readFixture('getAddressInformation.never-used.python.json'))
const used = server.say(200, readFixture('getAddressInformation.cpp.json'))
const noRows = server.succeed([])
const params = { address: ADDRESS, archival: 'auto' } as const

/** A client, and what its hook and its caller are told. */
async function start(answers: server.Answer[], options = {}) {
  const faults = await server.startFaultServer(...answers)
  const errors: unknown[] = []
  const hooks = { error: ({ error }: { error: unknown }) => void errors.push(error) }
  const caller = createCaller(faults.url, { hooks, rps: Infinity, ...options })
  const metas: V2ResponseMeta[] = []
  const onResponse = (meta: V2ResponseMeta) => void metas.push(meta)
  const paths = (): (string | undefined)[] => faults.arrivals.map(({ url }) => url?.slice(8, 27))
  return { ...caller, faults, errors, metas, onResponse, paths }
}

describe('a call that needs further requests', () => {
  it('tells its caller once, of the request that it was answered by', async () => {
    const { v2, metas, errors, onResponse, paths } = await start([notKept, used, noRows])
    expect(await v2.getTransactions(params, { onResponse })).toEqual([])
    expect(paths()).toEqual(
      ['getTransactions?addr', 'getAddressInformati', 'getTransactions?addr'].map((path) =>
        path.slice(0, 19),
      ),
    )
    expect(metas).toMatchObject([{ attempts: 3, status: 200 }])
    expect(errors).toEqual([])
  })

  it('tells its caller of the state when that is the answer', async () => {
    const { v2, metas, errors, onResponse } = await start([notKept, unused])
    expect(await v2.getTransactions(params, { onResponse })).toEqual([])
    expect(metas).toMatchObject([{ attempts: 2, status: 200 }])
    expect(errors).toEqual([])
  })

  it('counts all attempts in its error, which is told once', async () => {
    const { v2, metas, errors, onResponse } = await start([notKept, used, notKept])
    const { outcome, error } = await outcomeOf(v2.getTransactions(params, { onResponse }))
    expect(outcome).toBe('HISTORY_NOT_AVAILABLE')
    expect(error).toMatchObject({
      attempts: 3,
      message: expect.stringContaining('(after 3 attempts)'),
    })
    expect([metas, errors]).toEqual([[], [error]])
  })

  it('has as many attempts for each request as for a call', async () => {
    const later = server.refuse(503, 'later')
    const { v2, line } = await start([notKept, used, later, later, later, noRows])
    expect(await v2.getTransactions(params)).toEqual([])
    expect(line.delays).toEqual([250, 500, 1000])
  })

  it.each([
    ['the state', [notKept, server.stallHeaders], 2],
    ['the archival node', [notKept, used, server.stallHeaders], 3],
  ])('has one deadline for all of them: %s', async (_, answers, attempts) => {
    const { v2, line, faults, errors } = await start(answers, { moves: false })
    const call = outcomeOf(v2.getTransactions(params, { deadlineMs: 5000 }))
    await faults.waitForArrivals(attempts)
    await line.clock.advance(4999)
    expect(errors).toEqual([])
    await line.clock.advance(1)
    const { outcome, error } = await call
    expect(outcome).toBe('TIMEOUT')
    expect(error).toMatchObject({ details: { scope: 'deadline', limitMs: 5000, attempts } })
    expect(faults.arrivals).toHaveLength(attempts)
  })

  it('spends its time once: the wait of a request is missing to the next one', async () => {
    const later = server.refuse(503, '', { 'retry-after': '4' })
    const { v2, faults } = await start([later, notKept, later])
    const { outcome, error } = await outcomeOf(v2.getTransactions(params, { deadlineMs: 5000 }))
    expect([outcome, faults.arrivals.length]).toEqual(['SERVER', 4])
    expect(error).toMatchObject({ attempts: 4 })
  })

  it('is held and tried again by a rate limit of any of them', async () => {
    const limited = server.refuse(429, '', { 'retry-after': '3' })
    const { v2, line } = await start([notKept, limited, used, limited, noRows])
    expect(await v2.getTransactions(params)).toEqual([])
    expect(line.delays).toEqual([3000, 3000])
  })

  it('fails with the rate limit of any of them when that lasts', async () => {
    const limited = server.refuse(429, '', { 'retry-after': '61' })
    const { v2, faults, errors } = await start([notKept, limited])
    const { outcome, error } = await outcomeOf(v2.getTransactions(params))
    expect([outcome, faults.arrivals.length]).toEqual(['RATE_LIMIT', 2])
    expect(errors).toEqual([error])
  })

  it('ends with the signal of its caller in any of them', async () => {
    const { v2, faults, errors } = await start([notKept, server.stallHeaders])
    const controller = new AbortController()
    const call = v2.getTransactions(params, { signal: controller.signal })
    call.catch(() => undefined)
    await faults.waitForArrivals(2)
    const reason = new Error('gone')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(errors).toEqual([])
  })
})
