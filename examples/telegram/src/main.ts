import { createServer } from 'node:http'
import { createPayments, createPaymentWatcher } from '@tonplug/core'
import { createV3Client, type Network } from '@tonplug/core/toncenter'
import { openDatabase, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { createBot, tellPaid, type Sale } from './bot.js'
import { createMiniApp } from './mini-app.js'
import { DATA_DIR, PORT, SHOP_WALLET, TONCENTER_API_KEY, TONCENTER_URL } from './settings.js'

const { db, close } = await openDatabase({ folder: DATA_DIR })
const orders = postgresOrderRepository<Sale>(db)
const bot = createBot(orders)
const payments = createPayments({
  orders,
  inbox: postgresInbox(db),
  wallets: [SHOP_WALLET],
  onPaid: ({ order }) => tellPaid(bot, order.data),
})
// Addresses on testnet begin with these letters.
const network: Network = /^[k0]Q/.test(SHOP_WALLET) ? 'testnet' : 'mainnet'
const chain = TONCENTER_URL ? { baseUrl: TONCENTER_URL } : { network }
const v3 = createV3Client({ ...chain, apiKey: TONCENTER_API_KEY || undefined })
const watcher = createPaymentWatcher({ payments, v3 })
watcher.start()
const server = createServer(createMiniApp(orders, payments, watcher)).listen(Number(PORT))

async function shutDown(): Promise<void> {
  server.close()
  await bot.stop()
  await watcher.close()
  await payments.close()
  await close()
  server.closeAllConnections()
}
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void shutDown())
// Ends when the bot is stopped.
await bot.start({
  onStart: ({ username }) => console.log(`Write /buy to https://t.me/${username}`),
})
