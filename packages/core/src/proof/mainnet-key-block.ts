import { decodeHex } from '../shared/base64.js'
import { MASTERCHAIN, WHOLE_SHARD } from './block-id.js'
import type { TrustedBlock } from './block-links.js'

/**
 * The key block of mainnet that `signedBlocks` trusts unless you name another one. Each release renews it. Compare it with a
 * source of your own: everything is proven from it.
 */
export const MAINNET_KEY_BLOCK: TrustedBlock & {
  /** Its time, in Unix seconds. */
  utime: number
} = {
  globalId: -239,
  id: {
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: 59_379_986,
    rootHash: decodeHex('4a46b58c0ee1187f7a904fb27363e8dd2c49dc3a8c695632d52205201f1e69a9'),
    fileHash: decodeHex('cb7b0e0feb58d8fa0d705dc377a60136ba9abe5184c8bdd81acec68d1590c1b4'),
  },
  utime: 1_775_775_496,
}
