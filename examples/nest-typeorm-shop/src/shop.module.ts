import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import type { Inbox, OrderRepository } from '@tonplug/core'
import { TonplugModule } from '@tonplug/nestjs'
import type { Database } from './database.js'
import { CreateTables1767614400000 } from './orders/create-tables.js'
import { OrderEntity } from './orders/order.entity.js'
import { OrdersController } from './orders/orders.controller.js'
import { Parcels } from './payments/parcels.js'
import { INBOX, ORDERS, PaymentStoresModule } from './payments/payment-stores.module.js'
import { PaymentsController } from './payments/payments.controller.js'

/** What the shop is told from outside. */
export interface ShopSettings {
  /** The webhook secret of the merchant dashboard. */
  secret: string
  database: Pick<Database, 'url' | 'poolSize'>
}

/** The whole shop. */
@Module({})
export class ShopModule {
  static register({ secret, database: { url, poolSize } }: ShopSettings): DynamicModule {
    return {
      module: ShopModule,
      imports: [
        TypeOrmModule.forRoot({
          type: 'postgres',
          url,
          poolSize,
          entities: [OrderEntity],
          migrations: [CreateTables1767614400000],
          migrationsRun: true,
        }),
        TonplugModule.forRootAsync({
          imports: [PaymentStoresModule],
          inject: [ORDERS, INBOX],
          useFactory: (orders: OrderRepository, inbox: Inbox) => ({
            network: 'testnet',
            webhook: { secrets: secret, orders, inbox },
          }),
        }),
      ],
      controllers: [OrdersController, PaymentsController],
      providers: [Parcels],
    }
  }
}
