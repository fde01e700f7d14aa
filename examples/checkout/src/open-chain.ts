import type { Router } from 'express'
import { createStream, type Network } from '@tonplug/core/toncenter'
import type { Price, ShopSettings } from './shop.js'
import { startSimulatedChain } from './simulated-chain.js'
import { testWallet } from './test-wallet.js'

/** The chain on which the shop is paid. */
export interface OpenChain {
  settings: Pick<ShopSettings, 'wallet' | 'chain' | 'stream' | 'prices' | 'isSimulated'>
  /** For messages. */
  name: string
  /** Served beside the shop. */
  routers: Router[]
  close(): Promise<void>
}

const MAINNET_USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'

/** Opens the network of the environment variables; without SHOP_WALLET a simulated chain in this process. */
export async function openChain(env: NodeJS.ProcessEnv): Promise<OpenChain> {
  const { SHOP_WALLET: wallet, TONCENTER_API_KEY } = env
  if (!wallet) return simulate()
  const apiKey = TONCENTER_API_KEY || undefined
  const network = networkOf(wallet, env['NETWORK'] || undefined)
  const prices = pricesWith(network === 'mainnet' ? MAINNET_USDT : undefined)
  const stream = createStream({ network, apiKey })
  return {
    settings: {
      wallet,
      chain: { network, apiKey },
      stream,
      prices,
      isSimulated: false,
    },
    name: network,
    routers: [],
    close: async () => stream.close(),
  }
}

/** @throws {Error} when the wallet is not an address of the network. */
function networkOf(wallet: string, network: string | undefined): Network {
  // The prefixes of test-only addresses.
  const expected = /^[k0]Q/.test(wallet) ? 'testnet' : 'mainnet'
  if (network === undefined || network === expected) return expected
  throw new Error(
    `NETWORK is ${JSON.stringify(network)}, but SHOP_WALLET is an address of ${expected}; testnet addresses begin with 0Q or kQ`,
  )
}

async function simulate(): Promise<OpenChain> {
  const chain = await startSimulatedChain()
  return {
    settings: { ...chain.settings, prices: pricesWith(chain.usdt), isSimulated: true },
    name: 'a simulated chain',
    routers: [testWallet(chain.buyer)],
    close: () => chain.close(),
  }
}

/** @param usdt the jetton master of USD₮, where the network has one */
function pricesWith(usdt: string | undefined): Map<string, Price> {
  const prices = new Map([['TON', { asset: 'TON', amount: '0.25' }]])
  if (usdt !== undefined) prices.set('USD₮', { asset: usdt, amount: '0.75' })
  return prices
}
