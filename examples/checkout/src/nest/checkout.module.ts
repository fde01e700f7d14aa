import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common'
import { TonplugModule } from '@tonplug/nestjs'
import {
  postgresInbox,
  postgresOrderRepository,
  type PostgresOrderRepository,
} from '@tonplug/postgres'
import { expireOrders } from '../expire-orders.js'
import type { ShopSettings } from '../shop.js'
import { HealthController } from './health.controller.js'
import { OrdersController } from './orders.controller.js'
import { ShippingService } from './shipping.service.js'
import { ORDERS, SETTINGS } from './tokens.js'

/** A shop that is paid without a gateway. */
@Module({})
export class CheckoutModule implements OnApplicationBootstrap, OnModuleDestroy {
  private stopExpiry = (): void => undefined

  constructor(@Inject(ORDERS) private readonly orders: PostgresOrderRepository) {}

  static register(settings: ShopSettings): DynamicModule {
    const { db, wallet, chain, stream, terms } = settings
    const orders = postgresOrderRepository(db)
    return {
      module: CheckoutModule,
      imports: [
        TonplugModule.forRoot({
          ...chain,
          payments: {
            orders,
            inbox: postgresInbox(db),
            wallets: [wallet],
            amounts: terms.amounts,
          },
          watcher: { stream },
        }),
      ],
      controllers: [OrdersController, HealthController],
      providers: [
        ShippingService,
        { provide: SETTINGS, useValue: settings },
        { provide: ORDERS, useValue: orders },
      ],
    }
  }

  onApplicationBootstrap(): void {
    this.stopExpiry = expireOrders(this.orders)
  }

  onModuleDestroy(): void {
    this.stopExpiry()
  }
}
