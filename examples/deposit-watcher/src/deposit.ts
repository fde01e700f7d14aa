import { Cell } from '@ton/core'
import { canonicalAddress, NATIVE_ASSET } from '@tonplug/core'
import type { V3Message, V3Transaction } from '@tonplug/core/toncenter'

/** Coins or jettons that arrived for a deposit address and stay there. */
export interface Deposit {
  /** The hash of the transaction that received them, which identifies the deposit. */
  hash: string
  /** The deposit address in canonical form. */
  address: string
  /** `TON`, or the jetton's master in canonical form. */
  asset: string
  /** In base units. */
  amount: bigint
  /** The time of arrival. */
  at: Date
}

/** Accounts that receive deposits, in canonical form: each with the deposit address and the asset that it holds for it. */
export type DepositAccounts = Map<string, Pick<Deposit, 'address' | 'asset'>>

/** Opcodes of the messages of jetton wallets. Source: TEP-74. */
const INTERNAL_TRANSFER = 0x178d4519
const TRANSFER_NOTIFICATION = 0x7362d09c
const EXCESSES = 0xd53276db

/** Returns the deposit of a transaction; undefined if none of the accounts received and kept anything. */
export function readDeposit(transaction: V3Transaction, accounts: DepositAccounts) {
  const { hash, now, in_msg: message } = transaction
  // Servers ignore unknown filters.
  const held = accounts.get(canonicalAddress(transaction.account))
  // External messages have no source, tick-tock transactions have no message, and a bounced one was this account's own.
  if (held === undefined || message?.source === undefined || message.bounced === true) {
    return undefined
  }
  const read = held.asset === NATIVE_ASSET ? readCoins : readJettons
  const amount = read(transaction, message)
  return amount === 0n ? undefined : { ...held, hash, amount, at: new Date(now * 1000) }
}

/**
 * Returns the coins that stay. `aborted` is irrelevant: a transfer to an account without a contract is aborted, because it has
 * no code to run, but its coins stay. Rejected coins return in the bounce phase. A non-bounceable message leaves its coins
 * even if the contract fails. The coins of jetton wallets, with a notification or as unused fees, are not deposits.
 */
function readCoins({ description, out_msgs }: V3Transaction, { opcode, value = 0n }: V3Message) {
  const isReturned = out_msgs.some(({ bounced }) => bounced === true)
  if (description.bounce !== undefined || isReturned) return 0n
  return [TRANSFER_NOTIFICATION, EXCESSES].includes(Number(opcode)) ? 0n : value
}

/** Returns the jettons that a jetton wallet accepted: it aborts unless its master or another wallet of it sent them. */
function readJettons(
  { description, hash }: V3Transaction,
  { opcode, message_content }: V3Message,
): bigint {
  if (Number(opcode) !== INTERNAL_TRANSFER || description.aborted === true) return 0n
  if (message_content?.body === undefined) throw new Error(`The index has no body of ${hash}`)
  // The amount follows the opcode and the query id.
  return Cell.fromBase64(message_content.body)
    .beginParse()
    .skip(32 + 64)
    .loadCoins()
}
