import { canonicalAddress, NATIVE_ASSET } from '@tonplug/core'
import type { V3Client, V3Transaction } from '@tonplug/core/toncenter'
import type { DepositSource } from './deposit-source.js'
import type { Deposit } from './deposit.js'
import { sourceName } from './source-name.js'

/**
 * Opcodes of a jetton wallet's messages: the notification of a transfer, and unused fees. Their coins are not deposits.
 * Source: TEP-74.
 */
const TRANSFER_NOTIFICATION = 0x7362d09c
const EXCESSES = 0xd53276db

/** Creates the source of native coin deposits. */
export function nativeDeposits(
  v3: V3Client,
  addresses: readonly string[],
): DepositSource<V3Transaction> {
  // Canonical, so that the cursor stays valid if the settings contain another address format.
  const account = addresses.map(canonicalAddress)
  return {
    name: sourceName('native', account),
    watch: (options) => v3.transactions.watch({ account }, options),
    read: (transactions) => ({
      deposits: transactions
        .map(toDeposit)
        .filter((deposit) => deposit !== undefined)
        .filter(({ address }) => account.includes(address)),
      isIncomplete: false,
    }),
  }
}

/**
 * Returns the deposit of a transaction; undefined if the account received or kept no coins.
 *
 * `aborted` is irrelevant. A transfer to an account without a contract is aborted, because there is no code to run, but
 * its coins stay. Rejected coins return in the bounce phase. A non-bounceable message leaves its coins even if the
 * contract fails.
 */
function toDeposit(transaction: V3Transaction): Deposit | undefined {
  const { account, hash, now, in_msg: message, out_msgs, description } = transaction
  // External messages have no source, and tick-tock transactions have no message.
  if (message?.source === undefined || !message.value) return undefined
  // A message of this account that was returned.
  if (message.bounced === true) return undefined
  if (description.bounce !== undefined) return undefined
  if (out_msgs.some(({ bounced }) => bounced === true)) return undefined
  if ([TRANSFER_NOTIFICATION, EXCESSES].includes(Number(message.opcode))) return undefined
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
