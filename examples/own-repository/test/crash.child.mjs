// A receiver over the compiled shop's database, which stops for ever in the middle of a transaction: the order is
// completed in it, and the decision about its delivery is not recorded. Its parent kills it there.
import { createWebhookReceiver } from '@tonplug/core'
import { postgresInbox } from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { openDatabase } from '../dist/database.js'
import { transactionsOf } from '../dist/inbox.js'
import { drizzleOrderRepository } from '../dist/order-repository.js'
import { orders } from '../dist/schema.js'

const { folder, secret, reference } = JSON.parse(process.argv[2])
const { client, db } = await openDatabase(folder)
const inTransaction = transactionsOf(db)
const never = () => new Promise(() => undefined)

const receiver = createWebhookReceiver({
  secrets: secret,
  orders: drizzleOrderRepository(db),
  inbox: postgresInbox(client, {
    withTransaction: (work) =>
      inTransaction((transaction) =>
        work({
          orders: {
            ...transaction.orders,
            complete: async (...args) => {
              process.send(await transaction.orders.complete(...args))
              return never()
            },
          },
          db: { query: never },
        }),
      ),
  }),
})
const price = { rawAmount: 10_500_000_000n, asset: 'TON' }
await db.insert(orders).values({ reference, item: 'cap', status: 'pending', ...price })
const { body, headers } = signPayload(transferCompleted({ reference }), secret)
await receiver.receive({ method: 'POST', headers, rawBody: body })
