import { Address } from '@ton/core'
import { HttpError } from '../server/http-error.js'

/** Returns parameters as `URLSearchParams`; an array repeats its key. */
type Query = URLSearchParams

const HEX_HASH = /^(?:0x)?[0-9a-f]{64}$/i
const BASE64_HASH = /^[\w+/-]{43}=$/
const RAW_ADDRESS = /^-?\d+:[0-9a-f]{64}$/i
const FRIENDLY_ADDRESS = /^[\w+/-]{48}$/

/** Reads accounts in friendly or raw format. @throws {HttpError} 422 */
export function addressesOf(query: Query, ...names: readonly string[]): Address[] {
  return names.flatMap((name) => query.getAll(name).map((text) => readAddress(name, text)))
}

/** One account. @throws {HttpError} 422 */
export function addressOf(query: Query, name: string): Address | undefined {
  return addressesOf(query, name)[0]
}

/** Reads a required account. @throws {HttpError} 401 when it is missing, 422 when it is invalid */
export function neededAddress(text: unknown, name = 'address'): Address {
  if (typeof text !== 'string' || text === '') throw new HttpError(401, `${name} is required`)
  return readAddress(name, text)
}

function readAddress(name: string, text: string): Address {
  if (!RAW_ADDRESS.test(text) && !FRIENDLY_ADDRESS.test(text)) throw unreadable(name, text)
  try {
    return Address.parse(text)
  } catch {
    throw unreadable(name, text)
  }
}

/** Reads hashes and returns them in the base64 of responses. @throws {HttpError} 422 */
export function hashesOf(query: Query, ...names: readonly string[]): string[] {
  return names.flatMap((name) => query.getAll(name).map((text) => readHash(name, text)))
}

function readHash(name: string, text: string): string {
  if (HEX_HASH.test(text)) return Buffer.from(text.slice(-64), 'hex').toString('base64')
  if (!BASE64_HASH.test(text)) throw unreadable(name, text)
  return Buffer.from(text, 'base64url').toString('base64')
}

/** Reads an integer; like the server, ignores a fraction. @throws {HttpError} 422 */
export function integerOf(query: Query, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw unreadable(name, text)
  return Math.trunc(Number(text))
}

/** Reads a 64-bit integer. @throws {HttpError} 422 */
export function bigintOf(query: Query, name: string): bigint | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^-?\d+$/.test(text)) throw unreadable(name, text)
  return BigInt(text)
}

/** `true`, `1`, `false` or `0`. @throws {HttpError} 422 */
export function flagOf(query: Query, name: string, otherwise = false): boolean {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^(?:true|false|0|1)$/i.test(text)) throw unreadable(name, text)
  return /^(?:true|1)$/i.test(text)
}

/** Reads a shard as 64 unsigned bits; like the server, tries hex before decimal. @throws {HttpError} 422 */
export function shardOf(query: Query, name = 'shard'): bigint | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^(?:0x)?[0-9a-f]{1,16}$/i.test(text)) return BigInt(`0x${text.replace(/^0x/i, '')}`)
  if (!/^-?\d+$/.test(text)) throw unreadable(name, text)
  return BigInt.asUintN(64, BigInt(text))
}

/** Reads the first 32 bits of a body; like the server, tries hex before decimal. @throws {HttpError} 422 */
export function opcodeOf(query: Query, name = 'opcode'): number | undefined {
  const text = query.get(name)
  return text === null ? undefined : readOpcode(text, name)
}

/** Reads an opcode. @throws {HttpError} 422 */
export function readOpcode(text: string, name = 'opcode'): number {
  if (/^(?:0x)?[0-9a-f]{1,8}$/i.test(text)) return Number.parseInt(text.replace(/^0x/i, ''), 16)
  if (!/^-?\d+$/.test(text)) throw unreadable(name, text)
  return Number(BigInt.asUintN(32, BigInt(text)))
}

/** Reads one of the allowed values. @throws {HttpError} 422 */
function wordOf<Word extends string>(
  query: Query,
  name: string,
  words: Readonly<Record<string, Word>>,
): Word | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const word = words[text.toLowerCase()]
  if (word === undefined) throw unreadable(name, text)
  return word
}

/** Reads the sort direction. @throws {HttpError} 422 */
export function sortOf(query: Query): 'asc' | 'desc' | undefined {
  return wordOf(query, 'sort', { asc: 'asc', a: 'asc', desc: 'desc', d: 'desc' })
}

/** Reads the direction of messages; undefined for both. @throws {HttpError} 422 */
export function directionOf(query: Query): 'in' | 'out' | undefined {
  const word = wordOf(query, 'direction', { in: 'in', out: 'out', both: 'both' })
  return word === 'both' ? undefined : word
}

function unreadable(name: string, text: string): HttpError {
  return new HttpError(422, `failed to parse request: ${name} cannot be ${JSON.stringify(text)}`)
}
