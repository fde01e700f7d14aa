import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { memoryOrderRepository } from '@tonplug/core'
import { transferCompleted, transferRefunded } from '../payloads.js'
import { signPayload } from '../sign.js'
import type { HttpAnswer } from './http-request.js'
import { makeHash, makeOrder } from './order-fixtures.js'
import {
  type PostOptions,
  isOfParser,
  SECRET,
  type Shop,
  type WebhookSuite,
} from './webhook-shop.js'

const OTHER_SECRET = 'whsec_somebody_elses_secret'
const NOTE = 'a private note to the sender'
const transfer = (txHash: string): object => transferCompleted({ commentToSender: NOTE, txHash })

const REQUESTS: readonly { payload: string | object; options?: PostOptions; status: number }[] = [
  { payload: transfer(makeHash(1)), status: 200 },
  { payload: transfer(makeHash(1)), status: 200 },
  { payload: transfer(makeHash(2)), status: 200 },
  { payload: transferCompleted({ reference: 'unknown', commentToSender: NOTE }), status: 200 },
  { payload: transfer(makeHash(3)), options: { secret: OTHER_SECRET }, status: 401 },
  { payload: transfer(makeHash(4)), options: { signature: 'sha256=nonsense' }, status: 401 },
  { payload: transfer(makeHash(4)), options: { signature: null }, status: 401 },
  { payload: transfer(makeHash(4)), options: { method: 'PUT' }, status: 405 },
  { payload: `{"note": ${NOTE}}`, status: 400 },
  { payload: { event: NOTE.length, note: NOTE }, status: 400 },
  { payload: transferRefunded({ note: NOTE }), status: 400 },
  { payload: NOTE.padEnd(70_000), status: 413 },
]

/** Responses and logs reveal no secret, signature or body. */
export function describeSecrecy({ it, withShop }: WebhookSuite): void {
  it('reveals no secret, signature or body in a response or a log line', () => {
    const orders = memoryOrderRepository([makeOrder()])
    let isDown = false
    const find: typeof orders.find = (key) =>
      isDown ? Promise.reject(new Error('connection lost')) : orders.find(key)
    const payments = { orders: { ...orders, find } }
    return withShop({ payments }, async (shop) => {
      const answers = await sendAll(shop)
      isDown = true
      answers.push(await shop.post(transfer(makeHash(5))))
      assert.equal(answers.at(-1)?.status, 503)
      const seen = [...answers.map(({ text }) => text), showLines(shop)].join('\n')
      for (const [what, hidden] of Object.entries(listHidden())) {
        assert.ok(!seen.includes(hidden), `${what} is visible`)
      }
      assert.ok(showLines(shop).includes('order-1'), 'log lines state the reference')
    })
  })
}

async function sendAll(shop: Shop): Promise<HttpAnswer[]> {
  const answers: HttpAnswer[] = []
  for (const { payload, options, status } of REQUESTS) {
    const answer = await shop.post(payload, options)
    if (!isOfParser(shop, answer)) assert.equal(answer.status, status)
    answers.push(answer)
  }
  return answers
}

function showLines({ logger }: Shop): string {
  return inspect(logger.lines, { depth: Infinity, maxArrayLength: null, maxStringLength: null })
}

function listHidden(): Record<string, string> {
  const hidden: Record<string, string> = {
    'the secret': SECRET,
    'another secret': OTHER_SECRET,
    'a part of a body': NOTE,
    'a malformed signature': 'nonsense',
  }
  for (const [index, { payload, options }] of REQUESTS.entries()) {
    const { signature } = signPayload(payload, options?.secret ?? SECRET)
    hidden[`the signature of request ${index}`] = signature.slice('sha256='.length)
  }
  return hidden
}
