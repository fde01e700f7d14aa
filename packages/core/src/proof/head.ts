import type { Clock } from '../shared/clock.js'
import { isSameBlock, type BlockId } from './block-id.js'
import { followLinks, type SignedBlock, type TrustedBlock } from './block-links.js'
import type { AnchorStore } from './anchor-store.js'
import { toHex } from '../shared/bytes.js'
import type { Liteserver } from './liteserver.js'
import { demand, ProofError } from './proof-error.js'

export interface HeadOptions {
  liteserver: Liteserver
  /** The block that the first proof starts from. */
  trusted: TrustedBlock
  anchors?: AnchorStore | undefined
  clock: Clock
  /** Milliseconds that the clock and the time of the newest block may differ by. */
  maxHeadAgeMs: number
}

/**
 * Creates a reader of the newest masterchain block that the validators signed. It keeps the newest proven key block, the
 * anchor, which is stored after each answer and never goes back. A walk that is interrupted resumes there.
 *
 * The reader throws a {@link ProofError}: `stale` when the newest block of the server is too old or in the future, and
 * `forked` from the moment that two signed blocks have one number.
 */
export function createHeadReader(
  options: HeadOptions,
): (signal: AbortSignal) => Promise<SignedBlock> {
  const { liteserver, trusted, anchors, clock, maxHeadAgeMs } = options
  const { globalId } = trusted
  let anchor: BlockId | undefined
  let newest: SignedBlock | undefined
  let fork: ProofError | undefined
  return async (signal) => {
    if (fork !== undefined) throw fork
    anchor ??= newerOf(trusted.id, await anchors?.loadBlock(globalId))
    for (;;) {
      const bytes = await liteserver.getBlockProof(anchor, { signal })
      signal.throwIfAborted()
      const { blocks, isComplete } = followLinks(bytes, { id: anchor, globalId })
      for (const block of blocks) noticeFork(block)
      const keyBlock = blocks.findLast(({ isKeyBlock }) => isKeyBlock)
      if (keyBlock !== undefined) {
        await anchors?.saveBlock({ id: keyBlock.id, globalId })
        const stored = await anchors?.loadBlock(globalId)
        signal.throwIfAborted()
        // Another process may have proven another one.
        noticeFork(keyBlock, stored)
        anchor = keyBlock.id
      }
      const last = blocks.at(-1)
      if (last && last.id.seqno >= (newest?.id.seqno ?? 0)) newest = last
      if (isComplete) break
      demand(keyBlock !== undefined, 'malformed', 'the server shows no next key block')
    }
    demand(newest !== undefined, 'stale', 'the server shows no block after the known one')
    const aheadMs = newest.utime * 1000 - clock.nowMs()
    const state = `${Math.abs(Math.round(aheadMs / 1000))} seconds ${aheadMs > 0 ? 'ahead' : 'old'}`
    demand(Math.abs(aheadMs) <= maxHeadAgeMs, 'stale', `the newest block is ${state} by this clock`)
    return newest
  }

  /** More than a third of the weight has signed both: nothing can be believed any more. */
  function noticeFork({ id }: SignedBlock, stored?: BlockId): void {
    const known = [newest?.id, anchor, stored].find((one) => one?.seqno === id.seqno)
    if (known === undefined || isSameBlock(known, id)) return
    const [one, other] = [known, id].map(
      ({ rootHash, fileHash }) => `${toHex(rootHash)}:${toHex(fileHash)}`,
    )
    const problem = `two signed masterchain blocks have the number ${id.seqno}`
    fork = new ProofError('forked', `${problem}: ${one} and ${other}`)
    throw fork
  }
}

/** Returns the block to start from. @throws {ProofError} when the stored one contradicts the trusted one. */
function newerOf(trusted: BlockId, stored: BlockId | undefined): BlockId {
  if (stored === undefined || stored.seqno < trusted.seqno) return trusted
  demand(
    stored.seqno > trusted.seqno || isSameBlock(stored, trusted),
    'mismatch',
    `the stored key block ${stored.seqno} is not the trusted one`,
  )
  return stored
}
