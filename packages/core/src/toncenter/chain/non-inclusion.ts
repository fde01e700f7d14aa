import type { RequestOptions } from '../transport/call-options.js'
import type { V2Client } from '../v2/client.js'
import { MessageExpiredError } from './confirmation-errors.js'
import { hasTransaction, unlessFailed } from './find-trace.js'
import { receiverOf } from './normalized-hash.js'
import type { SendCheckpoint } from './send-checkpoint.js'
import type { ChainReader } from './wait-options.js'

/** The index must be this much newer than `validUntil`: shards and their indexing lag behind the masterchain. */
const GRACE_SECONDS = 60
/** Blocks after the newest one that API v2 had at a rejection: nodes differ by some, and its responses are cached. */
const GRACE_BLOCKS = 16
/** Consecutive searches that must find nothing. */
const SEARCHES = 2

export type NonInclusion = ReturnType<typeof createNonInclusion>

type AccountReader = Pick<V2Client, 'getAddressInformation'>

/**
 * Collects the proof that no block contains a message and none ever will. A missing message proves nothing until the index
 * has processed the blocks in question. Three conditions must hold. A node rejected the message, or the index has blocks
 * after `validUntil`. The receiver's state at a node, read from API v2, is at least as new as these blocks, so the contract
 * can no longer accept the message. The index has the receiver's last transaction in that state.
 * @param checkpoint must have the message
 */
export function createNonInclusion(
  { v2, v3 }: { v2: AccountReader; v3: ChainReader },
  checkpoint: SendCheckpoint,
) {
  const { boc = '', validUntil = Infinity } = checkpoint
  let rejection: Rejection | undefined
  let proven: Error | undefined
  let searches = 0
  let sinceUtime: number | undefined
  let lastHash: string | undefined

  /** Returns true if the index has the receiver's last transaction. @param utime time of the index's newest block */
  const isReceiverIndexed = async (utime: number, request: RequestOptions): Promise<boolean> => {
    // Later transactions are irrelevant to the message.
    sinceUtime ??= utime
    lastHash ??= await readLastHash(v2, { boc, utime: sinceUtime, request })
    if (lastHash === undefined) return false
    return lastHash === '' || (await hasTransaction(v3, lastHash, request))
  }

  return {
    /** Records the rejection of a message that was not sent before. @param seqno the newest masterchain block after that */
    reject(error: Error, seqno: number): void {
      rejection = { error, seqno }
    },
    get isRejected(): boolean {
      return rejection !== undefined
    },
    /** Reads how far the index is, if the proof needs it. */
    async readHead(request: RequestOptions): Promise<void> {
      proven = undefined
      if (rejection === undefined && v3.clock.nowMs() / 1000 <= validUntil) return
      const { last: head } = await v3.masterchainInfo({}, request)
      const error = errorAt(head, checkpoint, rejection)
      if (error === undefined) return
      const isLastSearch = searches >= SEARCHES - 1
      if (!isLastSearch || (await isReceiverIndexed(head.gen_utime, request))) proven = error
    },
    /** Records a search after `readHead`. @throws when the proof is complete. */
    record(isFound: boolean): void {
      searches = isFound || proven === undefined ? 0 : searches + 1
      if (proven !== undefined && searches >= SEARCHES) throw proven
    },
  }
}

interface Rejection {
  error: Error
  /** The newest masterchain block after it. */
  seqno: number
}

/** Returns the error if the message can only be in the blocks up to this one. */
function errorAt(
  head: { seqno: number; gen_utime: number },
  checkpoint: SendCheckpoint,
  rejection: Rejection | undefined,
): Error | undefined {
  if (rejection !== undefined && head.seqno >= rejection.seqno + GRACE_BLOCKS) {
    return rejection.error
  }
  const { validUntil } = checkpoint
  if (validUntil === undefined || head.gen_utime <= validUntil + GRACE_SECONDS) return undefined
  const cause = rejection?.error
  return new MessageExpiredError({ checkpoint, status: 'unseen', validUntil, cause })
}

/**
 * Returns the hash of the receiver's last transaction; an empty string without one; `undefined` while the node is behind
 * `utime` or does not respond.
 */
async function readLastHash(
  v2: AccountReader,
  { boc, utime, request }: { boc: string; utime: number; request: RequestOptions },
): Promise<string | undefined> {
  const read = async () => v2.getAddressInformation({ address: receiverOf(boc) }, request)
  const state = await unlessFailed(read(), request.signal)
  if (state === undefined || state.sync_utime < utime) return undefined
  const { lt, hash } = state.last_transaction_id
  return lt === 0n ? '' : hash
}
