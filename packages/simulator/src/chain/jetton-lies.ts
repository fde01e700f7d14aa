import { beginCell, type Address, type TupleItem } from '@ton/core'
import type { Chain } from './chain.js'

/**
 * Results of get-methods that a dishonest jetton returns instead of the results of its code. Each function is called for each
 * request, so that results can differ. The index of API v3 keeps what the code returns.
 */
export interface JettonLies {
  /** Returns the wallet that the master names for an owner: `get_wallet_address`. */
  walletOf?: (owner: Address) => Address
  /** Returns the owner and the master that a wallet of the jetton names: `get_wallet_data`. */
  walletData?: (wallet: Address) => { owner: Address; master: Address }
}

/** Replaces results of get-methods of a jetton. @param lies called for each request */
export function replaceResults(chain: Chain, master: Address, lies: () => JettonLies): void {
  const runGetMethod = chain.runGetMethod.bind(chain)
  chain.runGetMethod = async (address, method, stack) => {
    const run = await runGetMethod(address, method, stack)
    const { walletOf, walletData } = lies()
    const [first, second, third] = run.stack
    if (method === 'get_wallet_address' && walletOf !== undefined && address.equals(master)) {
      const owner = addressIn(stack[0])
      return owner === undefined ? run : { ...run, stack: [sliceOf(walletOf(owner))] }
    }
    const isWallet = method === 'get_wallet_data' && addressIn(third)?.equals(master) === true
    if (!isWallet || walletData === undefined || first === undefined || second === undefined) {
      return run
    }
    const { owner, master: named } = walletData(address)
    return { ...run, stack: [first, sliceOf(owner), sliceOf(named), ...run.stack.slice(3)] }
  }
}

function sliceOf(address: Address): TupleItem {
  return { type: 'slice', cell: beginCell().storeAddress(address).endCell() }
}

function addressIn(item: TupleItem | undefined): Address | undefined {
  if (item?.type !== 'slice' && item?.type !== 'cell') return undefined
  return item.cell.beginParse().loadMaybeAddress() ?? undefined
}
