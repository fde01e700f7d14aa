import { isTonplugError } from '@tonplug/core'
import type { PostgresOrderRepository } from '@tonplug/postgres'
import express, { Router } from 'express'
import { tonConnectRequest, type CreateInvoice } from '../ton-connect-request.js'

/** Returns the route that creates the TON Connect request for the wallet of a payer. */
export function tonConnect(orders: PostgresOrderRepository, create: CreateInvoice): Router {
  const router = Router()
  router.post(
    '/orders/:reference/ton-connect',
    express.json(),
    async ({ params, body }, response) => {
      const order = await orders.find({ reference: params['reference'] })
      try {
        const request = await tonConnectRequest(order, body?.sender, create)
        if (request === undefined) response.sendStatus(404)
        else response.json(request)
      } catch (error) {
        if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_ADDRESS') throw error
        response.sendStatus(400)
      }
    },
  )
  return router
}
