import { createPaymentVerifier, type PaymentsOptions } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { rootOf } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { SECRET } from '../shop.js'
import {
  gatewayBody,
  openPaidChain,
  orderOf,
  recipient,
  type PaidChain,
} from '../watcher/paid-chain.js'

/** The places of transactions in a jetton payment. */
const NAMED = { 'payer’s jetton wallet': 1, 'shop’s jetton wallet': 2, 'last account': -1 }

/** Opens a shop that is paid in a jetton, whose webhooks name a transaction, but not the trace. */
async function openShop(names: keyof typeof NAMED, payments: Partial<PaymentsOptions> = {}) {
  const shop = await openPaidChain([], { payments })
  const { bodyBase64Hash: _, ...order } = orderOf('order-1', gatewayBody(1))
  shop.orders.add({ ...order, rawAmount: 100n, asset: shop.jetton })
  const payAndDeliver = async () => {
    const body = await shop.payJetton(1, 100n, 'order-1')
    const last = shop.chain.transactions.at(-1)
    if (last === undefined) throw new TypeError('nothing was paid')
    const root = rootOf(last)
    const trace = shop.chain.transactions.filter((one) => rootOf(one) === root)
    const payload = transferCompleted({
      reference: 'order-1',
      rawAmount: '100',
      asset: shop.jetton,
      senderAddr: root.address.toRawString(),
      recipientAddr: recipient,
      bodyBase64Hash: body.hash().toString('base64'),
      txHash: trace.at(NAMED[names])?.transaction.hash().toString('hex') ?? '',
      traceId: '',
    })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    await shop.receiver.receive({ headers, rawBody })
  }
  return { ...shop, payAndDeliver }
}

async function expectOneUse({ inbox, payments, v3 }: PaidChain): Promise<void> {
  const key = { name: 'default', merchant: '', reference: 'order-1' }
  const [credit] = await inbox.credits.listOf(key)
  expect(credit?.uses).toMatchObject([{ ...key, kind: 'order', rawAmount: 100n }])
  const operator = createOperator({ payments, v3 })
  const transactionHash = credit?.txHash ?? ''
  expect(await operator.refund({ transactionHash }, { by: 'ann' })).toMatchObject({
    state: 'rejected',
  })
}

it.each(Object.keys(NAMED) as (keyof typeof NAMED)[])(
  'S119 uses one payment once for a webhook that names the transaction of the %s without its trace',
  async (names) => {
    const shop = await openShop(names)
    await shop.payAndDeliver()
    await shop.wait(120)
    await shop.look()
    expect(shop.events).toEqual(['onPaid order-1 webhook'])
    await expectOneUse(shop)
  },
)

it('S119 reports a proven payment once whose webhook does not name its trace', async () => {
  const verifyOnChain: PaymentsOptions['verifyOnChain'] = {
    deadlineMs: 60_000,
    verify: (claim, options) => createPaymentVerifier({ v3: shop.v3 }).verify(claim, options),
  }
  const shop = await openShop('last account', { verifyOnChain })
  await shop.payAndDeliver()
  await expect.poll(async () => (await shop.wait(1), shop.events)).toHaveLength(1)
  await shop.look()
  expect(shop.events).toEqual(['onPaid order-1 webhook'])
  await expectOneUse(shop)
})

it('S119 reports the second of two equal payments whose webhooks name no trace', async () => {
  const shop = await openShop('last account')
  await shop.payAndDeliver()
  await shop.payAndDeliver()
  await shop.wait(120)
  await shop.look()
  expect(shop.events).toEqual(['onPaid order-1 webhook', 'onExtraPayment order-1'])
})
