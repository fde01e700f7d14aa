import { AddressError, parseAddress } from '../address.js'

/** Returns the bits of an integer, as digits. A negative one is written as its two's complement. */
export function uintBits(value: bigint | number, bitLength: number): string {
  return BigInt.asUintN(bitLength, BigInt(value)).toString(2).padStart(bitLength, '0')
}

/** Returns the bits of an amount: its number of bytes in four bits, then the bytes. */
export function coinBits(amount: bigint): string {
  const byteLength = amount === 0n ? 0 : Math.ceil(amount.toString(16).length / 2)
  return uintBits(byteLength, 4) + (byteLength === 0 ? '' : uintBits(amount, byteLength * 8))
}

/**
 * Returns the bits of an address in any format.
 * @throws {AddressError} for another string, and when its workchain does not fit 8 bits.
 */
export function addressBits(address: string): string {
  const { workchain, hash } = parseAddress(address)
  if (workchain < -128 || workchain > 127) {
    throw new AddressError({ input: address, problem: 'its workchain does not fit 8 bits' })
  }
  return `100${uintBits(workchain, 8)}${uintBits(BigInt(`0x${hash}`), 256)}`
}
