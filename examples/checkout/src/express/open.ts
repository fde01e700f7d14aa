import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Router } from 'express'
import { expireOrders } from '../expire-orders.js'
import { reportDecisions } from '../report-decisions.js'
import type { ShopServer, ShopSettings } from '../shop.js'
import { orderRoutes } from './order-routes.js'
import { createExpressShop } from './server.js'

/** Opens the shop on Express. @param routers are served beside it */
export function openExpressShop(settings: ShopSettings, ...routers: Router[]): ShopServer {
  const { app, close, ...shop } = createExpressShop(settings)
  app.use(orderRoutes(shop, settings), ...routers)
  const stopExpiry = expireOrders(shop.orders)
  reportDecisions(shop.payments, settings.decisionsUrl)
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
