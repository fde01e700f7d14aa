import { isTonplugError } from '@tonplug/core'
import type { V2Client, V3Client } from '@tonplug/core/toncenter'
import type { SignedMessage } from './payout-queue.js'
import type { PayoutWallet } from './payout-wallet.js'

/** Until a message has expired, no other one is signed for its payout. */
const VALID_SECONDS = 120
/** Delay after the expiry, because shards lag slightly behind the masterchain. */
const GRACE_SECONDS = 60
/** Consecutive lookups that must find nothing, because one of several index servers may lag. */
const LOOKUPS = 2

interface Chain {
  v2: V2Client
  v3: V3Client
  wallet: PayoutWallet
}

/** Returns the expiry of a new message, in Unix seconds, by the time of the chain: the local clock may be wrong. */
export async function nextExpiry(chain: Chain): Promise<number> {
  return (await nodeTime(chain)) + VALID_SECONDS
}

/**
 * Returns true if the wallet has not executed a message and never will: index and node have all blocks up to its expiry and
 * beyond, and the index has no execution that the wallet has not undone.
 */
export async function isExpired(
  chain: Chain,
  { hash, validUntil }: SignedMessage,
): Promise<boolean> {
  const expiry = validUntil + GRACE_SECONDS
  for (let lookup = 0; lookup < LOOKUPS; lookup++) {
    // Read before the lookup: a message that is then missing is in none of the blocks up to this one.
    const { last } = await chain.v3.masterchainInfo()
    if (last.gen_utime <= expiry || (await isExecuted(chain, hash))) return false
  }
  return (await nodeTime(chain)) > expiry
}

/** Returns the time of the node's newest block. */
async function nodeTime({ v2, wallet }: Chain): Promise<number> {
  return (await v2.getAddressInformation({ address: wallet.address })).sync_utime
}

async function isExecuted({ v3 }: Chain, hash: string): Promise<boolean> {
  try {
    const { traces } = await v3.traces({ msg_hash: hash, sort: 'desc', limit: 1 })
    return traces.some(
      ({ transactions = {}, transactions_order: [first = ''] }) =>
        transactions[first]?.description.aborted !== true,
    )
  } catch (error) {
    // Some servers respond with 404 for an empty list.
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND') return false
    throw error
  }
}
