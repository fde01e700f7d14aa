import { afterEach, describe, expect, it } from 'vitest'
import type { RateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import { API_KEY, createLine, readCall } from './calls.js'
import { deferred } from '@tonplug/test-support/deferred'
import { type MockReply, startScriptedApi } from '@tonplug/test-support/mock-api'
import * as responses from '@tonplug/test-support/responses'
import { html, page, rejection } from './fault-table.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

const boc = 'te6cckEBAQEAAgAAAEysuc0='
const rejected = responses.respond(500, rejection)

afterEach(() => expectNoKey(API_KEY))

describe('a message whose first attempt was lost', () => {
  it.each<[string, MockReply, string]>([
    ['a reset', responses.reset, 'NETWORK'],
    ['half an answer', responses.truncate, 'NETWORK'],
    ['JSON that breaks off', responses.respond(200, '{"ok":true,"result":{'), 'HTTP_STATUS'],
    ["a proxy's page", responses.respond(502, page, html), 'HTTP_STATUS'],
    ['503', responses.refuse(503, 'unexpected exception'), 'SERVER'],
    [
      'a timeout behind the server',
      responses.refuse(504, 'Liteserver timeout'),
      'LITESERVER_NOT_READY',
    ],
    [
      'a canceled context',
      responses.refuse(500, 'post "http://node": context canceled'),
      'LITESERVER_NOT_READY',
    ],
  ])(
    'has an unknown outcome when %s lost it, and the next one is rejected',
    async (_, lost, code) => {
      const faults = await startScriptedApi(lost, rejected)
      const { v2 } = createCaller(faults.baseUrl)
      const { outcome, error } = await outcomeOf(v2.sendBocReturnHash({ boc }))
      expect([outcome, faults.requests.length]).toEqual(['OUTCOME_UNKNOWN', 2])
      expect(error).toMatchObject({
        retryable: false,
        details: { endpoint: 'sendBocReturnHash', attempts: 2, lostCode: `ERR_TONPLUG_${code}` },
        message: expect.stringContaining('look for the message by its hash'),
        cause: { code: 'ERR_TONPLUG_MESSAGE_REJECTED', exitCode: 33 },
      })
    },
  )

  it('may also be sent by a request outside the table', async () => {
    const faults = await startScriptedApi(responses.reset, responses.refuse(422, 'wrong'))
    const { v2 } = createCaller(faults.baseUrl)
    const { error } = await outcomeOf(v2.request({ method: 'POST', path: '/startNew' }))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_OUTCOME_UNKNOWN',
      message: expect.stringContaining('or for its effect'),
    })
  })

  it('has an unknown outcome when a timeout lost it, and the next one is rejected', async () => {
    const faults = await startScriptedApi(responses.hang, rejected)
    const { line, v2 } = createCaller(faults.baseUrl)
    const call = outcomeOf(v2.sendBoc({ boc }))
    await faults.waitForRequests(1)
    await line.clock.advance(10_000)
    const { outcome, error } = await call
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ details: { lostCode: 'ERR_TONPLUG_TIMEOUT' } })
  })

  it.each<[string, MockReply]>([
    ['MESSAGE_REJECTED', rejected],
    ['AUTHENTICATION', responses.refuse(401, 'API key does not exist')],
    ['VALIDATION', responses.refuse(422, 'failed to parse post request')],
    ['RATE_LIMIT', responses.refuse(429, '', { 'retry-after': '61' })],
  ])('has an unknown outcome whatever refuses the next one: %s', async (code, refusal) => {
    const faults = await startScriptedApi(responses.reset, refusal)
    const { outcome, error } = await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ cause: { code: `ERR_TONPLUG_${code}` } })
  })

  it('has an unknown outcome when the limiter fails before the next one', async () => {
    const faults = await startScriptedApi(responses.reset)
    let asked = 0
    const limiter: RateLimiter = {
      acquire: () => (asked++ === 0 ? Promise.resolve() : Promise.reject(new Error('gone'))),
      pause: () => undefined,
    }
    const { v2 } = createCaller(faults.baseUrl, { limiter })
    const { outcome, error } = await outcomeOf(v2.sendBoc({ boc }))
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ attempts: 1, cause: { code: 'ERR_TONPLUG_LIMITER' } })
  })

  it('has an unknown outcome also when another server rejects it', async () => {
    const first = await startScriptedApi(responses.reset)
    const second = await startScriptedApi(rejected)
    const { v2 } = createCaller([first.baseUrl, second.baseUrl])
    expect((await outcomeOf(v2.sendBoc({ boc }))).outcome).toBe('OUTCOME_UNKNOWN')
  })

  it('is sent when the next one is accepted', async () => {
    const faults = await startScriptedApi(responses.reset, responses.succeed({ '@type': 'ok' }))
    expect(await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))).toEqual({
      outcome: 'ok',
    })
  })

  it('fails with the loss itself when all attempts are lost', async () => {
    const faults = await startScriptedApi(responses.reset)
    const { outcome } = await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))
    expect([outcome, faults.requests.length]).toEqual(['NETWORK', 4])
  })
})

