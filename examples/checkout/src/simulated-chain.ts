import { createStream } from '@tonplug/core/toncenter'
import { createChainSimulator, type ChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import { LOCAL_EXPLORER } from './local-explorer.js'
import type { ShopSettings } from './shop.js'

const BALANCE = 1_000_000n
/** Interval of blocks while nothing happens, about that of the network. */
const BLOCK_MS = 5_000

/** A chain in this process, with the wallet of the shop and that of a buyer. */
export interface SimulatedChain {
  settings: Pick<ShopSettings, 'wallet' | 'chain' | 'stream' | 'explorer'>
  simulator: ChainSimulator
  /** The address of the jetton. */
  usdt: string
  /** Has a million of both coins. */
  buyer: SimulatedWallet
  close(): Promise<void>
}

/** Starts a chain. Its addresses are test-only, so that wallet apps never pay real coins to them. */
export async function startSimulatedChain(): Promise<SimulatedChain> {
  const simulator = await createChainSimulator({ now: () => Math.floor(Date.now() / 1000) })
  const shop = await simulator.createWallet({ balance: 0n })
  const buyer = await simulator.createWallet({ balance: BALANCE * 10n ** 9n })
  const usdt = await simulator.deployJetton()
  await usdt.mint(buyer.address, BALANCE * 10n ** BigInt(usdt.decimals))
  const blocks = setInterval(() => void simulator.mineEmptyBlock(), BLOCK_MS)
  const stream = createStream({ baseUrl: simulator.url })
  return {
    simulator,
    settings: {
      wallet: shop.address.toString({ bounceable: false, testOnly: true }),
      chain: { baseUrl: simulator.url, rps: Infinity },
      stream,
      explorer: LOCAL_EXPLORER,
    },
    usdt: usdt.master.toString(),
    buyer,
    async close() {
      clearInterval(blocks)
      stream.close()
      await simulator.close()
    },
  }
}
