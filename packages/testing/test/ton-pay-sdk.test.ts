import { createHmac } from 'node:crypto'
import { verifySignature as verifyWithSdk } from '@ton-pay/api'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { createTestLogger, signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const SECRET = 'whsec_ton_pay_sdk'
const payloads = [
  transferCompleted(),
  transferFailed({ errorMessage: 'не хватает 💎 "TON" \\ \n' }),
  transferCompleted({ commentToSender: '\u2028 </script> \ud800 \u001b' }),
]

/** Signs as @ton-pay/api 0.3.2 does: an object is signed as its JSON.stringify output. */
function signLikeSdk(payload: object): { body: string; signature: string } {
  const body = JSON.stringify(payload)
  return { body, signature: `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` }
}

describe('@ton-pay/api', () => {
  it.each(payloads)('accepts what signPayload signs', (payload) => {
    const { body, signature } = signPayload(payload, SECRET)
    expect(verifyWithSdk(body, signature, SECRET)).toBe(true)
    expect(verifyWithSdk(payload, signature, SECRET)).toBe(true)
    expect(verifyWithSdk(`${body} `, signature, SECRET)).toBe(false)
  })
  it.each(payloads)('signs bodies that the receiver accepts', async (payload) => {
    const { body, signature } = signLikeSdk(payload)
    expect(verifyWithSdk(payload, signature, SECRET)).toBe(true)
    const payments = createPayments({ orders: memoryOrderRepository(), logger: createTestLogger() })
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    const { status, decision } = await receiver.receive({
      headers: { 'x-tonpay-signature': signature },
      rawBody: Buffer.from(body),
    })
    expect([status, decision.kind]).toEqual([200, 'unknown_order'])
    await receiver.close()
    await payments.close()
  })
})
