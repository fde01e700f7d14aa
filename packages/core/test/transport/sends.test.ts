import { afterEach, describe, expect, it } from 'vitest'
import type { RateLimiter } from '../../src/transport/limiter.js'
import { API_KEY, createLine, readCall } from './calls.js'
import * as server from './fault-server.js'
import { html, page, rejection } from './fault-table.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

const boc = 'te6cckEBAQEAAgAAAEysuc0='
const rejected = server.say(500, rejection)

afterEach(() => expectNoKey(API_KEY))

describe('a message whose first attempt was lost', () => {
  it.each<[string, server.Answer, string]>([
    ['a reset', server.reset, 'NETWORK'],
    ['half an answer', server.truncate, 'NETWORK'],
    ['JSON that breaks off', server.say(200, '{"ok":true,"result":{'), 'HTTP_STATUS'],
    ["a proxy's page", server.say(502, page, html), 'HTTP_STATUS'],
    ['503', server.refuse(503, 'unexpected exception'), 'SERVER'],
    [
      'a timeout behind the server',
      server.refuse(504, 'Liteserver timeout'),
      'LITESERVER_NOT_READY',
    ],
    [
      'a canceled context',
      server.refuse(500, 'post "http://node": context canceled'),
      'LITESERVER_NOT_READY',
    ],
  ])('by %s has an unknown outcome when the next one is rejected', async (_, lost, code) => {
    const faults = await server.startFaultServer(lost, rejected)
    const { v2 } = createCaller(faults.url)
    const { outcome, error } = await outcomeOf(v2.sendBocReturnHash({ boc }))
    expect([outcome, faults.arrivals.length]).toEqual(['OUTCOME_UNKNOWN', 2])
    expect(error).toMatchObject({
      retryable: false,
      details: { endpoint: 'sendBocReturnHash', attempts: 2, lostCode: `ERR_TONPLUG_${code}` },
      message: expect.stringContaining('look for the message by its hash'),
      cause: { code: 'ERR_TONPLUG_MESSAGE_REJECTED', exitCode: 33 },
    })
  })

  it('is not the only thing that a request outside the table may send', async () => {
    const faults = await server.startFaultServer(server.reset, server.refuse(422, 'wrong'))
    const { v2 } = createCaller(faults.url)
    const { error } = await outcomeOf(v2.request({ method: 'POST', path: '/startNew' }))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_OUTCOME_UNKNOWN',
      message: expect.stringContaining('or for its effect'),
    })
  })

  it('by its time has an unknown outcome when the next one is rejected', async () => {
    const faults = await server.startFaultServer(server.stallHeaders, rejected)
    const { line, v2 } = createCaller(faults.url)
    const call = outcomeOf(v2.sendBoc({ boc }))
    await faults.waitForArrivals(1)
    await line.clock.advance(10_000)
    const { outcome, error } = await call
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ details: { lostCode: 'ERR_TONPLUG_TIMEOUT' } })
  })

  it.each<[string, server.Answer]>([
    ['MESSAGE_REJECTED', rejected],
    ['AUTHENTICATION', server.refuse(401, 'API key does not exist')],
    ['VALIDATION', server.refuse(422, 'failed to parse post request')],
    ['RATE_LIMIT', server.refuse(429, '', { 'retry-after': '61' })],
  ])('has an unknown outcome whatever refuses the next one: %s', async (code, refusal) => {
    const faults = await server.startFaultServer(server.reset, refusal)
    const { outcome, error } = await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ cause: { code: `ERR_TONPLUG_${code}` } })
  })

  it('has an unknown outcome when the limiter fails before the next one', async () => {
    const faults = await server.startFaultServer(server.reset)
    let asked = 0
    const limiter: RateLimiter = {
      acquire: () => (asked++ === 0 ? Promise.resolve() : Promise.reject(new Error('gone'))),
      pause: () => undefined,
    }
    const { v2 } = createCaller(faults.url, { limiter })
    const { outcome, error } = await outcomeOf(v2.sendBoc({ boc }))
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ attempts: 1, cause: { code: 'ERR_TONPLUG_LIMITER' } })
  })

  it('has it also when another server rejects it', async () => {
    const first = await server.startFaultServer(server.reset)
    const second = await server.startFaultServer(rejected)
    const { v2 } = createCaller([first.url, second.url])
    expect((await outcomeOf(v2.sendBoc({ boc }))).outcome).toBe('OUTCOME_UNKNOWN')
  })

  it('is sent when the next one is accepted', async () => {
    const faults = await server.startFaultServer(server.reset, server.succeed({ '@type': 'ok' }))
    expect(await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))).toEqual({ outcome: 'ok' })
  })

  it('fails with the loss itself when all attempts are lost', async () => {
    const faults = await server.startFaultServer(server.reset)
    const { outcome } = await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))
    expect([outcome, faults.arrivals.length]).toEqual(['NETWORK', 4])
  })
})

