import {
  beginCell,
  Dictionary,
  storeAccountStatus,
  storeCurrencyCollection,
  storeHashUpdate,
  storeTransactionDescription,
  type Cell,
} from '@ton/core'
import type { Transaction as V3Transaction } from '../toncenter/v3/schemas/transaction.js'
import { accountToBigint, hashToBigint, required, toCurrencies, translate } from './fields.js'
import { rebuildDescriptions } from './rebuild-description.js'
import { rebuildMessage } from './rebuild-message.js'

const TAG = 0b0111
const STATUSES = {
  nonexist: 'non-existing',
  uninit: 'uninitialized',
  active: 'active',
  frozen: 'frozen',
} as const

/**
 * Rebuilds the cell of a transaction from the fields of API v3. Returns one or more candidates; only the hash shows which
 * one is correct. Source: `transaction$0111` in block.tlb.
 * @throws {ContractDataError} when a required field is missing.
 */
export function rebuildTransaction(transaction: V3Transaction): Cell[] {
  const messages = messagesOf(transaction)
  const { account_state_before: before, account_state_after: after } = transaction
  const update = beginCell().store(
    storeHashUpdate({
      oldHash: stateHash(before, 'account_state_before'),
      newHash: stateHash(after, 'account_state_after'),
    }),
  )
  const other = toCurrencies(transaction.total_fees_extra_currencies)
  return rebuildDescriptions(transaction.description).map((description) =>
    beginCell()
      .storeUint(TAG, 4)
      .storeUint(accountToBigint(transaction.account), 256)
      .storeUint(transaction.lt, 64)
      .storeUint(previousHash(transaction), 256)
      .storeUint(transaction.prev_trans_lt ?? 0n, 64)
      .storeUint(transaction.now, 32)
      .storeUint(transaction.out_msgs.length, 15)
      .store(storeAccountStatus(translate(STATUSES, transaction.orig_status, 'orig_status')))
      .store(storeAccountStatus(translate(STATUSES, transaction.end_status, 'end_status')))
      .storeRef(messages)
      .store(storeCurrencyCollection({ coins: transaction.total_fees, ...(other && { other }) }))
      .storeRef(update)
      .storeRef(beginCell().store(storeTransactionDescription(description)))
      .endCell(),
  )
}

function stateHash(state: V3Transaction['account_state_before'], path: string): Buffer {
  return Buffer.from(required(required(state, path).hash, `${path}.hash`), 'base64')
}

function previousHash({ prev_trans_hash: hash }: V3Transaction): bigint {
  return hash === undefined ? 0n : hashToBigint(hash)
}

function messagesOf({ in_msg: incoming, out_msgs: outgoing }: V3Transaction): Cell {
  const sent = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell())
  const inOrder = outgoing
    .map((message, index) => ({ message, path: `out_msgs[${index}]` }))
    .toSorted((a, b) => Number((a.message.created_lt ?? 0n) - (b.message.created_lt ?? 0n)))
  for (const [index, { message, path }] of inOrder.entries()) {
    sent.set(index, rebuildMessage(message, path))
  }
  return beginCell()
    .storeMaybeRef(incoming === undefined ? null : rebuildMessage(incoming, 'in_msg'))
    .storeDict(sent)
    .endCell()
}
