import type { PaymentVerifier, VerificationResult } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries } from './support/shop.js'

const wallets = [transferCompleted().data.recipientAddr]

describe.each(expressVersions)('verifyOnChain in %s', (_version, express) => {
  it.each<[VerificationResult, string]>([
    [
      {
        kind: 'verified',
        payments: [
          { message: 'm', credits: ['m'], amount: 1n, utime: 1_700_000_000, transactions: ['m'] },
        ],
      },
      'completed',
    ],
    [{ kind: 'contradicted', reason: 'other_recipient', detail: 'another recipient' }, 'pending'],
  ])('S54 responds before the proof, which then decides: %o', async (verdict, status) => {
    let resolveProof: (verdict: VerificationResult) => void = () => undefined
    const verifyOnChain: PaymentVerifier = {
      deadlineMs: 60_000,
      verify: () => new Promise<VerificationResult>((resolve) => (resolveProof = resolve)),
    }
    const handled: string[] = []
    const shop = createShop({
      payments: {
        wallets,
        verifyOnChain,
        onPaid: ({ order }) => void handled.push(`paid ${order.reference}`),
        onUnverified: ({ decision }) => void handled.push(decision.reason),
      },
    })
    const app = express().post('/webhooks/ton', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    const answer = await deliver(`${url}/webhooks/ton`, deliveries.valid)
    expect([answer.status, answer.body]).toEqual([200, '{"ok":true}'])
    expect(await shop.orderStatus()).toBe('pending')
    await expect
      .poll(() => {
        resolveProof(verdict)
        return handled
      })
      .toHaveLength(1)
    expect(await shop.orderStatus()).toBe(status)
  })
})
