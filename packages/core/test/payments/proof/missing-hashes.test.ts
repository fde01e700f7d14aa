import { memoryOrderRepository, type Order } from '@tonplug/core'
import { expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { scriptedProof } from './scripted-proof.js'

const WARNING = /^orders have no bodyBase64Hash/
const bodyBase64Hash = 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQuRUvYGlw='

function warnings({ logger }: ReturnType<typeof openShop>): string[] {
  return logger.lines.flatMap(({ level, message }) =>
    level === 'warn' && WARNING.test(message) ? [message] : [],
  )
}

it('S82 warns at start when proofs are enabled and no open order has a body hash', async () => {
  const shop = openShop([order()], { wallets: [], verifyOnChain: scriptedProof() })
  await shop.settle()
  expect(warnings(shop)).toHaveLength(1)
})

it.each([
  ['an order has one', [order(), order({ reference: 'order-2', bodyBase64Hash })], true],
  ['every order is closed', [order({ status: 'cancelled' })], true],
  ['proofs are disabled', [order()], false],
])('S82 does not warn of missing body hashes when %s', async (_when, orders, isProven) => {
  const proof = isProven ? { verifyOnChain: scriptedProof() } : {}
  const shop = openShop(orders, { wallets: [], ...proof })
  await shop.settle()
  expect(warnings(shop)).toEqual([])
})

it('S82 logs that open orders are not readable', async () => {
  const orders = memoryOrderRepository([order()])
  const shop = openShop([], {
    orders: {
      ...orders,
      async *listOpen() {
        yield await Promise.reject<Order>(new Error('connection refused'))
      },
    },
    wallets: [],
    verifyOnChain: scriptedProof(),
  })
  await shop.settle()
  expect(warnings(shop)).toEqual([])
  expect(shop.logger.lines).toContainEqual({
    level: 'warn',
    message: 'open orders not readable',
    fields: { error: expect.objectContaining({ message: 'connection refused' }) },
  })
})
