import { readTestdata } from '@tonplug/test-support/testdata'

/** A recorded transaction, with what its cell must give. */
export interface RecordedTransaction {
  account: string
  lt: string
  hash: string
  prev_lt: string
  prev_hash: string
  op: string
  in: 'internal' | 'external-in'
  boc: string
}

export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}

export function recordedTransactions(): RecordedTransaction[] {
  return JSON.parse(readTestdata('proofs/transactions.json')).transactions
}

/** Returns the bytes of a file of hex digits; lines that start with `#` are comments. */
export function recordedBytes(file: string): Uint8Array {
  const lines = readTestdata(`proofs/${file}`).split('\n')
  return fromHex(lines.filter((line) => !line.startsWith('#')).join(''))
}

/** Returns the values of a file of lines `name=value`. */
export function recordedValues(file: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const [, name = '', value = ''] of readTestdata(`proofs/${file}`).matchAll(
    /^(?:# )?(\w+)=(.*)$/gm,
  )) {
    values.set(name, value)
  }
  return values
}

/** Returns the bytes with one bit changed. */
export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = new Uint8Array(bytes)
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
  return changed
}
