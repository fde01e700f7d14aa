import { keyPairFromSeed, type KeyPair } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'

/** A wallet and the key that signs for it. */
export interface SignedWallet<Wallet> {
  wallet: Wallet
  keys: KeyPair
}

/** A wallet of version 4. @param seed another number, another wallet */
export function walletV4(seed: number): SignedWallet<WalletContractV4> {
  const keys = keysOf(seed)
  return { wallet: WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }), keys }
}

/** A wallet of version 5. @param seed another number, another wallet */
export function walletV5(seed: number): SignedWallet<WalletContractV5R1> {
  const keys = keysOf(seed)
  return { wallet: WalletContractV5R1.create({ publicKey: keys.publicKey }), keys }
}

function keysOf(seed: number): KeyPair {
  return keyPairFromSeed(Buffer.alloc(32, seed))
}
