import { internal, toNano, type Address, type MessageRelaxed } from '@ton/core'
import { createShardAccount } from '@ton/sandbox'
import type { Chain } from './chain.js'
import { FAUCET } from './faucet.js'
import { onChainContent } from './jetton-content.js'
import { replaceResults, type JettonLies } from './jetton-lies.js'
import {
  jettonMinter,
  jettonWalletAddress,
  mintBody,
  type JettonMinter,
  transferBody,
  type JettonTransfer,
} from './jetton.js'

/** Options of a simulated jetton. */
export interface JettonOptions {
  /** @default 'USDT' */
  symbol?: string
  /** @default 'Tether USD' */
  name?: string
  /** @default 6 */
  decimals?: number
  /**
   * Address of the master, for example as in the configuration of a shop. @default the address of its code and
   * data
   */
  master?: Address
}

/** A jetton on a simulated chain, with on-chain metadata. Amounts are in base units. */
export interface SimulatedJetton {
  readonly master: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** Makes the jetton dishonest from now on: results of its get-methods that a test sets. @default {} */
  lies: JettonLies
  /** Mints jettons for an owner. */
  mint(to: Address, amount: bigint): Promise<void>
  /** Returns the address of an owner's jetton wallet, deployed or not. */
  walletOf(owner: Address): Address
  balanceOf(owner: Address): Promise<bigint>
  /**
   * Returns the message with which the owner's wallet sends jettons.
   * @param transfer `value` is the nanocoins for the fees and for `forwardCoins`, by default 0.1 TON.
   */
  transferMessage(transfer: JettonTransfer & { from: Address; value?: bigint }): MessageRelaxed
}

/** Deploys a jetton master. */
export async function deployJetton(
  chain: Chain,
  { symbol = 'USDT', name = 'Tether USD', decimals = 6, master: place }: JettonOptions,
): Promise<SimulatedJetton> {
  const minter = jettonMinter(FAUCET, onChainContent({ name, symbol, decimals }))
  const { address: master, init } = place === undefined ? minter : { ...minter, address: place }
  if (place !== undefined) await placeContract(chain, { address: place, init })
  await chain.sendFromFaucet({ to: master, value: toNano(1), init })
  const walletOf = (owner: Address): Address => jettonWalletAddress(master, owner)
  const jetton: SimulatedJetton = {
    master,
    symbol,
    name,
    decimals,
    lies: {},
    walletOf,
    mint: (to, amount) =>
      chain.sendFromFaucet({ to: master, value: toNano('0.2'), body: mintBody(to, amount) }),
    async balanceOf(owner) {
      const { stack } = await chain.runGetMethod(walletOf(owner), 'get_wallet_data', [])
      const [balance] = stack
      return balance?.type === 'int' ? balance.value : 0n
    },
    transferMessage: ({ from, value = toNano('0.1'), ...transfer }) =>
      internal({ to: walletOf(from), value, body: transferBody(transfer) }),
  }
  replaceResults(chain, master, () => jetton.lies)
  return jetton
}

/** Stores a contract at an address that does not match its code and data. */
async function placeContract(chain: Chain, { address, init }: JettonMinter): Promise<void> {
  // The initial state of a minter has both.
  const [code, data] = [init.code!, init.data!]
  await chain.blockchain.setShardAccount(
    address,
    createShardAccount({ address, code, data, balance: 0n, workchain: address.workChain }),
  )
}
