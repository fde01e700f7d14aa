import type { BlockId } from './block-id.js'
import type { TrustedBlock } from './block-links.js'

/** Stores the newest proven key block of each network. */
export interface AnchorStore {
  /** Returns the stored block; `undefined` at first. */
  load(globalId: number): Promise<BlockId | undefined>
  /** Stores a block, unless the stored one is newer: it never goes back, whichever process saves. */
  save(block: TrustedBlock): Promise<void>
}
