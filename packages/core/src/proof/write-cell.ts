import { createCell, type ProofCell } from './cell.js'
import { demand } from './proof-error.js'

const MAX_BITS = 1023

/**
 * Creates an ordinary cell.
 * @param bits digits 0 and 1
 * @throws {ProofError} for more than 1023 bits.
 */
export function writeCell(bits: string, refs: readonly ProofCell[]): ProofCell {
  const { length } = bits
  demand(length <= MAX_BITS, 'unexpected_data', 'a cell has more than 1023 bits')
  // The last byte that is not full ends with a 1 and zeros.
  const whole = length % 8 === 0 ? bits : `${bits}1`.padEnd(Math.ceil(length / 8) * 8, '0')
  const bytes = Uint8Array.from(whole.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
  return createCell({ kind: 'ordinary', bytes, bitLength: length, refs })
}

/** Returns the bits of an unsigned integer. */
export function uintBits(value: number | bigint, bits: number): string {
  return value.toString(2).padStart(bits, '0')
}

/** Returns the bits of an amount: its number of bytes in four bits, then the bytes. */
export function coinBits(amount: bigint): string {
  const digits = amount === 0n ? '' : amount.toString(2)
  const bytes = Math.ceil(digits.length / 8)
  return uintBits(bytes, 4) + digits.padStart(bytes * 8, '0')
}

/** Returns the bits of an address. @param address canonical; `undefined` for none */
export function addressBits(address: string | undefined): string {
  if (address === undefined) return '00'
  const [workchain = '', hash = ''] = address.split(':')
  return `100${uintBits(Number(workchain) & 0xff, 8)}${uintBits(BigInt(`0x${hash}`), 256)}`
}
