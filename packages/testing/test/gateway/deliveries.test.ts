import { verifySignature } from '@tonplug/core'
import {
  createMockGateway,
  createFakeClock,
  type DeliveryAttempt,
  type MockGateway,
  type FakeClock,
  transferCompleted,
} from '@tonplug/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type ScriptedServer, startScriptedServer, type Step } from '../scripted-server.js'

const SECRET = 'whsec_mock'
const START_MS = 1_000_000

let server: ScriptedServer | undefined
afterEach(() => server?.close())

async function start(
  steps: readonly Step[],
): Promise<{ clock: FakeClock; gateway: MockGateway; server: ScriptedServer }> {
  const clock = createFakeClock({ startMs: START_MS })
  const started = await startScriptedServer(steps)
  server = started
  const gateway = createMockGateway({ url: started.url, secret: SECRET, clock })
  return { clock, gateway, server: started }
}

/** Waits for the timer of a retry and advances the clock. */
async function pass(clock: FakeClock, delayMs: number): Promise<void> {
  await clock.waitForTimer((timer) => timer.delayMs === delayMs)
  await clock.advance(delayMs)
}

function timesOf(attempts: readonly DeliveryAttempt[]): number[] {
  return attempts.map(({ atMs }) => atMs - START_MS)
}

describe('a delivery', () => {
  it('is one signed POST when it is acknowledged at once', async () => {
    const { gateway, server } = await start([204])
    const { isDelivered, attempts } = await gateway.deliver(transferCompleted())
    expect(isDelivered).toBe(true)
    expect(attempts).toMatchObject([
      { delivery: 1, copy: 1, attempt: 1, atMs: START_MS, durationMs: 0, status: 204, body: '' },
    ])
    const [request] = server.requests
    expect(request?.method).toBe('POST')
    expect(request?.headers['content-type']).toBe('application/json')
    expect(request?.body.toString()).toBe(JSON.stringify(transferCompleted()))
    const signature = request?.headers['x-tonpay-signature']
    const check = verifySignature(request?.body ?? '', signature, { secrets: SECRET })
    expect(check.isValid).toBe(true)
  })
  it('is retried 1 s, 5 s and 15 s after each failure, then ends', async () => {
    const { clock, gateway } = await start([500, 404, 302, 503, 200])
    const delivery = gateway.deliver(transferCompleted())
    for (const delayMs of [1000, 5000, 15_000]) await pass(clock, delayMs)
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(false)
    expect(attempts.map(({ status }) => status)).toEqual([500, 404, 302, 503])
    expect(attempts.map(({ body }) => body)).toContain('step 404')
    expect(timesOf(attempts)).toEqual([0, 1000, 6000, 21_000])
    expect(clock.pendingTimers()).toEqual([])
  })
  it('stops at the first 2xx', async () => {
    const { clock, gateway, server } = await start([500, 299, 200])
    const delivery = gateway.deliver(transferCompleted())
    await pass(clock, 1000)
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(true)
    expect(attempts.map(({ status }) => status)).toEqual([500, 299])
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
    expect(clock.pendingTimers()).toEqual([])
  })
  it('does not follow a redirect', async () => {
    const toItself: Step = (response) => response.writeHead(307, { location: '/' }).end()
    const { clock, gateway, server } = await start([toItself, 200])
    const delivery = gateway.deliver(transferCompleted())
    await pass(clock, 1000)
    expect((await delivery).attempts.map(({ status }) => status)).toEqual([307, 200])
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST'])
  })
  it('times out after 10 s without a response and is retried', async () => {
    const { clock, gateway, server } = await start([() => undefined, 200])
    const delivery = gateway.deliver(transferCompleted())
    await server.waitForRequests(1)
    await clock.advance(9999)
    expect(clock.pendingTimers()).toEqual([{ delayMs: 10_000, dueMs: START_MS + 10_000 }])
    await clock.advance(1)
    await pass(clock, 1000)
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(true)
    expect(attempts[0]?.error).toMatchObject({ name: 'TimeoutError' })
    expect(timesOf(attempts)).toEqual([0, 11_000])
    expect(attempts.map(({ durationMs }) => durationMs)).toEqual([10_000, 0])
  })
  it('is retried after a network error', async () => {
    const { clock, gateway } = await start([(response) => response.destroy(), 200])
    const delivery = gateway.deliver(transferCompleted())
    await pass(clock, 1000)
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(true)
    expect(attempts[0]).toMatchObject({ attempt: 1, error: expect.any(TypeError) })
    expect(attempts[0]?.status).toBeUndefined()
  })
  it('is acknowledged by a 200 with an incomplete body', async () => {
    const breakOff: Step = (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy())
    }
    const { gateway } = await start([breakOff])
    const { isDelivered, attempts } = await gateway.deliver(transferCompleted())
    expect(isDelivered).toBe(true)
    expect(attempts[0]?.status).toBe(200)
  })
})

