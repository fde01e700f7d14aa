import { Address, Cell, Dictionary, ExternalAddress } from '@ton/core'

/** A value without functions, cells and addresses as texts, so that equal ones are equal. */
export function comparable(value: unknown): unknown {
  if (value instanceof Cell) return value.hash().toString('hex')
  if (value instanceof Address) return value.toRawString()
  if (value instanceof ExternalAddress) return `${value.bits} bits: ${value.value}`
  if (value instanceof Dictionary) return [...value].map(comparable)
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => typeof member !== 'function' && member !== undefined)
      .map(([name, member]) => [name, comparable(member)]),
  )
}
