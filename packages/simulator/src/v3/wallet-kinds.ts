import type { Cell } from '@ton/core'
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
import type { AccountView } from '../chain/account-view.js'

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

interface WalletKind {
  type: string
  name: string
  read(data: Cell): Pick<WalletFacts, 'seqno' | 'walletId' | 'isSignatureAllowed'>
}

type Read = WalletKind['read']

const seqnoOnly: Read = (data) => ({
  seqno: data.beginParse().loadUint(32),
  walletId: undefined,
  isSignatureAllowed: undefined,
})

const seqnoAndId: Read = (data) => {
  const slice = data.beginParse()
  const seqno = slice.loadUint(32)
  return { seqno, walletId: slice.loadUint(32), isSignatureAllowed: undefined }
}

const beta: Read = (data) => ({
  seqno: data.beginParse().loadUint(33),
  walletId: undefined,
  isSignatureAllowed: undefined,
})

const fifth: Read = (data) => {
  const slice = data.beginParse()
  const isSignatureAllowed = slice.loadBit()
  const seqno = slice.loadUint(32)
  return { seqno, walletId: slice.loadUint(32), isSignatureAllowed }
}

const anyone = { workchain: 0, publicKey: Buffer.alloc(32) }

/** Kinds of wallets by their code hash in hex. */
const KINDS: ReadonlyMap<string, WalletKind> = new Map(
  (
    [
      [WalletContractV1R1.create(anyone), 'wallet v1 r1', seqnoOnly],
      [WalletContractV1R2.create(anyone), 'wallet v1 r2', seqnoOnly],
      [WalletContractV1R3.create(anyone), 'wallet v1 r3', seqnoOnly],
      [WalletContractV2R1.create(anyone), 'wallet v2 r1', seqnoOnly],
      [WalletContractV2R2.create(anyone), 'wallet v2 r2', seqnoOnly],
      [WalletContractV3R1.create(anyone), 'wallet v3 r1', seqnoAndId],
      [WalletContractV3R2.create(anyone), 'wallet v3 r2', seqnoAndId],
      [WalletContractV4.create(anyone), 'wallet v4 r2', seqnoAndId],
      [WalletContractV5Beta.create(anyone), 'wallet v5 beta', beta],
      [WalletContractV5R1.create(anyone), 'wallet v5 r1', fifth],
    ] as const
  ).map(([{ init }, type, read]) => [
    init.code.hash().toString('hex'),
    { type, name: type.replace(' ', '_').replace(' ', ''), read },
  ]),
)

/** Detects a wallet by its code; returns undefined for any other account. */
export function walletOf({ code, data }: AccountView): WalletFacts | undefined {
  if (code === undefined || data === undefined) return undefined
  const kind = KINDS.get(code.hash().toString('hex'))
  return kind && { type: kind.type, name: kind.name, ...kind.read(data) }
}
