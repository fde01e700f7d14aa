// Reads the key block of mainnet that `signedBlocks` trusts by default.
export const KEY_BLOCK_FILE = 'packages/core/src/proof/mainnet-key-block.ts'

/** @param text the source @returns a trusted block, with its time in Unix seconds */
export function readKeyBlock(text) {
  const find = (pattern) => {
    const found = pattern.exec(text)?.[1]
    if (found === undefined) throw new Error(`${pattern} is not part of the file`)
    return found
  }
  const number = (name) => Number(find(new RegExp(`${name}: (-?[\\d_]+)`)).replaceAll('_', ''))
  const hash = (name) => Buffer.from(find(new RegExp(`${name}: decodeHex\\('(\\w{64})'`)), 'hex')
  return {
    globalId: number('globalId'),
    id: {
      workchain: -1,
      shard: 1n << 63n,
      seqno: number('seqno'),
      rootHash: hash('rootHash'),
      fileHash: hash('fileHash'),
    },
    utime: number('utime'),
  }
}
