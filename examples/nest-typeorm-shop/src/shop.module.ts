import { Module, type DynamicModule } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { TonplugModule, type TonplugOptions } from '@tonplug/nestjs'
import { DataSource } from 'typeorm'
import { CreateTables1767614400000 } from './orders/create-tables.js'
import { OrderEntity } from './orders/order.entity.js'
import { OrdersController } from './orders/orders.controller.js'
import { Parcels } from './payments/parcels.js'
import { paymentStores } from './payments/payment-stores.js'
import { PaymentsController } from './payments/payments.controller.js'

/** Settings of the shop. */
export interface ShopSettings {
  secret: string
  /** The wallet that receives payments; without it any wallet is accepted. */
  wallet?: string | undefined
  /** The chain on which payments without a webhook are found; requires `wallet`. */
  chain?: Pick<TonplugOptions, 'network' | 'baseUrl' | 'apiKey'> | undefined
  database: { url: string; poolSize: number }
}

/** The whole shop. */
@Module({})
export class ShopModule {
  static register({ secret, wallet, chain, database }: ShopSettings): DynamicModule {
    return {
      module: ShopModule,
      imports: [
        TypeOrmModule.forRoot({
          type: 'postgres',
          ...database,
          // If the database host disappears, connections hang. Shorter than the receiver's deadline of 8 seconds.
          connectTimeoutMS: 5000,
          extra: { keepAlive: true, query_timeout: 6000 },
          entities: [OrderEntity],
          migrations: [CreateTables1767614400000],
          migrationsRun: true,
        }),
        TonplugModule.forRootAsync({
          inject: [DataSource],
          useFactory: (source: DataSource) => {
            const { orders, inbox, cursor } = paymentStores(source)
            return {
              ...(chain ?? { network: 'testnet' }),
              payments: { orders, inbox, wallets: wallet === undefined ? undefined : [wallet] },
              webhook: { secrets: secret },
              // Webhooks report most payments; the watcher finds those that they missed.
              watcher: chain === undefined ? false : { cursor, minIntervalMs: 60_000 },
            }
          },
        }),
      ],
      controllers: [OrdersController, PaymentsController],
      providers: [Parcels],
    }
  }
}
