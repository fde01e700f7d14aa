import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInvoice } from '@tonplug/core'
import type { Router } from 'express'
import { expireOrders } from '../expire-orders.js'
import type { ShopServer, ShopSettings } from '../shop.js'
import { createExpressShop } from './server.js'
import { tonConnect } from './ton-connect.js'

/** Opens the shop on Express. @param routers are served beside it */
export function openExpressShop(settings: ShopSettings, ...routers: Router[]): ShopServer {
  const { app, orders, v3, close } = createExpressShop(settings)
  const { wallet } = settings
  app.use(
    tonConnect(orders, (request) => createInvoice({ ...request, wallet, v3 })),
    ...routers,
  )
  const stopExpiry = expireOrders(orders)
  const server = createServer(app)
  return {
    async listen(port) {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      // A server on a port has no other kind of address.
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    async close() {
      stopExpiry()
      server.close()
      await close()
      server.closeAllConnections()
    },
  }
}
