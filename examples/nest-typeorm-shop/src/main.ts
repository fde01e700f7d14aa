import { fileURLToPath } from 'node:url'
import { NestFactory } from '@nestjs/core'
import { openDatabase } from './database.js'
import { ShopModule } from './shop.module.js'

const { DATABASE_URL, DATA_DIR, PORT, TONPAY_WEBHOOK_SECRET: secret = '' } = process.env
const folder = DATA_DIR || fileURLToPath(new URL('../.tonplug', import.meta.url))
const database = await openDatabase({ url: DATABASE_URL, folder })
const app = await NestFactory.create(ShopModule.register({ secret, database }))
await app.listen(Number(PORT || 3000), '127.0.0.1')

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // The database goes last: closing waits for handlers that are running.
  process.once(signal, () => void app.close().then(() => database.close()))
}
