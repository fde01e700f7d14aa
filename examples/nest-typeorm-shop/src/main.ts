import { fileURLToPath } from 'node:url'
import { NestFactory } from '@nestjs/core'
import type { Network } from '@tonplug/core/toncenter'
import { openDatabase } from './database.js'
import { ShopModule } from './shop.module.js'

const { DATABASE_URL, DATA_DIR, PORT, TONPAY_WEBHOOK_SECRET: secret = '' } = process.env
const { SHOP_WALLET, FIND_ON_CHAIN, TONCENTER_API_KEY } = process.env
const folder = DATA_DIR || fileURLToPath(new URL('../.tonplug', import.meta.url))
const database = await openDatabase({ url: DATABASE_URL, folder })
// TonplugModule throws for another network.
const network = FIND_ON_CHAIN as Network | '' | undefined
const chain = network ? { network, apiKey: TONCENTER_API_KEY || undefined } : undefined
const wallet = SHOP_WALLET || undefined
const app = await NestFactory.create(ShopModule.register({ secret, wallet, chain, database }))
await app.listen(Number(PORT || 3000), '127.0.0.1')
console.log(`Shop on ${await app.getUrl()}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // Close the database last, because handlers that are still running use it.
  process.once(signal, () => void app.close().then(() => database.close()))
}
