import assert from 'node:assert/strict'
import type { WebhookReceiver } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import type { HttpAnswer } from './http-request.js'
import { assertAnswer, until, type WebhookSuite } from './webhook-shop.js'

const DETAIL = 'password of the database at 10.0.0.7'

/** Errors of the shop's own code: the sender receives a 5xx without any detail, and the server continues. */
export function describeErrors(suite: WebhookSuite): void {
  suite.describe('errors', () => {
    describeThrowingRule(suite)
    describeThrowingReceiver(suite)
    describeThrowingHandler(suite)
  })
}

function describeThrowingRule({ it, withShop }: WebhookSuite): void {
  it('S63 reveals neither stack nor message of a rule that throws', () => {
    let isBroken = true
    const rule = (): undefined => {
      if (isBroken) throw new TypeError(DETAIL)
    }
    return withShop({ payments: { rules: [rule] } }, async ({ post, decisions }) => {
      assertDiscreet(await post(transferCompleted()))
      assert.deepEqual(decisions, [])
      isBroken = false
      assertAnswer(await post(transferCompleted()), 200)
      assert.deepEqual(decisions, ['paid'])
    })
  })
}

function describeThrowingReceiver({ it, withShop }: WebhookSuite): void {
  const thrown: Record<string, () => unknown> = {
    'an error': () => new Error(DETAIL),
    'a string': () => DETAIL,
  }
  for (const [what, makeError] of Object.entries(thrown)) {
    it(`S63 reveals no detail when the receiver throws ${what}`, () => {
      let isBroken = true
      const mount = (receiver: WebhookReceiver): WebhookReceiver => ({
        ...receiver,
        receive: async (request) => {
          if (isBroken) throw makeError()
          return receiver.receive(request)
        },
        handle: async (request) => {
          if (isBroken) throw makeError()
          return receiver.handle(request)
        },
      })
      return withShop({ mount }, async ({ post, decisions }) => {
        assertDiscreet(await post(transferCompleted()))
        isBroken = false
        assertAnswer(await post(transferCompleted()), 200)
        assert.deepEqual(decisions, ['paid'])
      })
    })
  }
}

function describeThrowingHandler({ it, withShop }: WebhookSuite): void {
  it('S63 reveals nothing of a handler that throws', () => {
    let runs = 0
    const onPaid = (): never => {
      runs++
      throw new Error(DETAIL)
    }
    return withShop({ payments: { onPaid } }, async ({ post }) => {
      const answers = [await post(transferCompleted())]
      await until('onPaid is called', () => runs > 0)
      answers.push(await post(transferCompleted()))
      for (const answer of answers) {
        assertAnswer(answer, 200)
        assert.ok(!answer.text.includes(DETAIL), 'the response reveals the message')
      }
    })
  })
}

/** Asserts a 5xx, so that the gateway retries, without the error's message, stack or class. */
function assertDiscreet({ status, text }: HttpAnswer): void {
  assert.ok(status >= 500, `expected a 5xx; received ${status}`)
  assert.ok(!text.includes(DETAIL), 'the response reveals the message of the error')
  assert.doesNotMatch(text, /\bat .+:\d+:\d+/, 'the response reveals the stack of the error')
  assert.doesNotMatch(text, /TypeError|RuleError/, 'the response reveals the class of the error')
}
