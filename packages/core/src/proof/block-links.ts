import { configOf, openBlock, type ProvenBlock } from './block.js'
import { demandMasterchain, isSameBlock, readBlockId, type BlockId } from './block-id.js'
import { demand } from './proof-error.js'
import { readCellTree } from './read-cells.js'
import { checkSignatures, readSignatures } from './signatures.js'
import { openAnswer, type TlReader } from './tl-reader.js'
import { masterchainValidators, validatorListHash } from './validators.js'

const PARTIAL_BLOCK_PROOF = 0x8ed0d2c1
const LINK_FORWARD = 0x520fce1c
const LINK_BACK = 0xef7e1bef
/** The most that a server sends. */
const MAX_LINKS = 16

/** A masterchain block that more than two thirds of the validators signed, or that is trusted from the start. */
export interface SignedBlock {
  id: BlockId
  isKeyBlock: boolean
  /** Unix seconds. */
  utime: number
}

/** Result of following links. */
export interface ProvenBlocks {
  /** The blocks that the links lead to, in their order. */
  blocks: readonly SignedBlock[]
  /** False when the server has more links: ask again from the last key block. */
  isComplete: boolean
}

/** The block that a proof starts from, and its network. */
export interface TrustedBlock {
  /** A key block. */
  id: BlockId
  /** The network: −239 for mainnet, −3 for testnet. */
  globalId: number
}

/**
 * Follows the links of an answer to `liteServer.getBlockProof`, from a trusted key block. Each link names the validators by
 * the configuration of the key block that it starts from, and holds their signatures of the block that it leads to. All
 * signatures are checked.
 * @param bytes the answer as received
 * @throws {ProofError} when any part is wrong: another start or network, a backward link, a link that does not move forward, a
 * start that is not a key block, wrong or too few signatures.
 */
export function followLinks(bytes: Uint8Array, trusted: TrustedBlock): ProvenBlocks {
  const reader = openAnswer(bytes, 'partialBlockProof', PARTIAL_BLOCK_PROOF)
  const isComplete = reader.bool()
  const from = readBlockId(reader)
  const to = readBlockId(reader)
  demand(isSameBlock(from, trusted.id), 'mismatch', 'the proof does not start at the trusted block')
  const count = reader.uint()
  demand(count <= MAX_LINKS, 'malformed', `an answer has more than ${MAX_LINKS} links`)
  const blocks: SignedBlock[] = []
  let last: SignedBlock = { id: trusted.id, isKeyBlock: true, utime: 0 }
  for (let index = 0; index < count; index++) {
    last = followLink(reader, last, trusted.globalId)
    blocks.push(last)
  }
  reader.end()
  demand(isSameBlock(last.id, to), 'mismatch', 'the links do not lead to the block of the answer')
  return { blocks, isComplete }
}

function followLink(reader: TlReader, last: SignedBlock, globalId: number): SignedBlock {
  const form = reader.tag('a link', LINK_FORWARD, LINK_BACK)
  demand(form !== LINK_BACK, 'unexpected_data', 'backward links are not supported')
  const toKeyBlock = reader.bool()
  const from = readBlockId(reader)
  const to = readBlockId(reader)
  demand(isSameBlock(from, last.id), 'mismatch', 'a link does not start where the one before ends')
  demand(last.isKeyBlock, 'mismatch', 'a link starts at a block that is not a key block')
  demandMasterchain(from)
  demandMasterchain(to)
  demand(to.seqno > from.seqno, 'mismatch', 'a link does not move forward')
  const target = openBlock(readCellTree(reader.bytes()), to)
  const source = openBlock(readCellTree(reader.bytes()), from)
  const isStated = target.isKeyBlock === toKeyBlock
  demand(isStated, 'mismatch', 'a link misstates whether it leads to a key block')
  const isOwnNetwork = source.globalId === globalId && target.globalId === globalId
  demand(isOwnNetwork, 'mismatch', `a block is of the network ${target.globalId}, not ${globalId}`)
  checkSigned(reader, { source, target, to })
  return { id: to, isKeyBlock: target.isKeyBlock, utime: target.utime }
}

function checkSigned(
  reader: TlReader,
  { source, target, to }: { source: ProvenBlock; target: ProvenBlock; to: BlockId },
): void {
  const set = readSignatures(reader, to)
  const validators = masterchainValidators(configOf(source), target.catchainSeqno)
  const listHash = validatorListHash(validators, target.catchainSeqno)
  const isRound = [set, target].every(
    (one) => one.validatorListHash === listHash && one.catchainSeqno === target.catchainSeqno,
  )
  demand(isRound, 'mismatch', 'the signatures are of another round or another list')
  checkSignatures(set, validators)
}
