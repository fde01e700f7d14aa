import { openDatabase } from './database.js'
import { createShop } from './server.js'

const port = Number(process.env['PORT'] ?? 3000)
const database = await openDatabase(process.env['DATA_DIR'])
const { server, receiver } = createShop({
  db: database.db,
  client: database.client,
  secret: process.env['TONPAY_WEBHOOK_SECRET'] ?? '',
  onPaid: ({ order, payment }) => {
    console.log(`${order.item} is paid by transaction ${payment.txHash}: ship it`)
  },
})

server.listen(port, () => console.log(`Shop on http://localhost:${port}`))

const shutDown = async (): Promise<void> => {
  server.close()
  await receiver.close()
  await database.close()
}
process.once('SIGINT', () => void shutDown())
process.once('SIGTERM', () => void shutDown())
