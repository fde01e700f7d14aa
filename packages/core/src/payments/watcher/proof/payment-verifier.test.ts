import { expect, it } from 'vitest'
import { createPaymentVerifier, type PaymentVerifierOptions } from './payment-verifier.js'

const source = () =>
  ({ traces: () => undefined, runGetMethod: () => undefined }) as unknown as NonNullable<
    PaymentVerifierOptions['v3']
  >

it('gives up after an hour with one source, and after a day with several', () => {
  expect(createPaymentVerifier({ v3: source() }).deadlineMs).toBe(3_600_000)
  expect(createPaymentVerifier({ sources: [source()] }).deadlineMs).toBe(3_600_000)
  const sources = [source(), source()] as const
  expect(createPaymentVerifier({ sources }).deadlineMs).toBe(86_400_000)
  expect(createPaymentVerifier({ sources, deadlineMs: 5 }).deadlineMs).toBe(5)
})
