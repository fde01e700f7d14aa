import { Module } from '@nestjs/common'
import { postgresCursor } from '@tonplug/postgres'
import { DataSource } from 'typeorm'
import { typeormOrderRepository } from '../orders/order-repository.js'
import { queryableOf, typeormInbox } from './inbox.js'

/** The injection token of the order repository. */
export const ORDERS = Symbol('orders')
/** The injection token of the inbox. */
export const INBOX = Symbol('inbox')
/** The injection token of the watcher's cursor. */
export const CURSOR = Symbol('cursor')

/** Provides the stores of payments in the shop's database. */
@Module({
  providers: [
    {
      provide: ORDERS,
      inject: [DataSource],
      useFactory: (source: DataSource) => typeormOrderRepository(source.manager),
    },
    { provide: INBOX, inject: [DataSource], useFactory: typeormInbox },
    {
      provide: CURSOR,
      inject: [DataSource],
      useFactory: (source: DataSource) => postgresCursor(queryableOf(source)),
    },
  ],
  exports: [ORDERS, INBOX, CURSOR],
})
export class PaymentStoresModule {}
