import { createHash } from 'node:crypto'
import { concat, toHex } from '../shared/bytes.js'
import { uintBits } from '../shared/cells/bits.js'
import type { ProofCell } from './cell.js'
import type { CellSlice } from './cell-slice.js'
import { crc32c } from '../shared/crc32c.js'
import { lookUp } from './look-up.js'
import { demand } from './proof-error.js'

export interface Validator {
  publicKey: Uint8Array
  weight: bigint
  /** Zeros if it has none. */
  adnl: Uint8Array
}

/** Parameters of the configuration. */
const CATCHAIN = 28
const CURRENT_SET = 34
const CURRENT_TEMPORARY_SET = 35

/** The bound of the network for the sum of weights. */
const MAX_WEIGHT = 1n << 61n

/**
 * Returns the validators that sign masterchain blocks after a key block, in the order of their round. A temporary set wins;
 * the set without it needs a proof that there is no temporary one.
 * @param config the configuration of the key block
 */
export function masterchainValidators(config: ProofCell, catchainSeqno: number): Validator[] {
  const set = parameter(config, CURRENT_TEMPORARY_SET) ?? parameter(config, CURRENT_SET)
  const catchain = parameter(config, CATCHAIN)
  const isWhole = set !== undefined && catchain !== undefined
  demand(isWhole, 'unexpected_data', 'the configuration has no validators')
  const validators = readSet(set)
  return isShuffled(catchain) ? shuffle(validators, catchainSeqno) : validators
}

/** Returns `gen_validator_list_hash_short`: it names the list in headers and sets of signatures. */
export function validatorListHash(validators: readonly Validator[], catchainSeqno: number): number {
  const head = new Uint8Array(12)
  const view = new DataView(head.buffer)
  view.setInt32(0, -1_877_581_587, true)
  view.setUint32(4, catchainSeqno, true)
  view.setUint32(8, validators.length, true)
  const entries = validators.flatMap(({ publicKey, weight, adnl }) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigUint64(0, weight, true)
    return [publicKey, bytes, adnl]
  })
  return crc32c(concat(head, ...entries))
}

/** Returns a parameter; `undefined` if its absence is proven. @throws {ProofError} `not_covered` when it is withheld. */
function parameter(config: ProofCell, index: number): CellSlice | undefined {
  return lookUp(config, uintBits(index, 32))?.open()
}

function isShuffled(slice: CellSlice): boolean {
  const tag = slice.uint(8)
  if (tag === 0xc1) return false
  demand(tag === 0xc2, 'unexpected_data', 'the catchain settings have an unknown form')
  slice.tag(0, 7, 'catchain settings without flags')
  return slice.bit()
}

/** Reads the first `main` validators of a set: the validators of the masterchain. */
function readSet(slice: CellSlice): Validator[] {
  slice.tag(0x12, 8, 'a set of validators with weights')
  // The time of a set decides nothing: the block that replaces it is made after its end.
  slice.skip(32 + 32)
  const total = slice.uint(16)
  const main = slice.uint(16)
  slice.skip(64)
  demand(main > 0 && main <= total, 'unexpected_data', 'a set has no validators of the masterchain')
  const list = slice.maybeRef()
  const validators = Array.from({ length: main }, (_, index) => {
    const found = lookUp(list, uintBits(index, 16))
    demand(found !== undefined, 'unexpected_data', `a set has no validator ${index}`)
    return readValidator(found)
  })
  const keys = new Set(validators.map(({ publicKey }) => toHex(publicKey)))
  demand(keys.size === main, 'unexpected_data', 'a set has one key twice')
  const sum = validators.reduce((weights, { weight }) => weights + weight, 0n)
  demand(sum <= MAX_WEIGHT, 'unexpected_data', 'the weights of a set are out of bounds')
  return validators
}

function readValidator(slice: CellSlice): Validator {
  const tag = slice.uint(8)
  demand(tag === 0x53 || tag === 0x73, 'unexpected_data', 'a validator has an unknown form')
  slice.tag(0x8e81278a, 32, 'an Ed25519 key')
  const publicKey = slice.bytes(32)
  const weight = slice.bigUint(64)
  const adnl = tag === 0x73 ? slice.bytes(32) : new Uint8Array(32)
  slice.end()
  demand(weight > 0n, 'unexpected_data', 'a validator has no weight')
  return { publicKey, weight, adnl }
}

/** Returns validators in the order of a masterchain round, by the generator of the network. */
function shuffle(validators: readonly Validator[], catchainSeqno: number): Validator[] {
  const seed = new Uint8Array(48)
  const view = new DataView(seed.buffer)
  view.setBigUint64(32, 1n << 63n)
  view.setInt32(40, -1)
  view.setUint32(44, catchainSeqno)
  const order: Validator[] = []
  let numbers: bigint[] = []
  for (const [index, validator] of validators.entries()) {
    if (numbers.length === 0) {
      view.setUint32(28, index / 8)
      const digest = createHash('sha512').update(seed).digest()
      numbers = Array.from({ length: 8 }, (_, at) => digest.readBigUInt64BE(at * 8))
    }
    const place = Number(((numbers.shift() ?? 0n) * BigInt(index + 1)) >> 64n)
    order[index] = order[place] ?? validator
    order[place] = validator
  }
  return order
}
