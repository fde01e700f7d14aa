import { createV3Client } from '@tonplug/core'
import { expect, test } from 'vitest'
import { servePayments } from '../../../packages/core/test/chain/served-payments.js'
import { openEvents } from './event-stream.js'
import { startShop } from './harness.js'

const MINUTE_MS = 60_000

test('S49 a payment is found on the chain and shipped whose webhook was dropped', async () => {
  const payments = await servePayments(1_767_614_400)
  const v3 = createV3Client({ baseUrl: payments.url, apiKey: 'key' })
  const harness = await startShop({
    recipients: [payments.recipient],
    v3,
  })
  const { shop, url, clock, logger } = harness
  const { reference } = await harness.buy('mug')
  const events = await openEvents(url, reference)
  await payments.pay(2_250_000_000n, reference)
  await clock.advance(MINUTE_MS + 1)

  await events.until(({ shipments }) => shipments.length > 0)

  expect(shop.reconciler?.stats().found).toMatchObject({ lost_webhook: 1 })
  await shop.close()
  expect(logger.lines.map(({ message }) => message)).toContain(
    'A payment was found whose webhook never came',
  )
})
