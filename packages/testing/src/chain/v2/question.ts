import { Cell, type Address } from '@ton/core'
import type { ChainBlock } from '../block.js'
import type { Chain } from '../chain.js'
import { readAddress, Refusal } from '../refusal.js'
import { readHash } from '../spellings.js'

/** Which server of API v2 is meant: they differ in errors, in some spellings, and in how much they know. */
export type V2Dialect = 'cpp' | 'python'

/** What is asked of a method. */
export interface Question {
  chain: Chain
  dialect: V2Dialect
  params: Readonly<Record<string, unknown>>
}

/** How a method answers. @throws {Refusal} for any answer other than 200 */
export type Answer = (question: Question) => unknown

/** What no chain without a network can tell. */
export function unavailable(what: string): Answer {
  return () => {
    throw notSimulated(what)
  }
}

/** The refusal of what the simulator does not do. */
export function notSimulated(what: string): Refusal {
  return new Refusal(501, `the chain simulator has no ${what}`)
}

/** @throws {Refusal} when there is none */
export function textOf({ params }: Question, name: string): string {
  const value = params[name]
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`parameter ${name} is required`)
}

/** @throws {Refusal} when it is none */
export function addressOf(question: Question, name = 'address'): Address {
  const text = textOf(question, name)
  try {
    return readAddress(text)
  } catch (error) {
    throw question.dialect === 'python' ? new Refusal(416, 'Incorrect address') : error
  }
}

/** A text, or a number as a text; `undefined` where there is none. */
function wordOf({ params }: Question, name: string): string | undefined {
  const value = params[name]
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw invalid(`${name} must be a text or a number`)
}

/** A whole number of 32 bits; `undefined` where there is none. */
export function intOf(question: Question, name: string, least: number, most = 2 ** 31 - 1) {
  const word = wordOf(question, name)
  if (word === undefined) return undefined
  const read = Number(word)
  if (/^-?\d+$/.test(word) && read >= least && read <= most) return read
  throw invalid(`${name} must be a whole number from ${least} to ${most}`)
}

/** A whole number that has to be there. */
export function requiredIntOf(question: Question, name: string, least: number): number {
  const value = intOf(question, name, least)
  if (value === undefined) throw invalid(`parameter ${name} is required`)
  return value
}

/** A logical time; `undefined` where there is none. */
export function ltOf(question: Question, name: string): bigint | undefined {
  const word = wordOf(question, name)
  if (word === undefined) return undefined
  if (/^\d+$/.test(word)) return BigInt(word)
  throw invalid(`${name} must be a logical time`)
}

/** 256 bits in standard base64; `undefined` where there are none. */
export function hashOf(question: Question, name: string): string | undefined {
  const word = wordOf(question, name)
  if (word === undefined) return undefined
  const spellings = question.dialect === 'cpp' ? CPP_HASH : PYTHON_HASH
  if (spellings.test(word)) return readHash(word)
  throw invalid(`${name} must be a hash of 256 bits in hex or base64`)
}

const CPP_HASH = /^(?:[0-9a-f]{64}|[\w+/-]{43}=|[\w-]{43})$/i
const PYTHON_HASH = /^(?:[0-9a-f]{64}|[\w+/-]{43}=)$/i

/** A bag of cells in base64. */
export function cellOf(question: Question, name: string): Cell {
  const text = textOf(question, name)
  try {
    return Cell.fromBase64(text)
  } catch {
    throw invalid(`${name} is not a bag of cells`)
  }
}

/** The newest block. */
export function headOf(chain: Chain): ChainBlock {
  // There is always one.
  return chain.blocks.at(-1)!
}

/** @throws {Refusal} when it is not there yet, or no longer kept */
export function blockAt(chain: Chain, seqno: number): ChainBlock {
  const [first] = chain.blocks
  // All seqnos from the first on are there.
  const block = chain.blocks[seqno - (first?.seqno ?? 0)]
  if (block !== undefined) return block
  if (seqno > headOf(chain).seqno) {
    throw new Refusal(500, 'LITE_SERVER_NOTREADY: block is not applied')
  }
  throw blockNotFound()
}

/** What a node says of a block that it does not have. */
export function blockNotFound(): Refusal {
  return new Refusal(500, 'LITE_SERVER_UNKNOWN: block not found')
}

/** The refusal of a parameter. */
export function invalid(why: string): Refusal {
  return new Refusal(422, `failed to validate request: ${why}`)
}
