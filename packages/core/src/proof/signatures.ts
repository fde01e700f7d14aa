import { createPublicKey, verify } from 'node:crypto'
import { encodeBase64Url } from '../shared/base64.js'
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
  const isSimplex = reader.tag('signatures', ORDINARY, SIMPLEX) === SIMPLEX
  const [one, other] = [reader.uint(), reader.uint()]
  const [validatorListHash, catchainSeqno] = isSimplex ? [other, one] : [one, other]
  const signatures = readList(reader)
  const message = isSimplex
    ? readFinalVote(reader, block)
    : concat(tag(TON_BLOCK_ID), block.rootHash, block.fileHash)
  return { validatorListHash, catchainSeqno, signatures, message }
}

/** Returns the vote that makes a block final, as the validators signed it. */
function readFinalVote(reader: TlReader, block: BlockId): Uint8Array {
  const session = reader.take(32)
  const slot = reader.take(4)
  const candidate = reader.bytes()
  checkCandidate(candidate, block)
  const vote = concat(tag(FINALIZE_VOTE), tag(CANDIDATE_ID), slot, sha256(candidate))
  // TL bytes: their length, and zeros up to a multiple of four.
  return concat(tag(DATA_TO_SIGN), session, Uint8Array.of(vote.length), vote, new Uint8Array(3))
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
    const key = { kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(publicKey) }
    return verify(null, message, createPublicKey({ key, format: 'jwk' }), signature)
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
  const form = reader.tag('a candidate', ORDINARY_CANDIDATE, EMPTY_CANDIDATE)
  demand(isSameBlock(readBlockId(reader), block), 'mismatch', 'another block was signed')
  let hasParent = true
  if (form === ORDINARY_CANDIDATE) {
    reader.take(32)
    const parent = reader.tag('a parent', CANDIDATE_PARENT, CANDIDATE_WITHOUT_PARENTS)
    hasParent = parent === CANDIDATE_PARENT
    if (hasParent) reader.tag('the id of a parent', CANDIDATE_ID)
  }
  // Slot and hash.
  if (hasParent) reader.take(4 + 32)
  reader.end()
}

function tag(id: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, id, true)
  return bytes
}
