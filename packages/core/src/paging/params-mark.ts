import { canonicalAddress } from '../address/address.js'
import { AddressError } from '../errors/address.js'
import type { WireParams } from '../schema/check-params.js'

/**
 * A short text that tells parameters apart, for cursors: the same for another spelling of an address, another order of
 * names or of a list's values.
 */
export function markOf(params: WireParams): string {
  const names = Object.keys(params)
    .filter((name) => params[name] !== undefined)
    .toSorted()
  const text = JSON.stringify(names.map((name) => [name, spell(params[name])]))
  return hash32(text, 0x81_1c_9d_c5) + hash32(text, 0x01_23_45_67)
}

function spell(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(spellOne))].toSorted()
  return spellOne(value)
}

function spellOne(value: unknown): string {
  if (typeof value !== 'string') return String(value)
  try {
    return canonicalAddress(value)
  } catch (error) {
    if (error instanceof AddressError) return value
    throw error
  }
}

/** FNV-1a, as hex. It need not resist anybody. */
function hash32(text: string, seed: number): string {
  let hash = seed
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
