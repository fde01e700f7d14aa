import { Address, toNano } from '@ton/core'
import type { ChainSimulator } from './chain-simulator.js'
import type { SimulatedJetton } from './chain/simulated-jetton.js'
import type { SimulatedWallet } from './chain/simulated-wallet.js'

/** The accounts of a shop and its buyer. */
export interface ShopAccounts {
  /** The wallet of the shop. */
  readonly merchant: SimulatedWallet
  /** A wallet with a million of the native coin and of `usdt`. */
  readonly buyer: SimulatedWallet
  /** A jetton at the mainnet address of USDT. */
  readonly usdt: SimulatedJetton
}

const USDT = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')

/** A balance that is enough for every test. */
const INITIAL_BALANCE = 1_000_000

/** Creates the wallets of a shop and a buyer, and USDT, on a chain without accounts. */
export async function createShopAccounts(chain: ChainSimulator): Promise<ShopAccounts> {
  const merchant = await chain.createWallet()
  const buyer = await chain.createWallet({ balance: toNano(INITIAL_BALANCE) })
  // An account that is not deployed would bounce coins.
  for (const wallet of [merchant, buyer]) await wallet.send([])
  const usdt = await chain.deployJetton({ master: USDT })
  await usdt.mint(buyer.address, BigInt(INITIAL_BALANCE) * 10n ** BigInt(usdt.decimals))
  return { merchant, buyer, usdt }
}
