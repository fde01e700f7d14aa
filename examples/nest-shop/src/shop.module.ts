import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { TonplugModule } from '@tonplug/nestjs'
import { DevelopmentModule } from './development/development.module.js'
import { Checkout } from './orders/checkout.js'
import { Journal } from './orders/journal.js'
import { OrderViews } from './orders/order-views.js'
import { OrdersController } from './orders/orders.controller.js'
import { ORDERS, OrdersModule } from './orders/orders.module.js'
import type { ShopOrders } from './orders/shop-order.js'
import { PaymentGateway } from './payments/payment-gateway.js'
import { PaymentsController } from './payments/payments.controller.js'
import { Shipping } from './payments/shipping.js'
import type { Settings } from './settings.js'

/** The whole shop. */
@Module({})
export class ShopModule {
  /** The shop with these settings. */
  static register(settings: Settings): DynamicModule {
    const { webhookSecret, isDevelopment, wallet, chain, apiKey } = settings
    const isOnChain = chain !== undefined
    return {
      module: ShopModule,
      imports: [
        OrdersModule,
        TonplugModule.forRootAsync({
          imports: [OrdersModule],
          inject: [ORDERS],
          useFactory: (orders: ShopOrders) => ({
            ...(chain ?? { network: 'testnet' }),
            apiKey,
            webhook: {
              secrets: webhookSecret,
              orders,
              recipients: wallet === undefined ? undefined : [wallet],
              verifyOnChain: isOnChain,
              reconcile: isOnChain,
            },
          }),
        }),
        ...(isDevelopment ? [DevelopmentModule.register(webhookSecret)] : []),
      ],
      controllers: [OrdersController, PaymentsController],
      providers: [Checkout, Journal, OrderViews, PaymentGateway, Shipping],
    }
  }
}
