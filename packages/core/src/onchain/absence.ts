import { MessageExpiredError } from '../errors/confirmation.js'
import { isTonplugError } from '../errors/tonplug-error.js'
import type { RequestOptions } from '../transport/options.js'
import type { V2Client } from '../v2/client.js'
import { hasTransaction } from './look-for-trace.js'
import { receiverOf } from './normalized-hash.js'
import type { ResumePoint } from './resume-point.js'
import type { ChainReader } from './wait-options.js'

/** How much newer than `validUntil` the index must be: shards and their indexing lag behind the masterchain a little. */
const GRACE_SECONDS = 60
/** How many blocks beyond the newest one that v2 had at a refusal: nodes differ by some, and its answers are cached. */
const GRACE_BLOCKS = 16
/** How many looks in a row must find nothing. */
const LOOKS = 2

/**
 * Decides when it is certain that a message is in no block. The index may be behind the node that refused a message, so
 * that it is no sign of anything that the index does not have it: only blocks that it has count. What tells its newest
 * block may be another server than what searches it, so the search must also find the receiver's last transaction, where
 * API v2 can tell which one that is.
 */
export interface Absence {
  /** A node refused the message, which nobody can have sent before. @param seqno the newest masterchain block after that */
  refuse(error: Error, seqno: number): void
  readonly isRefused: boolean
  /** Asks how far the index is, when that matters. */
  readHead(request: RequestOptions): Promise<void>
  /** Tells of a look after {@link Absence.readHead}. @throws when it is certain now that the message never lands. */
  record(isFound: boolean): void
}

/** As much of a client of API v2 as tells the last transaction of an account. */
type AccountReader = Pick<V2Client, 'getAddressInformation'>

/** Nothing is known yet. @param v2 where there is one; with it, `resume` must have the message */
export function createAbsence(v3: ChainReader, resume: ResumePoint, v2?: AccountReader): Absence {
  const { validUntil } = resume
  const receiver = v2 && createReceiver(v3, v2, resume)
  let refusal: { error: Error; seqno: number } | undefined
  let certain: (() => Error) | undefined
  let looks = 0

  /** Why the message never lands, if it is not in the blocks up to this one. */
  const judge = (head: { seqno: number; gen_utime: number }): (() => Error) | undefined => {
    const refused = refusal
    if (refused !== undefined && head.seqno >= refused.seqno + GRACE_BLOCKS) {
      return () => refused.error
    }
    if (validUntil !== undefined && head.gen_utime > validUntil + GRACE_SECONDS) {
      const cause = refused?.error
      return () => new MessageExpiredError({ resume, status: 'unseen', validUntil, cause })
    }
    return undefined
  }

  return {
    refuse(error, seqno) {
      refusal = { error, seqno }
    },
    get isRefused() {
      return refusal !== undefined
    },
    async readHead(request) {
      const isExpired = validUntil !== undefined && v3.clock.nowMs() / 1000 > validUntil
      const matters = refusal !== undefined || isExpired
      const head = matters ? (await v3.masterchainInfo({}, request)).last : undefined
      certain = head === undefined ? undefined : judge(head)
      if (head === undefined || certain === undefined || looks < LOOKS - 1) return
      if ((await receiver?.isShown(head.gen_utime, request)) === false) certain = undefined
    },
    record(isFound) {
      looks = isFound || certain === undefined ? 0 : looks + 1
      if (certain !== undefined && looks >= LOOKS) throw certain()
    },
  }
}

/** The account that the message is for. */
interface Receiver {
  /** Whether a search of the index finds its last transaction. @param utime of the index's newest block, Unix seconds */
  isShown(utime: number, request: RequestOptions): Promise<boolean>
}

function createReceiver(v3: ChainReader, v2: AccountReader, { boc = '' }: ResumePoint): Receiver {
  let since: number | undefined
  /** Its hash; empty when there is none. */
  let last: string | undefined

  /** @returns nothing while the node is behind, or does not answer. */
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
    async isShown(utime, request) {
      // Once is enough: what came later says nothing about the message.
      since ??= utime
      last ??= await readLast(since, request)
      if (last === undefined) return false
      return last === '' || (await hasTransaction(v3, last, request))
    },
  }
}
