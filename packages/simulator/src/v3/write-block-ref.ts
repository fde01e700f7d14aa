import type { Json } from './json.js'

/** The shard of a workchain that was never split, in hex. */
export const WHOLE_SHARD = '8000000000000000'

/** A block's place. */
export function writeBlockRef(workchain: number, seqno: number): Json {
  return { workchain, shard: WHOLE_SHARD, seqno }
}
