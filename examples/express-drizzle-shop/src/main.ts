import { fileURLToPath } from 'node:url'
import { createV3Client, type Network } from '@tonplug/core'
import { openDatabase } from './database.js'
import { createShop } from './shop.js'

const { DATABASE_URL, DATA_DIR, PORT, TONPAY_WEBHOOK_SECRET: secret = '' } = process.env
const { SHOP_WALLET, FIND_ON_CHAIN, TONCENTER_API_KEY } = process.env
const folder = DATA_DIR || fileURLToPath(new URL('../.tonplug', import.meta.url))
const database = await openDatabase({ url: DATABASE_URL, folder })
// Throws for what is neither mainnet nor testnet.
const network = (FIND_ON_CHAIN || undefined) as Network | undefined
const v3 = network && createV3Client({ network, apiKey: TONCENTER_API_KEY || undefined })
const shop = createShop({ database, secret, wallet: SHOP_WALLET || undefined, v3 })
const port = Number(PORT || 3000)
const server = shop.app.listen(port, '127.0.0.1', (error) => {
  // Express hands the callback what kept it from listening, too.
  if (error !== undefined) throw error
  console.log(`Shop on http://localhost:${port}`)
})

const shutDown = async (): Promise<void> => {
  server.close()
  await shop.close()
  server.closeAllConnections()
  // The database goes last: closing waits for handlers that are running.
  await database.close()
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void shutDown())
