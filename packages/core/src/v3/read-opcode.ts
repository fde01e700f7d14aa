import { refuse } from '../schema/mismatch.js'

/** Reads an opcode as text; a number reads to the text that servers send otherwise. */
export function readOpcode(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('an opcode', value)
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`
}
