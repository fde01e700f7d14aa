import { Address, beginCell } from '@ton/core'
import { canonicalAddress } from '@tonplug/core'
import { toTupleReader } from '@tonplug/core/contract'
import { GetMethodError } from '@tonplug/core/toncenter'
import type { V3Client } from '@tonplug/core/toncenter'

/** Exit code of a get-method for an account without a contract. */
const NO_CONTRACT = -13

/** A jetton and the owner of a wallet of it, in canonical form. */
interface OwnedJetton {
  master: string
  owner: string
}

/** `JETTON_MASTER` names a wallet of another jetton or of another owner. */
class OtherJettonError extends Error {
  override readonly name = 'OtherJettonError'
}

/** The jetton wallet that the master names for an owner. */
export interface JettonWallet {
  /** In canonical form. */
  address: string
  /** False while the index does not know the contract of the wallet. */
  isDeployed: boolean
}

/**
 * Creates a look-up of the jetton wallets of a master. Anyone can deploy a contract that calls itself a jetton wallet of any
 * master and owner, and an index may believe it. Only the master knows the address; the wallet must name the master, too.
 */
export function findJettonWallets(
  v3: V3Client,
  master: string,
): (owner: string, signal: AbortSignal) => Promise<JettonWallet> {
  const known = new Map<string, Promise<JettonWallet>>()
  return (owner, signal) => {
    const asked = known.get(owner) ?? findWallet(v3, { master, owner }, signal)
    known.set(owner, asked)
    const forget = (): void => void known.delete(owner)
    asked.then(({ isDeployed }) => isDeployed || forget(), forget)
    return asked
  }
}

async function findWallet(
  v3: V3Client,
  jetton: OwnedJetton,
  signal: AbortSignal,
): Promise<JettonWallet> {
  const address = await askMaster(v3, jetton, signal)
  const named = await askWallet(v3, address, signal)
  if (named === undefined) return { address, isDeployed: false }
  const { owner, master } = jetton
  if (named.owner === owner && named.master === master) return { address, isDeployed: true }
  throw new OtherJettonError(
    `JETTON_MASTER names the wallet ${address} for ${owner}, but this is a wallet of ${named.owner} and of the jetton ${named.master}; set JETTON_MASTER to the master of your jetton`,
  )
}

/** Source: TEP-74, `get_wallet_address`. */
async function askMaster(
  v3: V3Client,
  { master, owner }: OwnedJetton,
  signal: AbortSignal,
): Promise<string> {
  const cell = beginCell().storeAddress(Address.parse(owner)).endCell()
  const stack = [{ type: 'slice', boc: cell.toBoc() } as const]
  const call = { address: master, method: 'get_wallet_address', stack }
  return canonicalOf(toTupleReader((await v3.runGetMethod(call, { signal })).stack).readAddress())
}

/** Returns the owner and the master that a jetton wallet names. Source: TEP-74, `get_wallet_data`. */
async function askWallet(
  v3: V3Client,
  wallet: string,
  signal: AbortSignal,
): Promise<OwnedJetton | undefined> {
  try {
    const { stack } = await v3.runGetMethod(
      { address: wallet, method: 'get_wallet_data' },
      { signal },
    )
    const items = toTupleReader(stack)
    items.skip(1)
    return { owner: canonicalOf(items.readAddress()), master: canonicalOf(items.readAddress()) }
  } catch (error) {
    if (error instanceof GetMethodError && error.exitCode === NO_CONTRACT) return undefined
    throw error
  }
}

function canonicalOf(address: Address): string {
  return canonicalAddress(address.toRawString())
}
