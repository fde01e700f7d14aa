import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@tonplug/postgres'
import { inject, onTestFinished } from 'vitest'
import { openExpressShop } from '../src/express/open.js'
import { openNestShop } from '../src/nest/open.js'
import { localExplorer } from '../src/local-explorer.js'
import { ADD_UP, coinsWith, pricingIn, type ShopSettings } from '../src/shop.js'
import { startSimulatedChain, type SimulatedChain } from '../src/simulated-chain.js'
import { testWallet } from '../src/test-wallet.js'

export const servers = { Express: openExpressShop, Nest: openNestShop }

/** A shop on a simulated chain. */
export interface ShopHarness {
  url: string
  settings: ShopSettings
  buyer: SimulatedChain['buyer']
  simulator: SimulatedChain['simulator']
  /** The references of the paid orders. */
  paid: string[]
  /** Stops the server, and starts another one on the same database and chain. @param port 0 for a free one */
  restart(port?: number): Promise<void>
  close(): Promise<void>
}

/** Opens a shop. Close it at the end of the tests. */
export async function openShop(
  server: keyof typeof servers,
  options: Pick<ShopSettings, 'decisionsUrl'> = {},
): Promise<ShopHarness> {
  // PGlite takes seconds to create a database, and a fraction of a second to open a copy.
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-checkout-'))
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  const database = await openDatabase({ folder })
  const chain = await startSimulatedChain()
  const paid: string[] = []
  const coins = coinsWith(chain.usdt)
  const settings: ShopSettings = {
    ...chain.settings,
    db: database.db,
    coins,
    pricing: pricingIn(coins),
    isSimulated: true,
    ...options,
    terms: { amounts: ADD_UP, onPaid: ({ order }) => void paid.push(order.reference) },
  }
  const start = () =>
    servers[server](settings, testWallet(chain.buyer), localExplorer(chain.simulator.url))
  let shop = await start()
  const harness: ShopHarness = {
    url: await shop.listen(0),
    settings,
    buyer: chain.buyer,
    simulator: chain.simulator,
    paid,
    async restart(port = 0) {
      await shop.close()
      shop = await start()
      harness.url = await shop.listen(port)
    },
    async close() {
      await shop.close()
      await Promise.all([chain.close(), database.close()])
      await rm(folder, { recursive: true })
    },
  }
  return harness
}

/** The payment status of an order, as its page receives it. */
export interface StatusStream {
  /** Returns the next status. Rejects when the stream has ended. */
  next(): Promise<string>
  /** Returns the next status that is not `detected`, which the stream may report before. */
  settled(): Promise<string>
  /** Closes the connection, as a closed tab does. */
  leave(): void
}

/** Opens the events of an order until the test ends. */
export async function openEvents(url: string, reference: string): Promise<StatusStream> {
  const tab = new AbortController()
  onTestFinished(() => tab.abort())
  const response = await fetch(`${url}/orders/${reference}/events`, { signal: tab.signal })
  if (response.body === null) throw new Error(`the events responded with ${response.status}`)
  const statuses = readStatuses(response.body)
  const next = async (): Promise<string> => {
    const { value } = await statuses.next()
    if (value === undefined) throw new Error('the stream has ended')
    return value
  }
  return {
    next,
    async settled() {
      const status = await next()
      return status === 'detected' ? next() : status
    },
    leave: () => tab.abort(),
  }
}

async function* readStatuses(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, status] = /^data: \{"status":"(\w+)"/m.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (status !== undefined) yield status
    }
  }
}
