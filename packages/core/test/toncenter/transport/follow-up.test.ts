import { afterEach, describe, expect, it } from 'vitest'
import type { V2ResponseMeta } from '../../../src/toncenter/v2/call.js'
import { readFixture } from '../v2/fixtures.js'
import { ADDRESS } from '../v2/mock-history.js'
import { API_KEY } from './calls.js'
import { type MockReply, startScriptedApi } from '@tonplug/test-support/mock-api'
import * as responses from '@tonplug/test-support/responses'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

afterEach(() => expectNoKey(API_KEY))

const notKept = responses.refuse(
  500,
  'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
)
const unused = responses.respond(200, readFixture('getAddressInformation.never-used.python.json'))
const used = responses.respond(200, readFixture('getAddressInformation.cpp.json'))
const noRows = responses.succeed([])
const params = { address: ADDRESS, archival: 'auto' } as const

/** A client, and the errors that its hook and its caller receive. */
async function start(answers: MockReply[], options = {}) {
  const faults = await startScriptedApi(...answers)
  const errors: unknown[] = []
  const hooks = { error: ({ error }: { error: unknown }) => void errors.push(error) }
  const caller = createCaller(faults.baseUrl, { hooks, rps: Infinity, ...options })
  const metas: V2ResponseMeta[] = []
  const onResponse = (meta: V2ResponseMeta) => void metas.push(meta)
  const paths = (): (string | undefined)[] => faults.requests.map(({ url }) => url?.slice(8, 27))
  return { ...caller, faults, errors, metas, onResponse, paths }
}

describe('a call that needs further requests', () => {
  it('calls onResponse once, for the request whose response it returns', async () => {
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

  it('calls onResponse for the account state when that is the result', async () => {
    const { v2, metas, errors, onResponse } = await start([notKept, unused])
    expect(await v2.getTransactions(params, { onResponse })).toEqual([])
    expect(metas).toMatchObject([{ attempts: 2, status: 200 }])
    expect(errors).toEqual([])
  })

  it('counts all attempts in its error, which is reported once', async () => {
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
    const later = responses.refuse(503, 'later')
    const { v2, line } = await start([notKept, used, later, later, later, noRows])
    expect(await v2.getTransactions(params)).toEqual([])
    expect(line.delays).toEqual([250, 500, 1000])
  })

  it.each([
    ['the state', [notKept, responses.hang], 2],
    ['the archival node', [notKept, used, responses.hang], 3],
  ])('has one deadline for all of them: %s', async (_, answers, attempts) => {
    const { v2, line, faults, errors } = await start(answers, { moves: false })
    const call = outcomeOf(v2.getTransactions(params, { deadlineMs: 5000 }))
    await faults.waitForRequests(attempts)
    await line.clock.advance(4999)
    expect(errors).toEqual([])
    await line.clock.advance(1)
    const { outcome, error } = await call
    expect(outcome).toBe('TIMEOUT')
    expect(error).toMatchObject({ details: { scope: 'deadline', limitMs: 5000, attempts } })
    expect(faults.requests).toHaveLength(attempts)
  })

  it('has one time budget: the wait of a request shortens that of the next one', async () => {
    const later = responses.refuse(503, '', { 'retry-after': '4' })
    const { v2, faults } = await start([later, notKept, later])
    const { outcome, error } = await outcomeOf(v2.getTransactions(params, { deadlineMs: 5000 }))
    expect([outcome, faults.requests.length]).toEqual(['SERVER', 4])
    expect(error).toMatchObject({ attempts: 4 })
  })

  it('waits and retries after a rate limit of any of them', async () => {
    const limited = responses.refuse(429, '', { 'retry-after': '3' })
    const { v2, line } = await start([notKept, limited, used, limited, noRows])
    expect(await v2.getTransactions(params)).toEqual([])
    expect(line.delays).toEqual([3000, 3000])
  })

  it('fails with the rate limit of any of them when that lasts', async () => {
    const limited = responses.refuse(429, '', { 'retry-after': '61' })
    const { v2, faults, errors } = await start([notKept, limited])
    const { outcome, error } = await outcomeOf(v2.getTransactions(params))
    expect([outcome, faults.requests.length]).toEqual(['RATE_LIMIT', 2])
    expect(errors).toEqual([error])
  })

  it('ends with the signal of its caller in any of them', async () => {
    const { v2, faults, errors } = await start([notKept, responses.hang])
    const controller = new AbortController()
    const call = v2.getTransactions(params, { signal: controller.signal })
    call.catch(() => undefined)
    await faults.waitForRequests(2)
    const reason = new Error('gone')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(errors).toEqual([])
  })
})
