import { Address, internal } from '@ton/core'
import type { Fetch } from '@tonplug/core/toncenter'
import { expect, it } from 'vitest'
import { createPayer } from '../proof/payer.js'
import { gatewayBody, openPaidChain, orderOf, recipient } from './paid-chain.js'

/** An index that does not tell a field of its traces. @param list the list that lacks it; all of them when omitted */
function without(field: string, list?: string): Fetch {
  return async (url, init) => {
    const response = (await fetch(url, init)) as Response
    if (!String(url).includes('/traces')) return response
    const hide = (name: string, value: unknown) => (name === field ? null : value)
    const hideIn = (name: string, value: unknown) =>
      name === list ? JSON.parse(JSON.stringify(value), hide) : value
    const text = await response.text()
    return Response.json(JSON.parse(text, list === undefined ? hide : hideIn))
  }
}

it.each([
  ['which message was returned', 'bounced'],
  ['why it was returned', 'bounce'],
])(
  'S96 does not find a payment that bounced, though the index does not tell %s',
  async (_, field) => {
    const orders = [orderOf('order-1', gatewayBody(1))]
    const shop = await openPaidChain(orders, { fetch: without(field) })
    const payer = await createPayer(shop.chain, 80)
    const payment = { value: 1_000_000_000n, bounce: true, body: gatewayBody(1) }
    await payer.send([internal({ to: Address.parse(recipient), ...payment })])
    await shop.wait(10)
    await shop.look()
    expect(shop.events).toEqual([])
  },
)

it('finds a payment whose body the index tells only where it was received', async () => {
  const order = { ...orderOf('order-1', gatewayBody(1)), bodyBase64Hash: undefined }
  const fetch = without('message_content', 'out_msgs')
  const shop = await openPaidChain([order], { fetch })
  await shop.pay(1, { body: 'order-1' })
  await shop.wait(10)
  await shop.look()
  expect(shop.events).toEqual(['onPaid order-1 chain'])
})
