import { MessageExpiredError } from '../errors/confirmation.js'
import type { RequestOptions } from '../transport/options.js'
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
 * that it is no sign of anything that the index does not have it: only blocks that it has count.
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

/** Nothing is known yet. */
export function createAbsence(v3: ChainReader, resume: ResumePoint): Absence {
  const { validUntil } = resume
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
    },
    record(isFound) {
      looks = isFound || certain === undefined ? 0 : looks + 1
      if (certain !== undefined && looks >= LOOKS) throw certain()
    },
  }
}
