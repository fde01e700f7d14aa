import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it } from 'vitest'

it('S114 reports money once that another shop has found before two webhooks of its order are decided', async () => {
  const [reference, payment] = ['order-1', 'p1']
  const place = { shop: 'second', merchant: 'm-2' } as const
  const webhook = { kind: 'webhook', payment, process: 0, ...place } as const
  const events: ShopEvent[] = [
    {
      kind: 'intervals',
      atMs: 0,
      minIntervalMs: 60_000,
      maxIntervalMs: 120_000,
      idlePollMs: 300_000,
    },
    {
      kind: 'pay',
      atMs: 131_646,
      payment,
      reference,
      rawAmount: '3000000000',
      times: 1,
      lagMs: 340_759,
      owner: 'm-2',
    },
    {
      kind: 'order',
      atMs: 136_646,
      reference,
      rawAmount: '2000000000',
      isBound: true,
      hasRecipient: true,
      ...place,
    },
    { kind: 'index', atMs: 308_449, downMs: 900_000 },
    { ...webhook, atMs: 499_943, names: 'last' },
    { ...webhook, atMs: 599_453, names: 'trace' },
  ]
  expect((await simulateShop({ seed: 55_004_136, events })).problems).toEqual([])
})