describe('a call with maxAttempts: 1', () => {
  const once = { maxAttempts: 1 }

  it.each<[string, MockReply, string]>([
    ['a reset', responses.reset, 'NETWORK'],
    ['half a response', responses.truncate, 'NETWORK'],
    ['500', responses.refuse(500, 'LITE_SERVER_NOTREADY'), 'LITESERVER_NOT_READY'],
    ['503', responses.refuse(503, 'unexpected exception'), 'SERVER'],
    ['429', responses.refuse(429, 'slow'), 'RATE_LIMIT'],
    ['425', responses.refuse(425, 'Too Early'), 'SERVER'],
  ])('sends one request to one server, although it is answered with %s', async (_, lost, code) => {
    const first = await startScriptedApi(lost)
    const second = await startScriptedApi(rejected)
    const { v2 } = createCaller([first.baseUrl, second.baseUrl])
    const { outcome } = await outcomeOf(v2.sendBoc({ boc }, once))
    expect([outcome, first.requests.length, second.requests.length]).toEqual([code, 1, 0])
  })

  it('sends one request that times out', async () => {
    const faults = await startScriptedApi(responses.hang, rejected)
    const { line, v2 } = createCaller(faults.baseUrl)
    const call = outcomeOf(v2.sendBoc({ boc }, once))
    await faults.waitForRequests(1)
    await line.clock.advance(10_000)
    expect([(await call).outcome, faults.requests.length]).toEqual(['TIMEOUT', 1])
  })

  it('does not join a read that may be retried', async () => {
    const faults = await startScriptedApi(responses.refuse(503, 'later'), responses.succeed(1))
    const { transport } = createLine({ baseUrl: faults.baseUrl, moves: true })
    const [single, retried] = await Promise.allSettled([
      transport.request(readCall(), once),
      transport.request(readCall()),
    ])
    expect([single.status, retried.status]).toEqual(['rejected', 'fulfilled'])
  })

  it.each([0, Number.NaN, '1'])('is rejected for %j', async (maxAttempts) => {
    const faults = await startScriptedApi(rejected)
    const { v2 } = createCaller(faults.baseUrl)
    // As a caller without types.
    const options = { maxAttempts: maxAttempts as number }
    expect((await outcomeOf(v2.sendBoc({ boc }, options))).outcome).toBe('CONFIGURATION')
    expect(faults.requests).toEqual([])
  })
})

