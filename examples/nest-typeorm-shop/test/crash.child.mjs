// The compiled shop, which stops in the middle of a transaction: the order is completed, and the decision about its report is
// not recorded. The parent process kills it there.
import { Test } from '@nestjs/testing'
import { postgresInbox } from '@tonplug/postgres'
import { DataSource } from 'typeorm'
import { openDatabase } from '../dist/database.js'
import { queryableOf, transactionsOf } from '../dist/payments/inbox.js'
import { INBOX } from '../dist/payments/payment-stores.module.js'
import { ShopModule } from '../dist/shop.module.js'

const { settings, secret } = JSON.parse(process.argv[2])
const database = await openDatabase(settings)

function holdingInbox(source) {
  const inTransaction = transactionsOf(source)
  return postgresInbox(queryableOf(source), {
    withTransaction: (work) =>
      inTransaction(({ orders }) =>
        work({ orders: { ...orders, complete: holdAfter(orders.complete) }, db: { query: never } }),
      ),
  })
}

function holdAfter(complete) {
  return async (...args) => {
    process.send({ transition: await complete(...args) })
    return never()
  }
}

function never() {
  return new Promise(() => undefined)
}

const testing = await Test.createTestingModule({
  imports: [ShopModule.register({ secret, database })],
})
  .overrideProvider(INBOX)
  .useFactory({ factory: holdingInbox, inject: [DataSource] })
  .compile()
const app = testing.createNestApplication({ logger: false })
await app.listen(0, '127.0.0.1')
process.send({ url: await app.getUrl() })