describe('a refusal is final', () => {
  it('when it is the answer to the first attempt', async () => {
    const faults = await server.startFaultServer(rejected)
    const { outcome } = await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))
    expect([outcome, faults.arrivals.length]).toEqual(['MESSAGE_REJECTED', 1])
  })

  it('when the attempts before were held back by the rate limit', async () => {
    const faults = await server.startFaultServer(server.refuse(429, ''), rejected)
    const { outcome } = await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))
    expect(outcome).toBe('MESSAGE_REJECTED')
  })

  it.each<[string, server.Answer]>([
    ['was not ready', server.refuse(500, 'LITE_SERVER_NOTREADY: block is not applied')],
    [
      'was not ready in its own words',
      server.refuse(500, 'cannot apply external message to current state : not ready'),
    ],
    ['found it too early', server.refuse(425, 'Too Early')],
    ['found it too early, as a page', server.say(425, page, html)],
  ])('when the server %s before', async (_, later) => {
    const faults = await server.startFaultServer(later, rejected)
    const { outcome } = await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))
    expect([outcome, faults.arrivals.length]).toEqual(['MESSAGE_REJECTED', 2])
  })

  it('when no server could be reached before', async () => {
    const faults = await server.startFaultServer(rejected)
    const unused = faults.url.replace('127.0.0.1', '127.0.0.9')
    const { v2 } = createCaller([unused, faults.url])
    const { outcome, error } = await outcomeOf(v2.sendBoc({ boc }))
    expect(outcome).toBe('MESSAGE_REJECTED')
    expect(error).toMatchObject({ attempts: 2 })
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'when the attempt before ended with %s',
    async (code) => {
      const faults = await server.startFaultServer(rejected)
      let attempts = 0
      const { v2 } = createCaller(faults.url, {
        fetch: (url: string, init: RequestInit) =>
          attempts++ === 0
            ? Promise.reject(Object.assign(new Error('not connected'), { code }))
            : fetch(url, init),
      })
      expect((await outcomeOf(v2.sendBoc({ boc }))).outcome).toBe('MESSAGE_REJECTED')
    },
  )

  it('unless bytes were sent between', async () => {
    const faults = await server.startFaultServer(
      server.refuse(429, ''),
      server.reset,
      server.refuse(500, 'LITE_SERVER_NOTREADY'),
      rejected,
    )
    const { outcome, error } = await outcomeOf(createCaller(faults.url).v2.sendBoc({ boc }))
    expect(outcome).toBe('OUTCOME_UNKNOWN')
    expect(error).toMatchObject({ details: { lostCode: 'ERR_TONPLUG_NETWORK', attempts: 4 } })
  })

  it('of a read, whatever was lost before', async () => {
    const faults = await server.startFaultServer(server.reset, server.refuse(409, 'no jetton'))
    const { outcome } = await outcomeOf(createCaller(faults.url).v2.getMasterchainInfo())
    expect(outcome).toBe('CONFLICT')
  })
})

describe('a read that begins after a message was sent', () => {
  const sending = readCall({ method: 'POST', path: '/sendBoc', body: { boc }, isRead: false })

  it.each([
    ['was accepted', server.succeed(1)],
    ['was refused', server.refuse(404, 'nothing')],
  ])('does not join one that began before it %s', async (_, answer) => {
    let answerFirst = (): void => undefined
    const faults = await server.startFaultServer(
      (...both) => (answerFirst = () => server.succeed('before')(...both)),
      answer,
      server.succeed('after'),
    )
    const { transport } = createLine({ baseUrl: faults.url })
    const before = transport.request(readCall())
    await faults.waitForArrivals(1)
    await transport.request(sending).catch(() => undefined)
    const after = await transport.request(readCall())
    expect(after).toMatchObject({ value: { result: 'after' }, meta: { isShared: false } })
    answerFirst()
    await expect(before).resolves.toMatchObject({ value: { result: 'before' } })
  })

  it('leaves those that have joined before it together', async () => {
    let answerFirst = (): void => undefined
    const faults = await server.startFaultServer(
      (...both) => (answerFirst = () => server.succeed('before')(...both)),
      server.succeed(1),
    )
    const { transport } = createLine({ baseUrl: faults.url })
    const calls = [transport.request(readCall()), transport.request(readCall())]
    await faults.waitForArrivals(1)
    await transport.request(sending)
    answerFirst()
    expect(await Promise.all(calls)).toMatchObject([
      { value: { result: 'before' } },
      { value: { result: 'before' } },
    ])
    expect(faults.arrivals).toHaveLength(2)
  })
})