describe('the log', () => {
  it('contains the request, the response and the duration of each attempt', async () => {
    const { clock, gateway, server } = await start([
      () => undefined,
      (response) => response.writeHead(201, { 'x-shop': 'one' }).end('thanks'),
    ])
    const delivery = gateway.deliver('{"a":1}')
    await server.waitForRequests(1)
    await clock.advance(10_000)
    await pass(clock, 1000)
    const { attempts } = await delivery
    const sent = { url: server.url, body: new TextEncoder().encode('{"a":1}') }
    const log = gateway.log()
    expect(log).toMatchObject(attempts)
    expect(log).toMatchObject([
      { delivery: 1, attempt: 1, durationMs: 10_000, sent },
      { attempt: 2, durationMs: 0, sent, status: 201, body: 'thanks' },
    ])
    expect(log[1]?.responseHeaders?.['x-shop']).toBe('one')
    expect(log[1]?.sent.headers).toMatchObject({
      'content-type': 'application/json',
      'x-tonpay-signature': server.requests[1]?.headers['x-tonpay-signature'],
    })
  })
  it('keeps the newest attempts, and the first 16 KiB of a response', async () => {
    const { url } = (await start([(response) => response.end('é'.repeat(100_000)), 200, 200]))
      .server
    const gateway = createMockGateway({ url, secret: SECRET, maxAttempts: 2 })
    const { attempts } = await gateway.deliver('{}')
    expect(attempts[0]?.body).toBe('é'.repeat(8192))
    await gateway.deliver('{}')
    await gateway.deliver('{}')
    expect(gateway.log().map(({ delivery }) => delivery)).toEqual([2, 3])
  })
})

describe('an unusual delivery', () => {
  const isAuthentic = ({ requests }: ScriptedServer): boolean[] =>
    requests.map(({ body, headers }) => {
      const signature = headers['x-tonpay-signature']
      return verifySignature(body, signature, { secrets: SECRET }).isValid
    })

  it('is sent in several concurrent copies, each with its own retries', async () => {
    const { clock, gateway, server } = await start([500, 200, 200, 200])
    const heard: DeliveryAttempt[] = []
    gateway.onAttempt((attempt) => heard.push(attempt))
    const delivery = gateway.deliver(transferCompleted(), { times: 3 })
    await pass(clock, 1000)
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(true)
    expect(attempts.map(({ attempt }) => attempt).toSorted((one, other) => one - other)).toEqual([
      1, 1, 1, 2,
    ])
    expect(new Set(attempts.map(({ copy }) => copy))).toEqual(new Set([1, 2, 3]))
    expect(heard).toEqual(gateway.log())
    expect(heard).toMatchObject(attempts)
    expect(isAuthentic(server)).toEqual([true, true, true, true])
  })
  it('S2 has one bit changed after it was signed', async () => {
    const { gateway, server } = await start([200])
    await gateway.deliver(transferCompleted(), { corrupt: true })
    const sent = server.requests[0]?.body ?? Buffer.of()
    const signed = Buffer.from(JSON.stringify(transferCompleted()))
    expect(sent).toHaveLength(signed.length)
    expect(sent.filter((byte, index) => byte !== signed[index])).toHaveLength(1)
    expect(isAuthentic(server)).toEqual([false])
  })
  it('S10 is signed with another secret', async () => {
    const { gateway, server } = await start([200])
    await gateway.deliver(transferCompleted(), { secret: 'whsec_other' })
    expect(isAuthentic(server)).toEqual([false])
  })
  it('S13 S14 is a string or bytes, sent without a change', async () => {
    const { gateway, server } = await start([200, 200])
    await gateway.deliver('{ "a" : 1.0 }\n')
    await gateway.deliver(Uint8Array.of(0xff, 0xfe))
    expect(server.requests.map(({ body }) => body)).toEqual([
      Buffer.from('{ "a" : 1.0 }\n'),
      Buffer.of(0xff, 0xfe),
    ])
    expect(isAuthentic(server)).toEqual([true, true])
  })
  it('has the signature in the given header', async () => {
    const { url, requests } = (await start([200])).server
    const header = 'x-pay-signature'
    await createMockGateway({ url, secret: SECRET, header }).deliver(transferCompleted())
    expect(requests[0]?.headers[header]).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(requests[0]?.headers['x-tonpay-signature']).toBeUndefined()
  })
  it('has the signature in both headers', async () => {
    const { url, requests } = (await start([200])).server
    const header = ['x-tonpay-signature', 'x-pay-signature']
    await createMockGateway({ url, secret: SECRET, header }).deliver(transferCompleted())
    const [first, second] = header.map((name) => requests[0]?.headers[name])
    expect(first).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(second).toBe(first)
  })
  it('is not reported to a listener that has unsubscribed', async () => {
    const { gateway } = await start([200])
    const heard: DeliveryAttempt[] = []
    gateway.onAttempt((attempt) => heard.push(attempt))()
    await gateway.deliver(transferCompleted())
    expect(heard).toEqual([])
  })
})
