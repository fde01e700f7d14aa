import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@tonplug/postgres'
import { openExpressShop } from './express/open.js'
import { openNestShop } from './nest/open.js'
import { openChain } from './open-chain.js'
import { ADD_UP, type ShopTerms } from './shop.js'

const envFile = fileURLToPath(new URL('../.env', import.meta.url))
if (existsSync(envFile)) loadEnvFile(envFile)

const { SERVER, PORT, SHOP_WALLET, TONCENTER_URL } = process.env
const open = SERVER === 'nest' ? openNestShop : openExpressShop
const chain = await openChain(process.env)
// Orders of a simulated chain, here or in `tonplug dev`, end with this process.
const isStored = Boolean(SHOP_WALLET) && !TONCENTER_URL
const data = fileURLToPath(new URL('../.tonplug', import.meta.url))
const database = await openDatabase({ folder: isStored ? data : 'memory://' })
const terms: ShopTerms = {
  amounts: ADD_UP,
  onPaid: ({ order }) => console.log(`${order.reference} is paid`),
}
const shop = await open({ ...chain.settings, db: database.db, terms }, ...chain.routers)
console.log(`Checkout at ${await shop.listen(Number(PORT || 3000))}, paid on ${chain.name}`)

async function shutDown(): Promise<void> {
  await shop.close()
  await Promise.all([database.close(), chain.close()])
}
process.once('SIGTERM', () => void shutDown())
process.once('SIGINT', () => void shutDown())
