import { describe, expect, it } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

describe('a trace with payments of two orders', () => {
  it.each([gatewayBody(2), 'order-2'])(
    'is read again for the order that was stored later (%s)',
    async (body) => {
      const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
      await shop.wait(10)
      await shop.pay(1, { body: gatewayBody(1) }, { body })
      await shop.wait(10)
      expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
      shop.orders.add({
        ...orderOf('order-2', gatewayBody(2)),
        ...(typeof body === 'string' && { bodyBase64Hash: undefined }),
      })
      await shop.wait(60)
      await shop.look({ lookups: 0 })
      expect(shop.orders.all()).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
    },
  )

  it('reports the credit that names no order, once it is a minute old', async () => {
    const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))])
    await shop.wait(10)
    await shop.pay(1, { body: gatewayBody(1) }, { body: 'nothing' })
    await shop.wait(10)
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    await shop.wait(120)
    await shop.pay(9, { body: gatewayBody(9) })
    expect(await shop.look()).toMatchObject({ decisions: { unknown_order: 1 } })
    expect(await shop.look()).toMatchObject({ decisions: {} })
  })
})
