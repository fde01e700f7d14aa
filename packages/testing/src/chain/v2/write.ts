import { beginCell, loadMessage, storeStateInit, type Cell, type Message } from '@ton/core'
import { createHash } from 'node:crypto'
import type { AccountView } from '../account-view.js'
import type { ChainBlock } from '../block.js'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { base64Boc, base64Hash, rawAddress } from '../spellings.js'

const WHOLE_SHARD = '-9223372036854775808'

/** The id of a block. */
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

/** A hash of a block that is the same each time. */
export function blockHash(kind: 'root' | 'file', workchain: number, seqno: number): string {
  return createHash('sha256').update(`${kind}:${workchain}:${seqno}`).digest('base64')
}

/** `raw.fullAccountState` */
export function writeAccount(account: AccountView, head: ChainBlock): unknown {
  return {
    '@type': 'raw.fullAccountState',
    balance: account.balance.toString(),
    extra_currencies: [...account.extraCurrencies].map(([id, amount]) => ({
      '@type': 'extraCurrency',
      id,
      amount: amount.toString(),
    })),
    code: account.code === undefined ? '' : base64Boc(account.code),
    data: account.data === undefined ? '' : base64Boc(account.data),
    last_transaction_id: writeTransactionId(account.last.lt, account.last.hash),
    block_id: writeBlockId(-1, head.seqno),
    frozen_hash: account.frozenHash === undefined ? '' : base64Hash(account.frozenHash),
    sync_utime: head.utime,
    state: writeState(account),
  }
}

/** The words of API v2, which has none for an account that does not exist. */
export function writeState({ status }: AccountView): 'uninitialized' | 'active' | 'frozen' {
  return status === 'active' || status === 'frozen' ? status : 'uninitialized'
}

/** `internal.transactionId` */
export function writeTransactionId(lt: bigint, hash: bigint | Buffer): unknown {
  return { '@type': 'internal.transactionId', lt: lt.toString(), hash: base64Hash(hash) }
}

/** `ext.transaction` */
export function writeTransaction(one: RecordedTransaction): unknown {
  const { transaction, inMessage, outMessages } = one
  const messages = outMessages.map((cell) => loadMessage(cell.beginParse()))
  const { description } = transaction
  const storage =
    'storagePhase' in description ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n
  const forwarded = messages.reduce((sum, { info }) => sum + forwardFee(info), 0n)
  const fee = transaction.totalFees.coins + forwarded
  return {
    '@type': 'ext.transaction',
    address: { '@type': 'accountAddress', account_address: one.address.toString() },
    account: rawAddress(one.address),
    utime: transaction.now,
    data: base64Boc(transaction.raw),
    transaction_id: writeTransactionId(transaction.lt, transaction.hash()),
    fee: fee.toString(),
    storage_fee: storage.toString(),
    other_fee: (fee - storage).toString(),
    ...(inMessage !== undefined && { in_msg: writeMessage(inMessage) }),
    out_msgs: outMessages.map(writeMessage),
  }
}

function writeMessage(cell: Cell): unknown {
  const { info, body, init } = loadMessage(cell.beginParse())
  return {
    '@type': 'ext.message',
    hash: base64Hash(cell.hash()),
    source: info.type === 'external-in' ? '' : info.src.toString(),
    destination: info.type === 'external-out' ? '' : info.dest.toString(),
    value: info.type === 'internal' ? info.value.coins.toString() : '0',
    extra_currencies: [],
    fwd_fee: info.type === 'internal' ? info.forwardFee.toString() : '0',
    ihr_fee: info.type === 'internal' ? info.ihrFee.toString() : '0',
    created_lt: info.type === 'external-in' ? '0' : info.createdLt.toString(),
    body_hash: base64Hash(body.hash()),
    ...writeBody(body, init),
  }
}

function writeBody(body: Cell, init: Message['init']): Record<string, unknown> {
  const slice = body.beginParse()
  if (slice.remainingBits >= 32 && slice.preloadUint(32) === 0) {
    const text = slice.skip(32).loadStringTail()
    return {
      msg_data: { '@type': 'msg.dataText', text: Buffer.from(text).toString('base64') },
      message: text,
    }
  }
  const state = init ? base64Boc(beginCell().store(storeStateInit(init)).endCell()) : ''
  return {
    msg_data: { '@type': 'msg.dataRaw', body: base64Boc(body), init_state: state },
    message: '\n',
  }
}

function forwardFee(info: Message['info']): bigint {
  return info.type === 'internal' ? info.forwardFee + info.ihrFee : 0n
}
