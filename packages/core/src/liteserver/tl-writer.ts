import type { BlockId } from '../proof/block-id.js'

/** Writes the TL format. Integers are little-endian. */
export function tlInt(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value | 0)
  return bytes
}

export function tlLong(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** Writes fewer than 16 MiB. */
export function tlBytes(content: Uint8Array): Uint8Array {
  const { length } = content
  const head = length < 254 ? [length] : [254, length & 0xff, (length >> 8) & 0xff, length >> 16]
  const padding = Buffer.alloc(-(head.length + length) & 3)
  return Buffer.concat([Buffer.from(head), content, padding])
}

export function tlBlockId({ workchain, shard, seqno, rootHash, fileHash }: BlockId): Uint8Array {
  return Buffer.concat([tlInt(workchain), tlLong(shard), tlInt(seqno), rootHash, fileHash])
}
