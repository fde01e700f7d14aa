import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { beginCell, Dictionary, type Cell } from '@ton/core'
import { tlBlockId, tlBytes, tlInt, type NetworkBlockId } from './tl.js'

/** A validator of a test network. */
export interface NetworkValidator {
  key: KeyObject
  publicKey: Buffer
  weight: bigint
  adnl: Buffer
}

export const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** Creates validators of equal weight, the same ones for the same name. */
export function createValidators(
  name: string,
  count: number,
  weight = 1n << 50n,
): NetworkValidator[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = sha256(Buffer.from(`${name} ${index}`))
    const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
    const der = Buffer.concat([prefix, seed])
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
    return { key, publicKey: spki.subarray(-32), weight, adnl: sha256(seed) }
  })
}

/** `validators_ext#12`. @param main number of validators of the masterchain */
export function validatorSet(
  validators: readonly NetworkValidator[],
  main: number,
  declaredWeight = validators.reduce((sum, { weight }) => sum + weight, 0n),
): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: (one: NetworkValidator, builder) =>
      void builder
        .storeUint(0x73, 8)
        .storeUint(0x8e81278a, 32)
        .storeBuffer(one.publicKey)
        .storeUint(one.weight, 64)
        .storeBuffer(one.adnl),
    parse: () => {
      throw new TypeError('not read')
    },
  })
  for (const [index, one] of validators.entries()) list.set(index, one)
  return beginCell()
    .storeUint(0x12, 8)
    .storeUint(1_700_000_000, 32)
    .storeUint(1_700_065_536, 32)
    .storeUint(validators.length, 16)
    .storeUint(main, 16)
    .storeUint(declaredWeight, 64)
    .storeDict(list)
    .endCell()
}

/** `catchain_config_new#c2` without shuffling. */
export function catchainConfig(): Cell {
  return beginCell()
    .storeUint(0xc2, 8)
    .storeUint(0, 7)
    .storeBit(0)
    .storeUint(250, 32)
    .storeUint(250, 32)
    .storeUint(1000, 32)
    .storeUint(7, 32)
    .endCell()
}

/** The short hash of a list: CRC-32C of a number, the round, the count and each entry. */
export function shortListHash(
  validators: readonly NetworkValidator[],
  catchainSeqno: number,
): number {
  const entries = validators.flatMap(({ publicKey, weight, adnl }) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(weight)
    return [publicKey, bytes, adnl]
  })
  const head = [tlInt(-1_877_581_587), tlInt(catchainSeqno), tlInt(validators.length)]
  let crc = 0xffffffff
  for (const byte of Buffer.concat([...head, ...entries])) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

/**
 * The form of a block's signatures: of the first consensus (`ordinary`), or of Simplex, where an empty candidate is a vote that
 * has no block of its own.
 */
export type SignatureForm = 'ordinary' | 'simplex' | 'simplex with an empty candidate'

/** The round, and the validators that sign in it. */
export interface Signers {
  validators: readonly NetworkValidator[]
  catchainSeqno: number
  listHash: number
  form: SignatureForm
  /** Signs a vote that is not final. */
  isApproval?: boolean
}

/** Signs a block. Returns the set of signatures as a liteserver sends it. */
export function signBlock(block: NetworkBlockId, signers: Signers): Buffer {
  const { validators, catchainSeqno, listHash, form, isApproval = false } = signers
  const signed = (message: Buffer): Buffer => {
    const entries = validators.flatMap(({ key, publicKey }) => [
      sha256(Buffer.concat([Buffer.from('c6b41348', 'hex'), publicKey])),
      tlBytes(sign(null, message, key)),
    ])
    return Buffer.concat([tlInt(validators.length), ...entries])
  }
  if (form === 'ordinary') {
    const tag = Buffer.from(isApproval ? '2dd44a49' : '706e0bc5', 'hex')
    const message = Buffer.concat([tag, block.rootHash, block.fileHash])
    return Buffer.concat([
      tlInt(0xf644a6e6),
      tlInt(listHash),
      tlInt(catchainSeqno),
      signed(message),
    ])
  }
  const session = sha256(Buffer.from('session'))
  const slot = tlInt(block.seqno)
  const parent = Buffer.concat([tlInt(block.seqno - 1), sha256(Buffer.from('parent'))])
  const candidate =
    form === 'simplex'
      ? Buffer.concat([
          tlInt(0xe8f9bcdc),
          tlBlockId(block),
          sha256(Buffer.from('collated')),
          tlInt(0x1a4b9af1),
          tlInt(0xb691cd3f),
          parent,
        ])
      : Buffer.concat([tlInt(0x72b4d933), tlBlockId(block), parent])
  const id = Buffer.concat([tlInt(0xb691cd3f), slot, sha256(candidate)])
  const vote = Buffer.concat([tlInt(isApproval ? 0xcdf605a8 : 0x40a7e105), id])
  const message = Buffer.concat([tlInt(0xa8e33df8), session, tlBytes(vote)])
  return Buffer.concat([
    tlInt(0xac249800),
    tlInt(catchainSeqno),
    tlInt(listHash),
    signed(message),
    session,
    slot,
    tlBytes(candidate),
  ])
}
