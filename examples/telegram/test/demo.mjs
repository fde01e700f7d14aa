// Runs the shop without a token: with a fake Telegram, which prints the chat, and on a simulated chain.
import { createInterface } from 'node:readline'
import { createChainSimulator } from '@tonplug/simulator'
import { FakeTelegram } from './fake-telegram.ts'

const USER = 1
const telegram = new FakeTelegram()
const chain = await createChainSimulator({ now: () => Math.floor(Date.now() / 1000) })
const [shop, buyer] = [await chain.createWallet({ balance: 0n }), await chain.createWallet()]
const port = process.env.PORT || '3000'
Object.assign(process.env, {
  BOT_TOKEN: telegram.token,
  BOT_API: await telegram.listen(),
  PUBLIC_URL: `http://localhost:${port}`,
  // Test-only, so that wallet apps never pay real coins to it.
  SHOP_WALLET: shop.address.toString({ bounceable: false, testOnly: true }),
  TONCENTER_URL: chain.url,
  DATA_DIR: 'memory://',
  PORT: port,
})

let address
telegram.onText = (message) => {
  console.log(`\nThe bot writes: ${message.text}`)
  if (message.button === undefined) return
  address = new URL(telegram.open(USER, message))
  console.log(`Its button opens ${address}\nPress Enter to pay with a simulated wallet.`)
}

/** Pays the newest order of the chat. */
async function pay() {
  const order = address.searchParams.get('order')
  const headers = { authorization: `tma ${telegram.initData(USER)}` }
  const invoice = await fetch(`${address.origin}/orders/${order}`, { headers })
  await buyer.pay((await invoice.json()).link)
}

// Nothing is stored, so it ends at once.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit())
createInterface({ input: process.stdin }).on('line', () => address && void pay())
telegram.write(USER, '/buy')
await import('../dist/main.js')
