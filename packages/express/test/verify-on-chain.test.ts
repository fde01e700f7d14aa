import type { PaymentProof, ProofVerdict } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it, vi } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries } from './support/shop.js'

const recipients = [transferCompleted().data.recipientAddr]

describe.each(expressVersions)('verifyOnChain in %s', (_version, express) => {
  it.each<[ProofVerdict, string]>([
    [{ kind: 'proven', payments: [{ message: 'm', credits: ['m'], amount: 1n }] }, 'completed'],
    [{ kind: 'refuted', reason: 'other_recipient', detail: 'it went elsewhere' }, 'pending'],
  ])('S54 answers before the proof, and goes by it: %o', async (verdict, status) => {
    let tell: (verdict: ProofVerdict) => void = () => undefined
    const verifyOnChain: PaymentProof = {
      deadlineMs: 60_000,
      prove: () => new Promise<ProofVerdict>((resolve) => (tell = resolve)),
    }
    const told: string[] = []
    const shop = createShop({
      recipients,
      verifyOnChain,
      onPaid: ({ order }) => void told.push(`paid ${order.reference}`),
      onUnverified: ({ decision }) => void told.push(decision.reason),
    })
    const app = express().post('/webhooks/ton', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    const answer = await deliver(`${url}/webhooks/ton`, deliveries.valid)
    expect([answer.status, answer.body]).toEqual([200, '{"ok":true}'])
    expect(await shop.orderStatus()).toBe('pending')
    await vi.waitFor(() => {
      tell(verdict)
      expect(told).toHaveLength(1)
    })
    expect(await shop.orderStatus()).toBe(status)
  })
})
