import { keyPairFromSeed, type KeyPair } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'

/** A wallet contract and its key. */
export interface SignedWallet<Wallet> {
  wallet: Wallet
  keys: KeyPair
}

/** Creates a wallet of version 3, revision 2. @param seed seed of the key */
export function walletV3(seed: number): SignedWallet<WalletContractV3R2> {
  const keys = keysOf(seed)
  return { wallet: WalletContractV3R2.create({ workchain: 0, publicKey: keys.publicKey }), keys }
}

/** Creates a wallet of version 4. @param seed seed of the key */
export function walletV4(seed: number): SignedWallet<WalletContractV4> {
  const keys = keysOf(seed)
  return { wallet: WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }), keys }
}

/** Creates a wallet of version 5. @param seed seed of the key */
export function walletV5(seed: number): SignedWallet<WalletContractV5R1> {
  const keys = keysOf(seed)
  return { wallet: WalletContractV5R1.create({ publicKey: keys.publicKey }), keys }
}

/** Keys by seed, because tests create the same wallets many times. */
const known = new Map<number, KeyPair>()

function keysOf(seed: number): KeyPair {
  const former = known.get(seed)
  if (former !== undefined) return former
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(seed, 28)
  const keys = keyPairFromSeed(bytes)
  known.set(seed, keys)
  return keys
}
