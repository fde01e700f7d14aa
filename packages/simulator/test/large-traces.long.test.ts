import { comment, internal, toNano, type MessageRelaxed } from '@ton/core'
import type { Fetch } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>

/** Returns a response of the index that refuses traces for their size, as it does with more than 4,000 transactions. */
function withoutTransactions(text: string): Response {
  const response = JSON.parse(text)
  for (const trace of response.traces) {
    for (const name of ['trace', 'transactions', 'transactions_order', 'actions'])
      delete trace[name]
    Object.assign(trace, { is_incomplete: true, warning: 'trace is too large' })
  }
  return Response.json(response)
}

/** Returns a response whose header states more bytes than the client reads. */
function tooLong(text: string): Response {
  return new Response(text, { headers: { 'content-length': '100000000' } })
}

/** Refuses traces. The first request to `failing` fails. */
function refusing(refuse: (text: string) => Response, failing = 'nothing'): Fetch {
  let isFailing = true
  return async (url, init) => {
    if (isFailing && url.includes(failing)) {
      isFailing = false
      return Response.json({ error: 'down' }, { status: 500 })
    }
    const response = await fetch(url, init)
    return url.includes('/traces') ? refuse(await response.text()) : response
  }
}

/** Lets one wallet pay three invoices in USDT, and three in coins, in one batch. */
async function payInOneBatch(shop: Shop): Promise<string[]> {
  const { usdt, merchant } = shop
  const payer = await shop.payer('v5')
  const batch: MessageRelaxed[] = []
  const references: string[] = []
  for (let number = 0; number < 3; number++) {
    const rawAmount = 2_000_000n + BigInt(number >> 1)
    const { order } = await shop.open({ asset: usdt.master.toString(), rawAmount })
    const coins = await shop.open({ asset: 'TON', rawAmount: toNano(1) })
    const { address: from } = payer
    const forwardPayload = comment(order.reference)
    batch.push(
      usdt.transferMessage({
        from,
        to: merchant.address,
        amount: rawAmount,
        response: from,
        forwardCoins: 1n,
        forwardPayload,
      }),
      internal({
        to: merchant.address,
        value: toNano(1),
        bounce: false,
        body: comment(coins.order.reference),
      }),
    )
    references.push(order.reference, coins.order.reference)
  }
  await payer.send(batch)
  return references.toSorted()
}

const REFUSALS = [
  ['returns without transactions', withoutTransactions],
  ['returns with too many bytes', tooLong],
] as const
const PROOFS: [string, InvoiceShopOptions][] = [
  ['with a proof', {}],
  ['without a proof', { payments: { verifyOnChain: undefined } }],
]
const CASES = REFUSALS.flatMap(([how, refuse]) =>
  PROOFS.map(([proof, options]) => ({ how, refuse, proof, options })),
)

describe('a trace that the index refuses for its size', () => {
  it.each(CASES)(
    'pays each of its orders once when it $how, $proof',
    async ({ refuse, options }) => {
      const shop = await openInvoices({ ...options, fetch: refusing(refuse) })
      const references = await payInOneBatch(shop)
      expect(await shop.look()).toEqual(references.map(() => 'paid'))
      expect(await shop.look()).toEqual([])
      await shop.watch().run()
      expect([shop.paid.toSorted(), shop.events]).toEqual([references, []])
    },
  )

  it.each(['/messages', '/transactions?hash'])(
    'pays its orders later when a request for its parts fails (%s)',
    async (failing) => {
      const shop = await openInvoices({ fetch: refusing(withoutTransactions, failing) })
      const references = await payInOneBatch(shop)
      for (let looks = 0; looks < 4; looks++) await shop.look()
      expect([shop.paid.toSorted(), shop.events]).toEqual([references, []])
    },
  )
})
