import { Address } from '@ton/core'
import { Refusal } from '../refusal.js'

/** The parameters of a question, as `URLSearchParams` holds them: an array repeats its key. */
type Query = URLSearchParams

const HEX_HASH = /^(?:0x)?[0-9a-f]{64}$/i
const BASE64_HASH = /^[\w+/-]{43}=$/
const RAW_ADDRESS = /^-?\d+:[0-9a-f]{64}$/i
const FRIENDLY_ADDRESS = /^[\w+/-]{48}$/

/** The accounts of a parameter, each friendly or raw. @throws {Refusal} 422 */
export function addressesOf(query: Query, ...names: readonly string[]): Address[] {
  return names.flatMap((name) => query.getAll(name).map((text) => readAddress(name, text)))
}

/** One account. @throws {Refusal} 422 */
export function addressOf(query: Query, name: string): Address | undefined {
  return addressesOf(query, name)[0]
}

/** One account that the question cannot be answered without. @throws {Refusal} 401 without it, 422 */
export function neededAddress(text: unknown, name = 'address'): Address {
  if (typeof text !== 'string' || text === '') throw new Refusal(401, `${name} is required`)
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

/** The hashes of a parameter, in the base64 that answers have. @throws {Refusal} 422 */
export function hashesOf(query: Query, ...names: readonly string[]): string[] {
  return names.flatMap((name) => query.getAll(name).map((text) => readHash(name, text)))
}

function readHash(name: string, text: string): string {
  if (HEX_HASH.test(text)) return Buffer.from(text.slice(-64), 'hex').toString('base64')
  if (!BASE64_HASH.test(text)) throw unreadable(name, text)
  return Buffer.from(text, 'base64url').toString('base64')
}

/** A whole number; the server cuts off what stands behind a point. @throws {Refusal} 422 */
export function integerOf(query: Query, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw unreadable(name, text)
  return Math.trunc(Number(text))
}

/** A number of 64 bits. @throws {Refusal} 422 */
export function bigintOf(query: Query, name: string): bigint | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^-?\d+$/.test(text)) throw unreadable(name, text)
  return BigInt(text)
}

/** `true`, `1`, `false` or `0`. @throws {Refusal} 422 */
export function flagOf(query: Query, name: string, otherwise = false): boolean {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^(?:true|false|0|1)$/i.test(text)) throw unreadable(name, text)
  return /^(?:true|1)$/i.test(text)
}

/** A shard: hex comes before decimal, as the server tries it. 64 bits without a sign. @throws {Refusal} 422 */
export function shardOf(query: Query, name = 'shard'): bigint | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^(?:0x)?[0-9a-f]{1,16}$/i.test(text)) return BigInt(`0x${text.replace(/^0x/i, '')}`)
  if (!/^-?\d+$/.test(text)) throw unreadable(name, text)
  return BigInt.asUintN(64, BigInt(text))
}

/** The first 32 bits of a body: hex comes before decimal, as the server tries it. @throws {Refusal} 422 */
export function opcodeOf(query: Query, name = 'opcode'): number | undefined {
  const text = query.get(name)
  return text === null ? undefined : readOpcode(text, name)
}

/** An opcode as the server reads it. @throws {Refusal} 422 */
export function readOpcode(text: string, name = 'opcode'): number {
  if (/^(?:0x)?[0-9a-f]{1,8}$/i.test(text)) return Number.parseInt(text.replace(/^0x/i, ''), 16)
  if (!/^-?\d+$/.test(text)) throw unreadable(name, text)
  return Number(BigInt.asUintN(32, BigInt(text)))
}

/** One of a few words. @throws {Refusal} 422 */
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

/** Which way a list goes. @throws {Refusal} 422 */
export function sortOf(query: Query): 'asc' | 'desc' | undefined {
  return wordOf(query, 'sort', { asc: 'asc', a: 'asc', desc: 'desc', d: 'desc' })
}

/** The side that a question is about; undefined for both. @throws {Refusal} 422 */
export function directionOf(query: Query): 'in' | 'out' | undefined {
  const word = wordOf(query, 'direction', { in: 'in', out: 'out', both: 'both' })
  return word === 'both' ? undefined : word
}

function unreadable(name: string, text: string): Refusal {
  return new Refusal(422, `failed to parse request: ${name} cannot be ${JSON.stringify(text)}`)
}
