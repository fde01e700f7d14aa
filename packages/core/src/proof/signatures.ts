import { createPublicKey, verify } from 'node:crypto'
import { sha256 } from '../shared/sha256.js'
import { isSameBlock, readBlockId, type BlockId } from './block-id.js'
import { concat, toHex } from '../shared/bytes.js'
import { demand } from './proof-error.js'
import { TlReader } from './tl-reader.js'
import type { Validator } from './validators.js'

const ORDINARY = 0xf644a6e6
const SIMPLEX = 0xac249800
// Constructors of the TL schema.
const TON_BLOCK_ID = 0xc50b6e70
const ED25519_KEY = 0x4813b4c6
const DATA_TO_SIGN = 0xa8e33df8
const FINALIZE_VOTE = 0x40a7e105
const CANDIDATE_ID = 0xb691cd3f
const ORDINARY_CANDIDATE = 0xe8f9bcdc
const EMPTY_CANDIDATE = 0x72b4d933
const CANDIDATE_PARENT = 0x1a4b9af1
const CANDIDATE_WITHOUT_PARENTS = 0x22cbcca9

/** Precedes the 32 bytes of an Ed25519 key in the format that `node:crypto` reads. */
const SPKI_PREFIX = Uint8Array.of(
  0x30,
  0x2a,
  0x30,
  0x05,
  0x06,
  0x03,
  0x2b,
  0x65,
  0x70,
  0x03,
  0x21,
  0,
)
/** More than a list of the network can have. */
const MAX_SIGNATURES = 65_535

/** Signatures of a block. */
export interface SignatureSet {
  validatorListHash: number
  catchainSeqno: number
  signatures: readonly { signer: string; signature: Uint8Array }[]
  /** The bytes that the validators signed. */
  message: Uint8Array
}

/**
 * Reads the signatures of a block in either form of the network. The signed bytes are made from the block's id here; votes
 * that are not final cannot be read.
 */
export function readSignatures(reader: TlReader, block: BlockId): SignatureSet {
  const form = reader.uint()
  if (form === ORDINARY) {
    const listHash = reader.uint()
    const catchainSeqno = reader.uint()
    const signatures = readList(reader)
    const message = concat(tag(TON_BLOCK_ID), block.rootHash, block.fileHash)
    return { validatorListHash: listHash, catchainSeqno, signatures, message }
  }
  demand(form === SIMPLEX, 'unexpected_data', 'the signatures have an unknown form')
  const catchainSeqno = reader.uint()
  const listHash = reader.uint()
  const signatures = readList(reader)
  const session = reader.take(32)
  const slot = reader.take(4)
  const candidate = reader.bytes()
  checkCandidate(candidate, block)
  const vote = concat(tag(FINALIZE_VOTE), tag(CANDIDATE_ID), slot, sha256(candidate))
  const message = concat(tag(DATA_TO_SIGN), session, shortBytes(vote))
  return { validatorListHash: listHash, catchainSeqno, signatures, message }
}

/**
 * Checks all signatures, and that the signers have more than two thirds of the weight.
 * @throws {ProofError} for a signer that is unknown or repeated, one invalid signature, or too little weight.
 */
export function checkSignatures(
  { signatures, message }: SignatureSet,
  validators: readonly Validator[],
): void {
  const known = new Map(validators.map((one) => [signerId(one), one]))
  const total = validators.reduce((sum, { weight }) => sum + weight, 0n)
  let signed = 0n
  for (const { signer, signature } of signatures) {
    const validator = known.get(signer)
    demand(validator !== undefined, 'mismatch', 'a signer is repeated, or is not a validator')
    known.delete(signer)
    demand(isSignedBy(validator, message, signature), 'mismatch', 'a signature is invalid')
    signed += validator.weight
  }
  demand(signed * 3n > total * 2n, 'mismatch', 'the signers have two thirds of the weight or less')
}

/** The id of a signer: the hash of its key in TL. */
function signerId({ publicKey }: Validator): string {
  return toHex(sha256(concat(tag(ED25519_KEY), publicKey)))
}

function isSignedBy({ publicKey }: Validator, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  try {
    const key = createPublicKey({
      key: Buffer.from(concat(SPKI_PREFIX, publicKey)),
      format: 'der',
      type: 'spki',
    })
    return verify(null, message, key, signature)
  } catch {
    // The key is not a point of the curve.
    return false
  }
}

/** `liteServer.signature node_id_short:int256 signature:bytes` */
function readList(reader: TlReader): SignatureSet['signatures'] {
  const count = reader.uint()
  demand(count <= MAX_SIGNATURES, 'malformed', 'a block has too many signatures')
  return Array.from({ length: count }, () => ({
    signer: toHex(reader.take(32)),
    signature: reader.bytes(),
  }))
}

/** The candidate must be this block, or an empty one after it: finality covers the block before an empty candidate. */
function checkCandidate(candidate: Uint8Array, block: BlockId): void {
  const reader = new TlReader(candidate)
  const form = reader.uint()
  demand(
    form === ORDINARY_CANDIDATE || form === EMPTY_CANDIDATE,
    'unexpected_data',
    'a candidate has an unknown form',
  )
  demand(isSameBlock(readBlockId(reader), block), 'mismatch', 'another block was signed')
  if (form === ORDINARY_CANDIDATE) {
    reader.take(32)
    const parent = reader.uint()
    const hasParent = parent === CANDIDATE_PARENT
    demand(
      hasParent || parent === CANDIDATE_WITHOUT_PARENTS,
      'unexpected_data',
      'a candidate has an unknown parent',
    )
    if (hasParent) {
      demand(reader.uint() === CANDIDATE_ID, 'unexpected_data', 'a candidate has an unknown parent')
      reader.take(36)
    }
  } else {
    reader.take(36)
  }
  reader.end()
}

function tag(id: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, id, true)
  return bytes
}

/** Writes fewer than 254 bytes in TL. */
function shortBytes(content: Uint8Array): Uint8Array {
  const padding = new Uint8Array(-(content.length + 1) & 3)
  return concat(Uint8Array.of(content.length), content, padding)
}
