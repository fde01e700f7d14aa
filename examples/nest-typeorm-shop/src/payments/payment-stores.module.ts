import { Module } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { typeormOrderRepository } from '../orders/order-repository.js'
import { typeormInbox } from './inbox.js'

/** The injection token of the repository that the receiver reads orders from. */
export const ORDERS = Symbol('orders')
/** The injection token of its inbox. */
export const INBOX = Symbol('inbox')

/** What the receiver stores in the shop's database. */
@Module({
  providers: [
    {
      provide: ORDERS,
      inject: [DataSource],
      useFactory: (source: DataSource) => typeormOrderRepository(source.manager),
    },
    { provide: INBOX, inject: [DataSource], useFactory: typeormInbox },
  ],
  exports: [ORDERS, INBOX],
})
export class PaymentStoresModule {}
