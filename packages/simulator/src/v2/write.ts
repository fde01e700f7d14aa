import { beginCell, loadMessage, storeStateInit, type Cell, type Message } from '@ton/core'
import { createHash } from 'node:crypto'
import type { AccountView } from '../chain/account-view.js'
import type { ChainBlock } from '../chain/block.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { base64Boc, base64Hash, rawAddress } from '../shared/encodings.js'

/** The shard of a workchain that was never split. */
export const WHOLE_SHARD = '-9223372036854775808'

/** Writes the id of a block. */
export function writeBlockId(workchain: number, seqno: number): Record<string, unknown> {
  return {
    '@type': 'ton.blockIdExt',
    workchain,
    shard: WHOLE_SHARD,
    seqno,
    root_hash: blockHash('root', workchain, seqno),
    file_hash: blockHash('file', workchain, seqno),
  }
}

/** Returns a made-up hash of a block, the same for each call. */
export function blockHash(
  kind: 'root' | 'file' | 'state',
  workchain: number,
  seqno: number,
): string {
  return createHash('sha256').update(`${kind}:${workchain}:${seqno}`).digest('base64')
}

/** `raw.fullAccountState` */
export function writeAccount(account: AccountView, head: ChainBlock): unknown {
  return {
    '@type': 'raw.fullAccountState',
    ...writeBalances(account),
    code: account.code === undefined ? '' : base64Boc(account.code),
    data: account.data === undefined ? '' : base64Boc(account.data),
    last_transaction_id: writeTransactionId(account.last.lt, account.last.hash),
    block_id: writeBlockId(-1, head.seqno),
    frozen_hash: writeFrozenHash(account),
    sync_utime: head.utime,
    state: writeState(account),
  }
}

/** Writes the balances of an account. */
export function writeBalances({ balance, extraCurrencies }: AccountView) {
  return { balance: balance.toString(), extra_currencies: writeCurrencies(extraCurrencies) }
}

/** Writes the frozen hash; empty for accounts that are not frozen. */
export function writeFrozenHash({ frozenHash }: AccountView): string {
  return frozenHash === undefined ? '' : base64Hash(frozenHash)
}

function writeCurrencies(currencies: Iterable<[number, bigint]>): unknown[] {
  return [...currencies].map(([id, amount]) => ({
    '@type': 'extraCurrency',
    id,
    amount: amount.toString(),
  }))
}

/** Returns the state name of API v2, which has none for accounts that do not exist. */
export function writeState({ status }: AccountView): 'uninitialized' | 'active' | 'frozen' {
  return status === 'active' || status === 'frozen' ? status : 'uninitialized'
}

/** `internal.transactionId` */
export function writeTransactionId(lt: bigint, hash: bigint | Buffer): unknown {
  return { '@type': 'internal.transactionId', lt: lt.toString(), hash: base64Hash(hash) }
}

/** `ext.transaction` */
export function writeTransaction(one: RecordedTransaction): unknown {
  const { inMessage, outMessages } = one
  return {
    '@type': 'ext.transaction',
    ...writeCommon(one),
    account: rawAddress(one.address),
    ...(inMessage !== undefined && { in_msg: writeMessage(inMessage) }),
    out_msgs: outMessages.map(writeMessage),
  }
}

/** `raw.transaction` */
export function writeStdTransaction(one: RecordedTransaction): Record<string, unknown> {
  const { inMessage, outMessages } = one
  return {
    '@type': 'raw.transaction',
    ...writeCommon(one),
    ...(inMessage !== undefined && { in_msg: writeStdMessage(inMessage) }),
    out_msgs: outMessages.map(writeStdMessage),
  }
}

function writeCommon({ address, transaction, outMessages }: RecordedTransaction) {
  const messages = outMessages.map((cell) => loadMessage(cell.beginParse()))
  const { description } = transaction
  const storage =
    'storagePhase' in description ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n
  const forwarded = messages.reduce((sum, { info }) => sum + forwardFee(info), 0n)
  const fee = transaction.totalFees.coins + forwarded
  return {
    address: { '@type': 'accountAddress', account_address: address.toString() },
    utime: transaction.now,
    data: base64Boc(transaction.raw),
    transaction_id: writeTransactionId(transaction.lt, transaction.hash()),
    fee: fee.toString(),
    storage_fee: storage.toString(),
    other_fee: (fee - storage).toString(),
  }
}

function writeMessage(cell: Cell): unknown {
  const message = loadMessage(cell.beginParse())
  const { data, text } = writeBody(message)
  return {
    '@type': 'ext.message',
    ...writeFields(cell, message),
    source: sourceOf(message),
    destination: destinationOf(message),
    msg_data: data,
    message: text,
  }
}

function writeStdMessage(cell: Cell): unknown {
  const message = loadMessage(cell.beginParse())
  const wrap = (account_address: string): unknown => ({
    '@type': 'accountAddress',
    account_address,
  })
  return {
    '@type': 'raw.message',
    ...writeFields(cell, message),
    source: wrap(sourceOf(message)),
    destination: wrap(destinationOf(message)),
    msg_data: writeBody(message).data,
  }
}

function writeFields(cell: Cell, { info, body }: Message) {
  return {
    hash: base64Hash(cell.hash()),
    value: info.type === 'internal' ? info.value.coins.toString() : '0',
    extra_currencies: info.type === 'internal' ? writeCurrencies(info.value.other ?? []) : [],
    fwd_fee: info.type === 'internal' ? info.forwardFee.toString() : '0',
    ihr_fee: info.type === 'internal' ? info.ihrFee.toString() : '0',
    created_lt: info.type === 'external-in' ? '0' : info.createdLt.toString(),
    body_hash: base64Hash(body.hash()),
  }
}

function sourceOf({ info }: Message): string {
  return info.type === 'external-in' ? '' : info.src.toString()
}

function destinationOf({ info }: Message): string {
  return info.type === 'external-out' ? '' : info.dest.toString()
}

/**
 * Writes a comment as a string, any other body as cells. The server's `message` of cells contains the bits of the
 * root only.
 */
function writeBody({ body, init }: Message): { data: unknown; text: string } {
  const slice = body.beginParse()
  if (isComment(body)) {
    const text = slice.skip(32).loadStringTail()
    const encoded = Buffer.from(text).toString('base64')
    return { data: { '@type': 'msg.dataText', text: encoded }, text }
  }
  const init_state = init ? base64Boc(beginCell().store(storeStateInit(init)).endCell()) : ''
  return {
    data: { '@type': 'msg.dataRaw', body: base64Boc(body), init_state },
    text: `${bytesOf(body).toString('base64')}\n`,
  }
}

/** Detects a comment: opcode 0 and whole bytes. */
function isComment(body: Cell): boolean {
  const slice = body.beginParse()
  return body.bits.length >= 32 && body.bits.length % 8 === 0 && slice.preloadUint(32) === 0
}

/** Returns the bits of a cell, padded with zeros to whole bytes. */
function bytesOf(cell: Cell): Buffer {
  const { bits } = cell
  const rest = (8 - (bits.length % 8)) % 8
  const padded = beginCell().storeBits(bits).storeUint(0, rest)
  // A full cell needs no padding.
  return padded
    .endCell()
    .beginParse()
    .loadBuffer((bits.length + rest) / 8)
}

function forwardFee(info: Message['info']): bigint {
  return info.type === 'internal' ? info.forwardFee + info.ihrFee : 0n
}
