import { canonicalAddress, NATIVE_ASSET } from '@tonplug/core'
import type { V3Client, V3Transaction } from '@tonplug/core'
import type { DepositSource } from './deposit-source.js'
import type { Deposit } from './deposit.js'
import { sourceName } from './source-name.js'

/**
 * Coins that a jetton wallet sends along: with the notice of a transfer, and what is left of the fees of one. They are
 * nobody's deposit; those of a transfer that empties a deposit address are your own. Source: TEP-74.
 */
const NOTICE = 0x7362d09c
const EXCESSES = 0xd53276db

/** Native coin that the addresses receive. */
export function nativeDeposits(
  v3: V3Client,
  addresses: readonly string[],
): DepositSource<V3Transaction> {
  // One spelling, so that the cursor fits however they are spelt next time.
  const account = addresses.map(canonicalAddress)
  return {
    name: sourceName('native', account),
    follow: (options) => v3.transactions.follow({ account }, options),
    read: (transactions) => ({
      deposits: transactions
        .map(nativeDepositOf)
        .filter((deposit) => deposit !== undefined)
        .filter(({ address }) => account.includes(address)),
      isUnderWay: false,
    }),
  }
}

/**
 * What a transaction brought to its account; `undefined` when nothing came, or nothing stayed.
 *
 * `aborted` does not count. A transfer to an account without a contract is aborted, since there is no code to run, and
 * its coins are there all the same. Coins that could not be received go back, and that is the bounce phase. A message
 * that may not bounce leaves its coins even with a contract that fails.
 */
function nativeDepositOf(transaction: V3Transaction): Deposit | undefined {
  const { account, hash, now, in_msg: message, description } = transaction
  // Without a source it is the owner's own order from outside, without a message the clock's tick.
  if (message?.source === undefined || !message.value) return undefined
  // What this account sent came back.
  if (message.bounced === true) return undefined
  if (description.bounce !== undefined) return undefined
  if ([NOTICE, EXCESSES].includes(Number(message.opcode))) return undefined
  return {
    txHash: hash,
    messageHash: message.hash,
    address: canonicalAddress(account),
    asset: NATIVE_ASSET,
    amount: message.value,
    sender: canonicalAddress(message.source),
    at: new Date(now * 1000),
  }
}
