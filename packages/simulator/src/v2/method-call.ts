import { Cell, type Address } from '@ton/core'
import type { ChainBlock } from '../chain/block.js'
import type { Chain } from '../chain/chain.js'
import { readAddress, HttpError } from '../server/http-error.js'
import { readHash } from '../shared/encodings.js'

/** The simulated server of API v2. The two servers differ in errors, formats, and available methods. */
export type V2Dialect = 'cpp' | 'python'

/** A call of a method of API v2. */
export interface MethodCall {
  chain: Chain
  dialect: V2Dialect
  params: Readonly<Record<string, unknown>>
}

/** Handles the calls of one method and returns the result. @throws {HttpError} for any status other than 200 */
export type Method = (call: MethodCall) => unknown

/** Returns a method that a chain without a network cannot support. */
export function unavailable(what: string): Method {
  return () => {
    throw notSimulated(what)
  }
}

/** Returns the error for a feature that the simulator does not support. */
export function notSimulated(what: string): HttpError {
  return new HttpError(501, `the chain simulator does not support ${what}`)
}

/** Reads a required string. @throws {HttpError} when it is missing */
export function stringOf({ params }: MethodCall, name: string): string {
  const value = params[name]
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`parameter ${name} is required`)
}

/** Reads a required address. @throws {HttpError} when it is missing or invalid */
export function addressOf(call: MethodCall, name = 'address'): Address {
  const text = stringOf(call, name)
  try {
    return readAddress(text)
  } catch (error) {
    throw call.dialect === 'python' ? new HttpError(416, 'Incorrect address') : error
  }
}

/** Reads a string, or a number as a string; returns undefined when it is missing. */
function scalarOf({ params }: MethodCall, name: string): string | undefined {
  const value = params[name]
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw invalid(`${name} must be a string or a number`)
}

/** Reads a 32-bit integer; returns undefined when it is missing. */
export function intOf(call: MethodCall, name: string, least: number, most = 2 ** 31 - 1) {
  const word = scalarOf(call, name)
  if (word === undefined) return undefined
  const read = Number(word)
  if (/^-?\d+$/.test(word) && read >= least && read <= most) return read
  throw invalid(`${name} must be a whole number from ${least} to ${most}`)
}

/** Reads a required 32-bit integer. */
export function requiredIntOf(call: MethodCall, name: string, least: number): number {
  const value = intOf(call, name, least)
  if (value === undefined) throw invalid(`parameter ${name} is required`)
  return value
}

/** Reads a logical time; returns undefined when it is missing. */
export function ltOf(call: MethodCall, name: string): bigint | undefined {
  const word = scalarOf(call, name)
  if (word === undefined) return undefined
  if (/^\d+$/.test(word)) return BigInt(word)
  throw invalid(`${name} must be a logical time`)
}

/** Reads a 256-bit hash and returns it in standard base64; undefined when it is missing. */
export function hashOf(call: MethodCall, name: string): string | undefined {
  const word = scalarOf(call, name)
  if (word === undefined) return undefined
  const pattern = call.dialect === 'cpp' ? CPP_HASH : PYTHON_HASH
  if (pattern.test(word)) return readHash(word)
  throw invalid(`${name} must be a hash of 256 bits in hex or base64`)
}

const CPP_HASH = /^(?:[0-9a-f]{64}|[\w+/-]{43}=|[\w-]{43})$/i
const PYTHON_HASH = /^(?:[0-9a-f]{64}|[\w+/-]{43}=)$/i

/** Reads a required bag of cells in base64. */
export function cellOf(call: MethodCall, name: string): Cell {
  const text = stringOf(call, name)
  try {
    return Cell.fromBase64(text)
  } catch {
    throw invalid(`${name} is not a bag of cells`)
  }
}

/** Returns the newest block. */
export function headOf(chain: Chain): ChainBlock {
  // A chain always has a block.
  return chain.blocks.at(-1)!
}

/** Returns a block by its seqno. @throws {HttpError} when it does not exist yet, or was discarded */
export function blockAt(chain: Chain, seqno: number): ChainBlock {
  const [first] = chain.blocks
  // The seqnos of the kept blocks are consecutive.
  const block = chain.blocks[seqno - (first?.seqno ?? 0)]
  if (block !== undefined) return block
  if (seqno > headOf(chain).seqno) {
    throw new HttpError(500, 'LITE_SERVER_NOTREADY: block is not applied')
  }
  throw blockNotFound()
}

/** Returns a node's error for an unknown block. */
export function blockNotFound(): HttpError {
  return new HttpError(500, 'LITE_SERVER_UNKNOWN: block not found')
}

/** Returns the error for an invalid parameter. */
export function invalid(why: string): HttpError {
  return new HttpError(422, `failed to validate request: ${why}`)
}
