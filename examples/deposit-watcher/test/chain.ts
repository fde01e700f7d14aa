import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Address, beginCell } from '@ton/core'
import { canonicalAddress } from '@tonplug/core'

/** A transaction in the format of the index. */
export interface TransactionRow {
  account: string
  hash: string
  lt: string
  now: number
  in_msg: MessageRow | null
  out_msgs: MessageRow[]
  description: { aborted: boolean }
  finality?: string
}

interface MessageRow {
  source: string | null
  destination: string
  value: string | null
  opcode: string | null
  bounced: boolean | null
  message_content: { body: string } | null
}

/** Parameters of a sample transfer. */
export interface SampleTransfer {
  /** Determines hashes, lt and sender; unique. */
  id: number
  to: string
  amount: bigint
  now: number
}

/** Returns a raw address in the format of the index. */
export function addressOf(name: string): string {
  return `0:${createHash('sha256').update(name).digest('hex').toUpperCase()}`
}

/** Returns the address of an owner's jetton wallet. */
export function jettonWalletOf(owner: string, master: string): string {
  return addressOf(`jetton wallet of ${canonicalAddress(owner)} ${canonicalAddress(master)}`)
}

/** Returns a hash in the format of the index. */
export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64')
}

/** Returns a transfer to an account without a contract, which is aborted but keeps the coins. */
export function toUndeployed(transfer: SampleTransfer): TransactionRow {
  return receive(readFixture('undeployed-transaction'), transfer)
}

/** Returns a transfer that the recipient's contract rejected, so that it bounced. */
export function bounced(transfer: SampleTransfer): TransactionRow {
  return receive(readFixture('bounced-transaction'), transfer)
}

/** Returns the same, without the bounce phase. */
export function bouncedWithoutPhase(transfer: SampleTransfer): TransactionRow {
  const row = bounced(transfer)
  const { description } = toContract(transfer)
  return { ...row, description: { ...description, aborted: true } }
}

/** Returns a transfer that the recipient's contract accepted. */
export function toContract(transfer: SampleTransfer): TransactionRow {
  const { description } = readFixture<TransactionRow>('jetton-received-transaction')
  return { ...toUndeployed(transfer), description }
}

/** Returns the unused fees of a jetton transfer. */
export function excesses(transfer: SampleTransfer): TransactionRow {
  const row = toContract(transfer)
  return { ...row, in_msg: { ...messageOf(row), opcode: '0xd53276db' } }
}

/** Returns the account's own coins, sent back by their recipient. */
export function returned(transfer: SampleTransfer): TransactionRow {
  return sentBack(toUndeployed(transfer))
}

/** Returns the same transaction, of a message that its recipient sent back. */
export function sentBack(row: TransactionRow): TransactionRow {
  return { ...row, in_msg: { ...messageOf(row), bounced: true } }
}

/** Returns the notification that a jetton wallet sends to its owner, with a minimal amount of coins. */
export function transferNotification(transfer: SampleTransfer): TransactionRow {
  return receive(readFixture('notified-transaction'), transfer)
}

/** Returns an external message of the account's owner. */
export function externalMessage({ id, to, now }: SampleTransfer): TransactionRow {
  const row = readFixture<TransactionRow>('external-transaction')
  const message = { ...messageOf(row), destination: to }
  return {
    ...row,
    account: to,
    hash: hashOf(`transaction ${id}`),
    lt: ltOf(id),
    now,
    in_msg: message,
  }
}

/** Returns the arrival of jettons at the jetton wallet of their recipient. */
export function jettonArrival(
  { id, to, amount, now }: SampleTransfer,
  master: string,
): TransactionRow {
  const row = capturedJettonArrival()
  const payer = Address.parse(addressOf(`payer ${id}`))
  const body = beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(id, 64)
    .storeCoins(amount)
    .storeAddress(payer)
    .storeAddress(payer)
    .storeCoins(1n)
    .storeBit(false)
    .endCell()
  const account = jettonWalletOf(to, master)
  const message = {
    ...messageOf(row),
    destination: account,
    message_content: { body: body.toBoc().toString('base64') },
  }
  return { ...row, account, hash: hashOf(`transaction ${id}`), lt: ltOf(id), now, in_msg: message }
}

/** Returns the arrival of 3 USDT, as an index listed it. */
export function capturedJettonArrival(): TransactionRow {
  return readFixture('jetton-received-transaction')
}

/** Returns the response of the index to a get-method that returns an address. */
export function methodResult(address: string): object {
  const cell = beginCell().storeAddress(Address.parse(address)).endCell()
  const value = cell.toBoc().toString('base64')
  return { gas_used: 1000, exit_code: 0, stack: [{ type: 'slice', value }] }
}

/** Returns the same transaction, rejected by the recipient. */
export function rejected(row: TransactionRow): TransactionRow {
  const { description } = readFixture<TransactionRow>('bounced-transaction')
  return { ...row, description }
}

/** Returns the response of the index to `/masterchainInfo`. */
export function masterchainInfo(now: number): object {
  const info = readFixture<{ last: object }>('masterchain-info')
  return { ...info, last: { ...info.last, gen_utime: String(now) } }
}

function receive(row: TransactionRow, { id, to, amount, now }: SampleTransfer): TransactionRow {
  const message = {
    ...messageOf(row),
    source: addressOf(`payer ${id}`),
    destination: to,
    value: amount.toString(),
  }
  return {
    ...row,
    account: to,
    hash: hashOf(`transaction ${id}`),
    lt: ltOf(id),
    now,
    in_msg: message,
  }
}

function messageOf({ in_msg: message }: TransactionRow): MessageRow {
  if (message === null) throw new TypeError('the fixture has no message')
  return message
}

function ltOf(id: number): string {
  return String(90_000_000_000_000 + id * 10)
}

// The captured bodies have these fields.
function readFixture<Row>(name: string): Row {
  const file = new URL(`fixtures/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Row
}
