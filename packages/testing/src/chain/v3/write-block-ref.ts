import type { Json } from './json.js'

/** A shard that has never been split, in hex. */
export const WHOLE_SHARD = '8000000000000000'

/** A block's place. */
export function writeBlockRef(workchain: number, seqno: number): Json {
  return { workchain, shard: WHOLE_SHARD, seqno }
}