describe('a rejection', () => {
  it('is final when it is the response to the first attempt', async () => {
    const faults = await startScriptedApi(rejected)
    const { outcome } = await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))
    expect([outcome, faults.requests.length]).toEqual(['MESSAGE_REJECTED', 1])
  })

  it('is final when the attempts before were delayed by the rate limit', async () => {
    const faults = await startScriptedApi(responses.refuse(429, ''), rejected)
    const { outcome } = await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))
    expect(outcome).toBe('MESSAGE_REJECTED')
  })

  it.each<[string, MockReply]>([
    ['was not ready', responses.refuse(500, 'LITE_SERVER_NOTREADY: block is not applied')],
    [
      'was not ready in its own words',
      responses.refuse(500, 'cannot apply external message to current state : not ready'),
    ],
    ['found it too early', responses.refuse(425, 'Too Early')],
    ['found it too early, as a page', responses.respond(425, page, html)],
  ])('is final when the server %s before', async (_, later) => {
    const faults = await startScriptedApi(later, rejected)
    const { outcome } = await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))
    expect([outcome, faults.requests.length]).toEqual(['MESSAGE_REJECTED', 2])
  })

  it('is final when no server could be reached before', async () => {
    const faults = await startScriptedApi(rejected)
    const unused = faults.baseUrl.replace('127.0.0.1', '127.0.0.9')
    const { v2 } = createCaller([unused, faults.baseUrl])
    const { outcome, error } = await outcomeOf(v2.sendBoc({ boc }))
    expect(outcome).toBe('MESSAGE_REJECTED')
    expect(error).toMatchObject({ attempts: 2 })
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'is final when the attempt before ended with %s',
    async (code) => {
      const faults = await startScriptedApi(rejected)
      let attempts = 0
      const { v2 } = createCaller(faults.baseUrl, {
        fetch: (url: string, init: RequestInit) =>
          attempts++ === 0
            ? Promise.reject(Object.assign(new Error('not connected'), { code }))
            : fetch(url, init),
      })
      expect((await outcomeOf(v2.sendBoc({ boc }))).outcome).toBe('MESSAGE_REJECTED')
    },
  )

  it('is final unless bytes were sent between', async () => {
    const faults = await startScriptedApi(
      responses.refuse(429, ''),
      responses.reset,
      responses.refuse(500, 'LITE_SERVER_NOTREADY'),
      rejected,
    )
    const { outcome, error } = await outcomeOf(createCaller(faults.baseUrl).v2.sendBoc({ boc }))
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ details: { lostCode: 'ERR_TONPLUG_NETWORK', attempts: 4 } })
  })

  it('is final for a read, whatever was lost before', async () => {
    const faults = await startScriptedApi(responses.reset, responses.refuse(409, 'no jetton'))
    const { outcome } = await outcomeOf(createCaller(faults.baseUrl).v2.getMasterchainInfo())
    expect(outcome).toBe('CONFLICT')
  })
})

describe('a read that begins after a message was sent', () => {
  const sending = readCall({ method: 'POST', path: '/sendBoc', body: { boc }, isRead: false })

  it.each([
    ['was accepted', responses.succeed(1)],
    ['was refused', responses.refuse(404, 'nothing')],
  ])('does not join one that began before it %s', async (_, answer) => {
    const first = deferred<MockReply>()
    const faults = await startScriptedApi(first.promise, answer, responses.succeed('after'))
    const { transport } = createLine({ baseUrl: faults.baseUrl })
    const before = transport.request(readCall())
    await faults.waitForRequests(1)
    await transport.request(sending).catch(() => undefined)
    const after = await transport.request(readCall())
    expect(after).toMatchObject({ value: { result: 'after' }, meta: { isShared: false } })
    first.resolve(responses.succeed('before'))
    await expect(before).resolves.toMatchObject({ value: { result: 'before' } })
  })

  it('does not split reads that were joined before', async () => {
    const first = deferred<MockReply>()
    const faults = await startScriptedApi(first.promise, responses.succeed(1))
    const { transport } = createLine({ baseUrl: faults.baseUrl })
    const calls = [transport.request(readCall()), transport.request(readCall())]
    await faults.waitForRequests(1)
    await transport.request(sending)
    first.resolve(responses.succeed('before'))
    expect(await Promise.all(calls)).toMatchObject([
      { value: { result: 'before' } },
      { value: { result: 'before' } },
    ])
    expect(faults.requests).toHaveLength(2)
  })
})
