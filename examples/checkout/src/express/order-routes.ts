import { createInvoice, type Payments } from '@tonplug/core'
import type { V3Client } from '@tonplug/core/toncenter'
import type { PostgresOrder, PostgresOrderRepository } from '@tonplug/postgres'
import express, { Router } from 'express'
import type { ShopSettings } from '../shop.js'
import {
  findOrder,
  findRest,
  isAddressError,
  receiptOf,
  tonConnectRequest,
} from '../stored-order.js'

interface Shop {
  orders: PostgresOrderRepository
  payments: Payments<PostgresOrder>
  v3: V3Client
}

/** Returns the routes of a stored order: its state, the rest to pay, and the TON Connect request for a payer. */
export function orderRoutes(
  { orders, payments, v3 }: Shop,
  { wallet, explorer }: Pick<ShopSettings, 'wallet' | 'explorer'>,
): Router {
  const router = Router()
  router.get('/orders/:reference', async ({ params: { reference } }, response) => {
    const order = await findOrder(orders, reference)
    if (order === null) response.sendStatus(404)
    else response.json(receiptOf(order, explorer))
  })
  router.get('/orders/:reference/rest', async ({ params: { reference } }, response) => {
    const rest = await findRest({ payments, reference, v3 })
    if (rest === undefined) response.sendStatus(404)
    else response.json(rest)
  })
  router.post(
    '/orders/:reference/ton-connect',
    express.json(),
    async ({ params, body }, response) => {
      const order = await findOrder(orders, params.reference)
      try {
        const request = await tonConnectRequest(order, body, (stored) =>
          createInvoice({ ...stored, wallet, v3 }),
        )
        if (request === undefined) response.sendStatus(404)
        else response.json(request)
      } catch (error) {
        if (!isAddressError(error)) throw error
        response.sendStatus(400)
      }
    },
  )
  return router
}
