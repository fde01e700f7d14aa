import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import { freePort } from '@tonplug/test-support/free-port'
import { expect } from 'vitest'
import { FakeTelegram, type ChatMessage } from './fake-telegram.js'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The compiled shop, on a simulated chain and with a fake Telegram. */
export interface TestShop {
  url: string
  telegram: FakeTelegram
  buyer: SimulatedWallet
  /** Writes /buy, and waits for the order. */
  buy(user: number): Promise<TestOrder>
  /** Requests a route of an order as its page does. */
  call(reference: string, initData: string, route?: string, body?: object): Promise<Response>
  /** Stops the shop once. @returns its exit code */
  stop(): Promise<number | null>
}

/** An order in a chat. */
export interface TestOrder {
  reference: string
  message: ChatMessage
}

/** Starts a shop. Stop it at the end of the tests. */
export async function startShop(): Promise<TestShop> {
  const telegram = new FakeTelegram()
  const chain = await createChainSimulator({ now: () => Math.floor(Date.now() / 1000) })
  const [shop, buyer] = [await chain.createWallet({ balance: 0n }), await chain.createWallet()]
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    BOT_TOKEN: telegram.token,
    BOT_API: await telegram.listen(),
    PUBLIC_URL: url,
    SHOP_WALLET: shop.address.toString({ bounceable: false, testOnly: true }),
    TONCENTER_URL: chain.url,
    // With a key, ten requests per second.
    TONCENTER_API_KEY: 'test',
    DATA_DIR: 'memory://',
    PORT: String(port),
  }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'Write /buy to https://t.me/shop_bot') break
  }

  let stopped: Promise<number | null> | undefined
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    const [code] = (await exit) as [number | null]
    telegram.close()
    await chain.close()
    return code
  }
  const call: TestShop['call'] = (reference, initData, route = '', body) => {
    const headers = { authorization: `tma ${initData}`, 'content-type': 'application/json' }
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    return fetch(`${url}/orders/${reference}${route}`, { headers, ...sent })
  }
  return {
    url,
    telegram,
    buyer,
    call,
    async buy(user) {
      const chat = telegram.chat(user)
      const { length } = chat
      telegram.write(user, '/buy')
      await expect.poll(() => chat.length).toBe(length + 1)
      const message = chat[length]!
      const reference = new URL(message.button ?? '').searchParams.get('order') ?? ''
      const open = () => call(reference, telegram.initData(user))
      await expect.poll(async () => (await open()).status).toBe(200)
      return { reference, message }
    },
    async stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
