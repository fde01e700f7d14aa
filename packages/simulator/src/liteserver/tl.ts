/** A block's id as the schema has it: `tonNode.blockIdExt`. */
export interface NetworkBlockId {
  workchain: number
  shard: bigint
  seqno: number
  rootHash: Buffer
  fileHash: Buffer
}

export function tlInt(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value | 0)
  return bytes
}

export function tlBool(value: boolean): Buffer {
  return tlInt(value ? 0x997275b5 : 0xbc799737)
}

export function tlBytes(content: Buffer): Buffer {
  const { length } = content
  const head =
    length < 254
      ? Buffer.from([length])
      : Buffer.from([254, length & 0xff, (length >> 8) & 0xff, length >> 16])
  const padding = Buffer.alloc((4 - ((head.length + length) % 4)) % 4)
  return Buffer.concat([head, content, padding])
}

export function tlBlockId({ workchain, shard, seqno, rootHash, fileHash }: NetworkBlockId): Buffer {
  const prefix = Buffer.alloc(8)
  prefix.writeBigUInt64LE(shard)
  return Buffer.concat([tlInt(workchain), prefix, tlInt(seqno), rootHash, fileHash])
}
