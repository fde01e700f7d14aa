import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A transaction as the index writes it. */
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
  hash: string
  source: string | null
  destination: string
  value: string | null
  opcode: string | null
  bounced: boolean | null
}

/** A transfer of jettons as the index lists it. */
export interface TransferRow {
  source: string
  destination: string
  amount: string
  source_wallet: string
  jetton_master: string
  transaction_hash: string
  transaction_lt: string
  transaction_now: number
  transaction_aborted: boolean
}

/** A transfer of jettons: its row, and the transactions of the two jetton wallets. */
export interface TransferOnChain {
  row: TransferRow
  sent: TransactionRow
  received: TransactionRow
}

/** What is told of coins on their way. */
export interface Sending {
  /** Makes hashes, lt and sender; each is used once. */
  id: number
  to: string
  amount: bigint
  now: number
}

/** A raw address, as the index writes it. */
export function addressOf(name: string): string {
  return `0:${createHash('sha256').update(name).digest('hex').toUpperCase()}`
}

/** A hash, as the index writes it. */
export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64')
}

/** A transfer to an account without a contract: aborted, and received. */
export function toUndeployed(sending: Sending): TransactionRow {
  return receive(readFixture('undeployed-transaction'), sending)
}

/** A transfer that its recipient's contract refused, so that it went back. */
export function bounced(sending: Sending): TransactionRow {
  return receive(readFixture('bounced-transaction'), sending)
}

/** A transfer that its recipient's contract took. */
export function toContract(sending: Sending): TransactionRow {
  const { description } = readFixture<TransactionRow>('jetton-received-transaction')
  return { ...toUndeployed(sending), description }
}

/** What is left of the fees of a transfer of jettons. */
export function excesses(sending: Sending): TransactionRow {
  const row = toContract(sending)
  return { ...row, in_msg: { ...messageOf(row), opcode: '0xd53276db' } }
}

/** Own coins that came back, since their recipient refused them. */
export function cameBack(sending: Sending): TransactionRow {
  const row = toUndeployed(sending)
  return { ...row, in_msg: { ...messageOf(row), bounced: true } }
}

/** The notice that a jetton wallet sends to its owner, with next to nothing in it. */
export function notice(sending: Sending): TransactionRow {
  return receive(readFixture('notified-transaction'), sending)
}

/** An order that the account's owner sent from outside. */
export function fromOutside({ id, to, now }: Sending): TransactionRow {
  const row = readFixture<TransactionRow>('external-transaction')
  const message = { ...messageOf(row), hash: hashOf(`message ${id}`), destination: to }
  return {
    ...row,
    account: to,
    hash: hashOf(`transaction ${id}`),
    lt: ltOf(id),
    now,
    in_msg: message,
  }
}

/** Jettons on their way from one wallet to another. */
export function jettonTransfer({ id, to, amount, now }: Sending, master: string): TransferOnChain {
  const sent = readFixture<TransactionRow>('jetton-sent-transaction')
  const received = readFixture<TransactionRow>('jetton-received-transaction')
  const between = { ...messageOf(received), hash: hashOf(`message ${id}`) }
  const sentHash = hashOf(`sent ${id}`)
  return {
    row: {
      ...readFixture<TransferRow>('jetton-transfer'),
      source: addressOf(`payer ${id}`),
      destination: to,
      amount: amount.toString(),
      source_wallet: sent.account,
      jetton_master: master,
      transaction_hash: sentHash,
      transaction_lt: ltOf(id),
      transaction_now: now,
    },
    sent: { ...sent, hash: sentHash, lt: ltOf(id), now, out_msgs: [between] },
    received: {
      ...received,
      hash: hashOf(`received ${id}`),
      lt: ltOf(id + 0.5),
      now,
      in_msg: between,
    },
  }
}

/** The same transaction with a recipient that refused. */
export function refusedBy(row: TransactionRow): TransactionRow {
  const { description } = readFixture<TransactionRow>('bounced-transaction')
  return { ...row, description }
}

/** What the index answers to `/masterchainInfo`. */
export function masterchainInfo(now: number): object {
  const info = readFixture<{ last: object }>('masterchain-info')
  return { ...info, last: { ...info.last, gen_utime: String(now) } }
}

function receive(row: TransactionRow, { id, to, amount, now }: Sending): TransactionRow {
  const message = {
    ...messageOf(row),
    hash: hashOf(`message ${id}`),
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
