import { Injectable } from '@nestjs/common'
import { isTonplugError } from '@tonplug/core'
import { V2Service, V3Service } from '@tonplug/nestjs'
import { PayoutWallet } from './payout-wallet.js'
import type { SignedMessage } from './payout.js'

/** Validity of a message. Until it has expired, no other message is sent for its payout. */
const VALID_SECONDS = 120
/** Delay after the expiry, because shards lag slightly behind the masterchain. */
const GRACE_SECONDS = 60
/** Consecutive lookups that must find nothing, because one of several index servers may lag. */
const LOOKUPS = 2

/** Determines the validity of messages by the time of the chain, never by the local clock. */
@Injectable()
export class ChainTime {
  constructor(
    private readonly v2: V2Service,
    private readonly v3: V3Service,
    private readonly wallet: PayoutWallet,
  ) {}

  /** Returns the expiry for a new message, in Unix seconds. */
  async nextValidUntil(): Promise<number> {
    return (await this.nodeTime()) + VALID_SECONDS
  }

  /**
   * Returns true if the wallet has not executed a message and never will: node and index have all blocks up to its expiry
   * and beyond, the index has no execution of the message, and the wallet has not used its seqno.
   * @throws {WalletInUseError} when another message used the seqno.
   */
  async isExpired({ hash, seqno, validUntil }: SignedMessage): Promise<boolean> {
    const expiry = validUntil + GRACE_SECONDS
    for (let lookup = 0; lookup < LOOKUPS; lookup++) {
      // Read before the lookup: a message that is then missing is in none of the blocks up to this one.
      const { last } = await this.v3.masterchainInfo()
      if (last.gen_utime <= expiry || (await this.isExecuted(hash))) return false
    }
    if ((await this.nodeTime()) <= expiry) return false
    const current = await this.wallet.seqno()
    if (current > seqno) throw new WalletInUseError(current, seqno)
    return current === seqno
  }

  /** Returns the time of the node's newest block. */
  private async nodeTime(): Promise<number> {
    const { sync_utime } = await this.v2.getAddressInformation({ address: this.wallet.address })
    return sync_utime
  }

  /** Returns true if the index has an execution of the message that the wallet has not undone. */
  private async isExecuted(hash: string): Promise<boolean> {
    try {
      const { traces } = await this.v3.traces({ msg_hash: hash, sort: 'desc', limit: 1 })
      return traces.some(({ transactions = {}, transactions_order: [first = ''] }) => {
        return transactions[first]?.description.aborted !== true
      })
    } catch (error) {
      // Some servers respond with 404 for an empty list.
      if (isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND') return false
      throw error
    }
  }
}

/** Thrown when the wallet has sent messages of another program. Requires an operator. */
export class WalletInUseError extends Error {
  override readonly name = 'WalletInUseError'

  constructor(seqno: number, expected: number) {
    super(
      `The wallet's seqno is ${seqno}; expected ${expected}. Another program pays from it, or DATA_DIR is outdated or belongs to another wallet. Queued payouts may have been paid: compare them with the wallet's history before you restart the worker`,
    )
  }
}
