import type { Router } from 'express'
import { createStream, type Network } from '@tonplug/core/toncenter'
import { LOCAL_EXPLORER, localExplorer } from './local-explorer.js'
import { coinsWith, pricingIn, type ShopSettings } from './shop.js'
import { startSimulatedChain } from './simulated-chain.js'
import { testWallet } from './test-wallet.js'

/** The chain on which the shop is paid. */
export interface OpenChain {
  settings: Omit<ShopSettings, 'db' | 'terms'>
  /** For messages. */
  name: string
  /** Served beside the shop. */
  routers: Router[]
  close(): Promise<void>
}

const MAINNET_USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const EXPLORERS = {
  mainnet: 'https://tonviewer.com/transaction/',
  testnet: 'https://testnet.tonviewer.com/transaction/',
}

/**
 * Opens the network of the environment variables at toncenter.com, or the chain of `tonplug dev` at TONCENTER_URL; without
 * SHOP_WALLET a simulated chain in this process.
 */
export async function openChain(env: NodeJS.ProcessEnv): Promise<OpenChain> {
  const { SHOP_WALLET: wallet, TONCENTER_URL: baseUrl, TONCENTER_API_KEY } = env
  if (!wallet) return simulate()
  const apiKey = TONCENTER_API_KEY || undefined
  const network = networkOf(wallet, env['NETWORK'] || undefined)
  const usdt = env['USDT_MASTER'] || (network === 'mainnet' ? MAINNET_USDT : undefined)
  const coins = coinsWith(usdt)
  const server = baseUrl ? { baseUrl } : { network }
  const stream = createStream({ ...server, apiKey })
  return {
    settings: {
      wallet,
      // A server on this machine has no limit of requests.
      chain: { ...server, apiKey, ...(baseUrl && { rps: Infinity }) },
      stream,
      coins,
      pricing: pricingIn(coins),
      explorer: baseUrl ? LOCAL_EXPLORER : EXPLORERS[network],
      isSimulated: false,
      decisionsUrl: env['TONPLUG_DECISIONS_URL'],
    },
    name: baseUrl || network,
    routers: baseUrl ? [localExplorer(baseUrl)] : [],
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
  const coins = coinsWith(chain.usdt)
  return {
    settings: { ...chain.settings, coins, pricing: pricingIn(coins), isSimulated: true },
    name: 'a simulated chain',
    routers: [testWallet(chain.buyer), localExplorer(chain.simulator.url)],
    close: () => chain.close(),
  }
}
