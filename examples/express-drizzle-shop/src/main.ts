import { fileURLToPath } from 'node:url'
import { openDatabase } from './database.js'
import { createShop } from './shop.js'

const { DATABASE_URL, DATA_DIR, PORT, TONPAY_WEBHOOK_SECRET: secret = '' } = process.env
const folder = DATA_DIR || fileURLToPath(new URL('../.tonplug', import.meta.url))
const database = await openDatabase({ url: DATABASE_URL, folder })
const { app, receiver } = createShop({ database, secret })
const port = Number(PORT || 3000)
const server = app.listen(port, '127.0.0.1', (error) => {
  // Express hands the callback what kept it from listening, too.
  if (error !== undefined) throw error
  console.log(`Shop on http://localhost:${port}`)
})

const shutDown = async (): Promise<void> => {
  server.close()
  await receiver.close()
  server.closeAllConnections()
  // The database goes last: closing waits for handlers that are running.
  await database.close()
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void shutDown())
