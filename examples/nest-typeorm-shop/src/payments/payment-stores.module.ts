import { Module } from '@nestjs/common'
import { postgresCursor } from '@tonplug/postgres'
import { DataSource } from 'typeorm'
import { typeormOrderRepository } from '../orders/order-repository.js'
import { queryableOf, typeormInbox } from './inbox.js'

/** The injection token of the repository that the receiver reads orders from. */
export const ORDERS = Symbol('orders')
/** The injection token of its inbox. */
export const INBOX = Symbol('inbox')
/** The injection token of what keeps how far the search for lost webhooks has come. */
export const CURSOR = Symbol('cursor')

/** What the receiver stores in the shop's database. */
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
