import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulatedChain } from '../src/simulated-chain.js'
import { openEvents } from './harness.js'

/** The shop takes seconds to start, a minute on a busy machine. */
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** Starts the compiled shop. */
function start(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('the compiled shop', () => {
  test.each(['express', 'nest'])('S52 runs on %s, and exits with 0 on SIGTERM', async (server) => {
    const child = start({ SERVER: server })
    let url: string | undefined
    for await (const line of createInterface({ input: child.stdout! })) {
      url = /^Checkout at (http:\S+), paid on a simulated chain$/.exec(line)?.[1]
      if (url !== undefined) break
    }
    const created = await fetch(`${url}/orders`, { method: 'POST' })
    expect(created.status).toBe(201)
    // The response of the shop.
    const { reference } = (await created.json()) as { reference: string }
    const events = await openEvents(url ?? '', reference)
    expect(await events.next()).toBe('waiting')

    child.kill('SIGTERM')

    expect(await once(child, 'exit')).toEqual([0, null])
    await expect(events.next()).rejects.toThrow('the stream has ended')
  })

  test('is paid on the server at TONCENTER_URL, in the coin of USDT_MASTER', async () => {
    const chain = await startSimulatedChain()
    onTestFinished(() => chain.close())
    const { simulator, buyer, usdt, settings } = chain
    const environment = { TONCENTER_URL: simulator.url, USDT_MASTER: usdt, NETWORK: 'testnet' }
    const child = start({ ...environment, SHOP_WALLET: settings.wallet })
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    const { value: first } = await lines.next()
    const [, url, name] = /^Checkout at (http:\S+), paid on (\S+)$/.exec(String(first)) ?? []
    expect(name).toBe(simulator.url)
    const created = await fetch(`${url}/orders`, { method: 'POST' })
    // The response of the shop.
    const { reference, offers } = (await created.json()) as {
      reference: string
      offers: { link: string }[]
    }

    await buyer.pay(offers[1]!.link)

    expect(await lines.next()).toMatchObject({ value: `${reference} is paid` })
  })

  test('exits with 1 for a wallet of another network', async () => {
    const wallet = 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe'
    const child = start({ SHOP_WALLET: wallet, NETWORK: 'testnet' })
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output).toContain('NETWORK is "testnet", but SHOP_WALLET is an address of mainnet')
  })
})
