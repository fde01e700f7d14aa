import { Injectable } from '@nestjs/common'
import { isTonplugError } from '@tonplug/core'
import { V2Service, V3Service } from '@tonplug/nestjs'
import { PayoutWallet } from './payout-wallet.js'
import type { SignedMessage } from './payout.js'

/** How long a message may take to land. Until it is over, nothing but this message is sent for its payout. */
const VALID_SECONDS = 120
/** How much newer than a message's end the chain must be: shards lag behind the masterchain a little. */
const GRACE_SECONDS = 60
/** How many looks in a row must find nothing: an index may be several servers, of which one is behind. */
const LOOKS = 2

/** Tells by the chain's own time, never by this machine's, until when messages are valid and when they are not any more. */
@Injectable()
export class ChainTime {
  constructor(
    private readonly v2: V2Service,
    private readonly v3: V3Service,
    private readonly wallet: PayoutWallet,
  ) {}

  /** The end of a message that is signed now, Unix seconds. */
  async nextValidUntil(): Promise<number> {
    return (await this.nodeTime()) + VALID_SECONDS
  }

  /**
   * Whether it is certain that a message is in no block and never will be: node and index have all blocks up to its end
   * and beyond, the index does not have it, and the wallet has taken no other message in its place.
   * @throws {WalletInUseError} when the wallet has.
   */
  async isDead({ hash, seqno, validUntil }: SignedMessage): Promise<boolean> {
    const end = validUntil + GRACE_SECONDS
    for (let look = 0; look < LOOKS; look++) {
      // Ahead of the look: what is not there afterwards is in none of the blocks up to this one.
      const { last } = await this.v3.masterchainInfo()
      if (last.gen_utime <= end || (await this.isIndexed(hash))) return false
    }
    if ((await this.nodeTime()) <= end) return false
    const current = await this.wallet.seqno()
    if (current > seqno) throw new WalletInUseError(current, seqno)
    return current === seqno
  }

  /** The time of the newest block that the node has. */
  private async nodeTime(): Promise<number> {
    const { sync_utime } = await this.v2.getAddressInformation({ address: this.wallet.address })
    return sync_utime
  }

  private async isIndexed(hash: string): Promise<boolean> {
    try {
      return (await this.v3.traces({ msg_hash: hash, limit: 1 })).traces.length > 0
    } catch (error) {
      // Some servers say 404 for an empty list.
      if (isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND') return false
      throw error
    }
  }
}

/** The wallet has taken messages that this worker knows nothing of. It pays nothing until a person has looked. */
export class WalletInUseError extends Error {
  override readonly name = 'WalletInUseError'

  constructor(seqno: number, expected: number) {
    super(
      `The wallet is at seqno ${seqno} and not at ${expected}: another program pays from it, or DATA_DIR is an old copy or belongs to another wallet. What is queued may have been paid: compare it with the wallet's history before you start the worker again`,
    )
  }
}
