// CRC-32C (Castagnoli), reflected.
const POLYNOMIAL = 0x82f63b78

/** The checksum that a bag of cells may end with. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL
  }
  return ~crc >>> 0
}
