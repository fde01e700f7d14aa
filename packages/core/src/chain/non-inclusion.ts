import { isTonplugError } from '../shared/tonplug-error.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import type { V2Client } from '../toncenter/v2/client.js'
import { MessageExpiredError } from './confirmation-errors.js'
import { hasTransaction } from './find-trace.js'
import { receiverOf } from './normalized-hash.js'
import type { SendCheckpoint } from './send-checkpoint.js'
import type { ChainReader } from './wait-options.js'

/** The index must be this much newer than `validUntil`: shards and their indexing lag behind the masterchain. */
const GRACE_SECONDS = 60
/** Blocks after the newest one that API v2 had at a rejection: nodes differ by some, and its responses are cached. */
const GRACE_BLOCKS = 16
/** Consecutive searches that must find nothing. */
const SEARCHES = 2

/**
 * Proof that no block contains a message and none ever will. A missing message proves nothing until the index has processed
 * the blocks in question. Three conditions must hold. A node rejected the message, or the index has blocks after
 * `validUntil`. The receiver's state at a node, read from API v2, is at least as new as these blocks, so the contract can
 * no longer accept the message. The index has the receiver's last transaction in that state.
 */
export interface NonInclusion {
  /** Records the rejection of a message that was not sent before. @param seqno the newest masterchain block after that */
  reject(error: Error, seqno: number): void
  readonly isRejected: boolean
  /** Reads how far the index is, if the proof needs it. */
  readHead(request: RequestOptions): Promise<void>
  /** Records a search after {@link NonInclusion.readHead}. @throws when the proof is complete. */
  record(isFound: boolean): void
}

type AccountReader = Pick<V2Client, 'getAddressInformation'>

/** Starts without any proof. @param checkpoint must have the message */
export function createNonInclusion(
  { v2, v3 }: { v2: AccountReader; v3: ChainReader },
  checkpoint: SendCheckpoint,
): NonInclusion {
  const { validUntil } = checkpoint
  const receiver = createReceiver(v3, v2, checkpoint)
  let rejection: Rejection | undefined
  let proven: (() => Error) | undefined
  let searches = 0

  return {
    reject(error, seqno) {
      rejection = { error, seqno }
    },
    get isRejected() {
      return rejection !== undefined
    },
    async readHead(request) {
      const isExpired = validUntil !== undefined && v3.clock.nowMs() / 1000 > validUntil
      proven = undefined
      if (rejection === undefined && !isExpired) return
      const { last: head } = await v3.masterchainInfo({}, request)
      proven = errorAt(head, checkpoint, rejection)
      if (proven === undefined || searches < SEARCHES - 1) return
      if (!(await receiver.isIndexed(head.gen_utime, request))) proven = undefined
    },
    record(isFound) {
      searches = isFound || proven === undefined ? 0 : searches + 1
      if (proven !== undefined && searches >= SEARCHES) throw proven()
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
): (() => Error) | undefined {
  if (rejection !== undefined && head.seqno >= rejection.seqno + GRACE_BLOCKS) {
    return () => rejection.error
  }
  const { validUntil } = checkpoint
  if (validUntil !== undefined && head.gen_utime > validUntil + GRACE_SECONDS) {
    const cause = rejection?.error
    return () => new MessageExpiredError({ checkpoint, status: 'unseen', validUntil, cause })
  }
  return undefined
}

interface Receiver {
  /** Returns true if the index has its last transaction. @param utime time of the index's newest block, Unix seconds */
  isIndexed(utime: number, request: RequestOptions): Promise<boolean>
}

function createReceiver(
  v3: ChainReader,
  v2: AccountReader,
  { boc = '' }: SendCheckpoint,
): Receiver {
  let since: number | undefined
  /** The hash; empty without a transaction. */
  let last: string | undefined

  /** Returns `undefined` while the node is behind or does not respond. */
  const readLast = async (utime: number, request: RequestOptions): Promise<string | undefined> => {
    try {
      const address = receiverOf(boc)
      const state = await v2.getAddressInformation({ address }, request)
      if (state.sync_utime < utime) return undefined
      const { lt, hash } = state.last_transaction_id
      return lt === 0n ? '' : hash
    } catch (error) {
      request.signal?.throwIfAborted()
      if (isTonplugError(error)) return undefined
      throw error
    }
  }

  return {
    async isIndexed(utime, request) {
      // Later transactions are irrelevant to the message.
      since ??= utime
      last ??= await readLast(since, request)
      if (last === undefined) return false
      return last === '' || (await hasTransaction(v3, last, request))
    },
  }
}
