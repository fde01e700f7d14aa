import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { memoryOrderRepository, type OrderKey } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import { startRequest } from './http-request.js'
import { makeOrder } from './order-fixtures.js'
import { assertAnswer, createGate, SECRET, until, type WebhookSuite } from './webhook-shop.js'

const DEADLINE_MS = 8000
const { body: BODY, headers: HEADERS } = signPayload(transferCompleted(), SECRET)
const HALF = {
  // No parser waits for the rest of this type.
  headers: {
    ...HEADERS,
    'content-type': 'application/octet-stream',
    'content-length': String(BODY.length),
  },
  body: BODY.slice(0, 100),
  isUnfinished: true,
}

/** Incomplete requests, closed connections and kept connections. */
export function describeConnections(suite: WebhookSuite): void {
  suite.describe('connections', () => {
    describeHalfBodies(suite)
    describeGoneSenders(suite)
    describeKeptConnections(suite)
  })
}

function describeHalfBodies({ test }: WebhookSuite): void {
  test('S20 ends a request with an incomplete body at the deadline', async (shop) => {
    const { url, clock, calls, post } = shop
    let isAnswered = false
    const { answer } = startRequest(url, HALF)
    void answer.finally(() => (isAnswered = true))
    await clock.waitForTimer(({ delayMs }) => delayMs === DEADLINE_MS)
    await clock.advance(DEADLINE_MS - 1)
    assert.equal(isAnswered, false)
    await clock.advance(1)
    const { status, body } = await answer
    assert.ok(status === 400 || status === 408 || status === 503, `it is ${status}`)
    assert.equal(body, '{"ok":false}')
    assert.deepEqual(calls, [])
    assertAnswer(await post(transferCompleted()), 200)
  })
  test('S20 ends a request whose sender disconnects in the middle of the body', async (shop) => {
    const { url, clock, logger, receiver, calls, post } = shop
    const { answer, destroy } = startRequest(url, HALF)
    const failed = answer.catch(() => undefined)
    await clock.waitForTimer(({ delayMs }) => delayMs === DEADLINE_MS)
    destroy()
    await failed
    await until('the request ends', () => receiver.stats().body_incomplete === 1)
    assert.deepEqual(calls, [])
    assert.deepEqual(
      logger.lines.filter(({ level }) => level === 'error'),
      [],
    )
    assertAnswer(await post(transferCompleted()), 200)
  })
}

function describeGoneSenders({ it, withShop }: WebhookSuite): void {
  it('S46 S53 completes the order of a sender that disconnects before the response', () => {
    const gate = createGate()
    const memory = memoryOrderRepository([makeOrder()])
    const orders = {
      ...memory,
      find: (key: OrderKey) => gate.opened.then(() => memory.find(key)),
    }
    return withShop({ payments: { orders } }, async ({ url, calls, decisions, post, paid }) => {
      const { answer, destroy } = startRequest(url, { headers: HEADERS, body: BODY })
      const failed = answer.catch(() => undefined)
      await until('the order is read', () => calls.includes('orders.find'))
      destroy()
      await failed
      gate.open()
      await until('the decision', () => decisions.length > 0)
      assertAnswer(await post(transferCompleted()), 200)
      assert.deepEqual(decisions, ['paid', 'duplicate'])
      await until('onPaid is called', () => paid.length > 0)
      assert.equal(paid.length, 1)
    })
  })
}

function describeKeptConnections({ test }: WebhookSuite): void {
  test('accepts a delivery over the connection of a refused one', async ({ post, decisions }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      assertAnswer(await post(transferCompleted(), { agent, secret: 'whsec_other' }), 401)
      assertAnswer(await post(transferCompleted(), { agent, method: 'PUT' }), 405)
      assertAnswer(await post('{}', { agent }), 400)
      assertAnswer(await post(transferCompleted(), { agent }), 200)
      assert.deepEqual(decisions, ['paid'])
    } finally {
      agent.destroy()
    }
  })
}
