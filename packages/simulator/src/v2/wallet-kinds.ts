import type { AccountView } from '../chain/account-view.js'
import { walletV3, walletV4, walletV5 } from '../chain/wallets.js'

/** The version and the data of a wallet contract. */
export interface WalletFacts {
  /** As `getWalletInformation` names it. */
  type: string
  /** The type of the account state in tonlib; undefined for versions that tonlib does not support. */
  tonlibType?: 'wallet.v3.accountState' | 'wallet.v4.accountState'
  revision: number
  seqno: number
  walletId: number
  /** Of version 5 only. */
  isSignatureAllowed?: boolean
}

type Kind = Pick<WalletFacts, 'type' | 'tonlibType' | 'revision'> & { hasSwitch?: true }

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [codeHash(walletV3), { type: 'wallet v3 r2', tonlibType: 'wallet.v3.accountState', revision: 2 }],
  [codeHash(walletV4), { type: 'wallet v4 r2', tonlibType: 'wallet.v4.accountState', revision: 2 }],
  [codeHash(walletV5), { type: 'wallet v5 r1', revision: 0, hasSwitch: true }],
])

/** Reads a wallet of a known version; returns undefined for any other account. */
export function readWallet({ code, data }: AccountView): WalletFacts | undefined {
  const kind = code && KINDS.get(code.hash().toString('hex'))
  if (kind === undefined || data === undefined) return undefined
  const { hasSwitch, ...facts } = kind
  const slice = data.beginParse()
  const isSignatureAllowed = hasSwitch && slice.loadBit()
  const [seqno, walletId] = [slice.loadUint(32), slice.loadUint(32)]
  return {
    ...facts,
    seqno,
    walletId,
    ...(isSignatureAllowed !== undefined && { isSignatureAllowed }),
  }
}

/** Converts 32 unsigned bits to a signed integer, as the C++ server does. */
export function signed32(value: number): number {
  return value | 0
}

function codeHash(wallet: typeof walletV3 | typeof walletV4 | typeof walletV5): string {
  return wallet(0).wallet.init.code.hash().toString('hex')
}
