import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import { createPaymentProof, systemClock } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { openDatabase } from '@tonplug/postgres'
import { createDevelopmentGateway } from './development-gateway.js'
import { listen } from './listen.js'
import { createShop } from './shop.js'
import { openStores } from './stores.js'

const envFile = fileURLToPath(new URL('../.env', import.meta.url))
if (existsSync(envFile)) loadEnvFile(envFile)

const { PORT, TONPAY_WEBHOOK_SECRET, NODE_ENV, DATABASE_URL, DATA_DIR } = process.env
const { SHOP_WALLET, VERIFY_ON_CHAIN, TONCENTER_API_KEY } = process.env
const port = PORT === undefined || PORT === '' ? 3000 : Number(PORT)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  fail(`PORT is ${JSON.stringify(PORT)}; set it to a number from 0 (any free port) to 65535`)
}
const isProduction = NODE_ENV === 'production'
if (isProduction && !TONPAY_WEBHOOK_SECRET) {
  fail('Set TONPAY_WEBHOOK_SECRET to the webhook secret of the merchant dashboard')
}
// Without the dashboard's secret, only the development gateway of this process can sign.
const secret = TONPAY_WEBHOOK_SECRET || `whsec_${randomBytes(24).toString('hex')}`

// Payments are proven on this network before shipping, and found there when their webhook was lost. Simulated payments are
// on no network.
const network = VERIFY_ON_CHAIN || undefined
if (network !== undefined && network !== 'mainnet' && network !== 'testnet') {
  fail(`VERIFY_ON_CHAIN is ${JSON.stringify(network)}; set it to mainnet or testnet, or omit it`)
}
if (network !== undefined && !SHOP_WALLET) {
  fail('Set SHOP_WALLET to the wallet that receives payments; VERIFY_ON_CHAIN requires it')
}
const v3 = network && createV3Client({ network, apiKey: TONCENTER_API_KEY || undefined })

// PostgreSQL serves any number of these processes; the folder of PGlite serves one at a time.
const folder = DATA_DIR || fileURLToPath(new URL('../.tonplug', import.meta.url))
const place = DATABASE_URL ? 'the PostgreSQL of DATABASE_URL' : `PGlite in ${folder}`
const database = await openDatabase({ url: DATABASE_URL, folder }).catch(failToOpen)
const stores = await openStores(database.db, { clock: systemClock }).catch(failToOpen)

let url = ''
const webhookUrl = () => `${url}/webhooks/ton`
const shop = createShop({
  secret,
  stores,
  wallets: SHOP_WALLET ? [SHOP_WALLET] : undefined,
  verifyOnChain: v3 && createPaymentProof({ v3 }),
  v3,
  gateway: isProduction ? undefined : createDevelopmentGateway({ secret, webhookUrl }),
})
const server = await listen(shop, port).catch((error: Error) =>
  fail(`Cannot listen on port ${port}: ${error.message}. Set PORT to another one`),
)
url = server.url
console.log(`The shop is open at ${url}, its webhook at ${webhookUrl()}`)
console.log(`Orders and inbox are in ${place}`)
if (network !== undefined) console.log(`Payments are proven and found on ${network}`)
if (!isProduction)
  console.log('Order pages can simulate payments, because NODE_ENV is not production')

let isClosing = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // The second signal ends the process at once.
    if (isClosing) process.exit(1)
    isClosing = true
    console.log(`${signal}: waiting for running work`)
    void close()
  })
}

async function close(): Promise<void> {
  await server.close()
  await database.close()
  console.log('The shop is closed')
}

function failToOpen(error: Error): never {
  return fail(`Cannot open ${place}: ${error.message}`)
}

function fail(problem: string): never {
  console.error(problem)
  process.exit(1)
}
