import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { getPaymentsToken } from '@tonplug/nestjs'
import type { Router } from 'express'
import { checkoutPage } from '../page.js'
import { reportDecisions } from '../report-decisions.js'
import type { ShopServer, ShopSettings } from '../shop.js'
import { CheckoutModule } from './checkout.module.js'

/** Opens the shop on Nest. @param routers are served beside it */
export async function openNestShop(
  settings: ShopSettings,
  ...routers: Router[]
): Promise<ShopServer> {
  const app = await NestFactory.create<NestExpressApplication>(CheckoutModule.register(settings), {
    logger: ['warn', 'error'],
    forceCloseConnections: true,
  })
  app.use(checkoutPage(settings), ...routers)
  reportDecisions(app.get(getPaymentsToken()), settings.decisionsUrl)
  return {
    async listen(port) {
      await app.listen(port, '127.0.0.1')
      return app.getUrl()
    },
    close: () => app.close(),
  }
}
