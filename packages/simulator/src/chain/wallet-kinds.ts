import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton'
import type { AccountView } from './account-view.js'

/** The version and the data of a wallet contract. */
export interface WalletFacts {
  /** As in `wallet v4 r2`. */
  type: string
  /** As in `wallet_v4r2`. */
  name: string
  seqno: number
  /** Unsigned; undefined for versions without a wallet id. */
  walletId: number | undefined
  /** Of version 5 only. */
  isSignatureAllowed: boolean | undefined
}

/** The layout of a wallet's data, from its start. */
interface Layout {
  type: string
  hasSwitch?: boolean
  /** @default 32 */
  seqnoBits?: number
  hasId?: boolean
}

const anyone = { workchain: 0, publicKey: Buffer.alloc(32) }

/** Layouts of wallets by their code hash in hex. */
const LAYOUTS: ReadonlyMap<string, Layout> = new Map(
  (
    [
      [WalletContractV1R1.create(anyone), { type: 'wallet v1 r1' }],
      [WalletContractV1R2.create(anyone), { type: 'wallet v1 r2' }],
      [WalletContractV1R3.create(anyone), { type: 'wallet v1 r3' }],
      [WalletContractV2R1.create(anyone), { type: 'wallet v2 r1' }],
      [WalletContractV2R2.create(anyone), { type: 'wallet v2 r2' }],
      [WalletContractV3R1.create(anyone), { type: 'wallet v3 r1', hasId: true }],
      [WalletContractV3R2.create(anyone), { type: 'wallet v3 r2', hasId: true }],
      [WalletContractV4.create(anyone), { type: 'wallet v4 r2', hasId: true }],
      [WalletContractV5Beta.create(anyone), { type: 'wallet v5 beta', seqnoBits: 33 }],
      [WalletContractV5R1.create(anyone), { type: 'wallet v5 r1', hasId: true, hasSwitch: true }],
    ] as const
  ).map(([{ init }, layout]) => [init.code.hash().toString('hex'), layout]),
)

/** Detects a wallet by its code; returns undefined for any other account. */
export function walletOf({ code, data }: AccountView): WalletFacts | undefined {
  const layout = code && LAYOUTS.get(code.hash().toString('hex'))
  if (layout === undefined || data === undefined) return undefined
  const { type, hasSwitch = false, seqnoBits = 32, hasId = false } = layout
  const slice = data.beginParse()
  const isSignatureAllowed = hasSwitch ? slice.loadBit() : undefined
  const seqno = slice.loadUint(seqnoBits)
  const walletId = hasId ? slice.loadUint(32) : undefined
  const name = type.replace(' ', '_').replace(' ', '')
  return { type, name, seqno, walletId, isSignatureAllowed }
}
