import { AddressError, canonicalAddress } from '../../shared/address.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { isObject } from '../../shared/is-object.js'
import type { WireParams } from '../schema/params-object.js'
import { invalidOption } from './errors.js'

/** A position in a list: plain JSON values that can be stored. `undefined` means absent. */
export interface Position {
  readonly [key: string]: string | number | readonly string[] | undefined
}

/** Progress of a paginator or a watch as plain JSON. Pass it to a later one with the same parameters to continue there. */
export interface Cursor {
  readonly endpoint: string
  /** The position after the last delivered item; `null` if none was delivered. */
  readonly position: Position | null
  /** A digest of the parameters. A cursor with another digest is refused. */
  readonly filter?: string | undefined
  /** `true` at the end of the list. A paginator that continues from there delivers nothing. */
  readonly isDone: boolean
}

export interface Progress<At extends Position> {
  /** Absent before the first item. */
  position: At | undefined
  isDone: boolean
}

/**
 * Reads a cursor option.
 * @param parse returns `undefined` for an invalid position
 * @throws {InvalidParamsError} if the cursor is invalid, or belongs to another endpoint or other parameters.
 */
export function readCursor<At extends Position>(
  { endpoint, filter }: { endpoint: string; filter: string | undefined },
  cursor: unknown,
  parse: (position: Position) => At | undefined,
): Progress<At> {
  if (cursor === undefined) return { position: undefined, isDone: false }
  if (!isCursor(cursor)) throw invalidOption(endpoint, 'cursor', 'must be what cursor() returned')
  if (cursor.endpoint !== endpoint) {
    throw invalidOption(endpoint, 'cursor', `belongs to ${cursor.endpoint}`)
  }
  if (cursor.filter !== undefined && filter !== undefined && cursor.filter !== filter) {
    const problem = 'was made with other parameters; pass the same ones, or no cursor'
    throw invalidOption(endpoint, 'cursor', problem)
  }
  const { position, isDone } = cursor
  if (position === null) return { position: undefined, isDone }
  const at = parse(position)
  if (at !== undefined) return { position: at, isDone }
  throw invalidOption(endpoint, 'cursor.position', 'must be what cursor() returned')
}

function isCursor(value: unknown): value is Cursor {
  if (!isObject(value)) return false
  const { endpoint, position, isDone, filter = '' } = value
  return (
    typeof endpoint === 'string' &&
    typeof position === 'object' &&
    typeof isDone === 'boolean' &&
    typeof filter === 'string'
  )
}

/**
 * Returns a digest of parameters for cursors. Formats of an address, the order of names and the order of a list do not
 * change it.
 */
export function digestOf(params: WireParams): string {
  const names = Object.keys(params)
    .filter((name) => params[name] !== undefined)
    .toSorted()
  const text = JSON.stringify(names.map((name) => [name, canonical(params[name])]))
  return hash32(text, 0x81_1c_9d_c5) + hash32(text, 0x01_23_45_67)
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(canonicalValue))].toSorted()
  return canonicalValue(value)
}

/** No format of an address is shorter. An error for each other value would cost more than the rest of the digest. */
const MIN_ADDRESS_LENGTH = 48

function canonicalValue(value: unknown): string {
  if (typeof value !== 'string' || value.length < MIN_ADDRESS_LENGTH) return String(value)
  return undefinedOn(AddressError, () => canonicalAddress(value)) ?? value
}

/** Returns the FNV-1a hash in hex. It need not resist attacks. */
function hash32(text: string, seed: number): string {
  let hash = seed
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
