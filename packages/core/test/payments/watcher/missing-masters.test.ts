import { Address, beginCell, toNano } from '@ton/core'
import { jettonMinter, transferBody, walletV4 } from '@tonplug/simulator'
import type { Fetch } from '@tonplug/core/toncenter'
import { expect, it } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const JETTON = /"(jetton|asset)":"0:[^"]*"/g

/** An index that has not found the masters of jetton wallets yet. */
const withoutMasters: Fetch = async (url, init) => {
  const response = (await fetch(url, init)) as Response
  if (!String(url).includes('/traces')) return response
  const text = await response.text()
  return new Response(text.replaceAll(JETTON, '"$1":""'), response)
}

it('finds a payment in a jetton without a master in the index', async () => {
  const shop = await openPaidChain([], { fetch: withoutMasters })
  await shop.wait(10)
  const body = await shop.payJetton(1, 5n)
  shop.orders.add(orderOf('order-1', body, { asset: shop.jetton, rawAmount: 5n }))
  await shop.wait(10)
  expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
})

it('finds a payment whose trace also moves a jetton without a master in the index', async () => {
  const order = { ...orderOf('order-1', beginCell().endCell()), bodyBase64Hash: undefined }
  const shop = await openPaidChain([order], { fetch: withoutMasters })
  await shop.payJetton(1, 5n)
  const payer = walletV4(1).wallet.address
  const minter = jettonMinter(walletV4(91).wallet.address)
  const slice = beginCell().storeAddress(payer).endCell()
  const { stack } = await shop.chain.runGetMethod(minter.address, 'get_wallet_address', [
    { type: 'slice', cell: slice },
  ])
  const [answer] = stack
  const payerWallet = answer?.type === 'slice' ? answer.cell.beginParse().loadAddress() : undefined
  const other = Address.parse(`0:${'7'.repeat(64)}`)
  const body = transferBody({ amount: 3n, to: other, response: payer, forwardCoins: 1n })
  await shop.wait(10)
  await shop.pay(1, { body: 'order-1' }, { to: payerWallet!, value: toNano('0.2'), body })
  await shop.wait(10)
  const report = await shop.look()
  expect(report).toMatchObject({ decisions: { paid: 1 } })
  expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
})

it.each([
  ['a jetton', (text: string) => text.replaceAll(JETTON, '"$1":"unreadable"')],
  [
    'the payer',
    (text: string) =>
      text.replaceAll(walletV4(1).wallet.address.toRawString().toUpperCase(), 'unreadable'),
  ],
])(
  'retries a payment whose trace has an unreadable address of %s, and finds the others',
  async (_, change) => {
    let isBroken = true
    const fault: Fetch = async (url, init) => {
      const response = (await fetch(url, init)) as Response
      if (!isBroken || !String(url).includes('/traces')) return response
      return new Response(change(await response.text()), response)
    }
    const shop = await openPaidChain([orderOf('order-2', gatewayBody(2))], { fetch: fault })
    await shop.wait(10)
    const body = await shop.payJetton(1, 5n)
    shop.orders.add(orderOf('order-1', body, { asset: shop.jetton, rawAmount: 5n }))
    await shop.pay(2, { body: gatewayBody(2) })
    await shop.wait(10)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, unsettled: 1 })
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'trace not processed; its transaction is retried',
      }),
    )
    isBroken = false
    await shop.wait(10)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 }, unsettled: 0 })
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['completed', 'completed'])
  },
)
