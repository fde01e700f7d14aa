import { canonicalAddress } from '@tonplug/core'
import type { TransferData } from '@tonplug/core'

/** Returns the response of API v3 to `/traces` when a wallet has just paid a transfer in the native coin. */
export function traceOf(transfer: TransferData): object {
  const { senderAddr, recipientAddr, rawAmount, bodyBase64Hash } = transfer
  const [sender, recipient] = [senderAddr, recipientAddr].map((text) =>
    canonicalAddress(text).toUpperCase(),
  )
  const [first, second] = [transfer.traceId, transfer.txHash].map(toBase64)
  const message = {
    hash: toBase64('1'.repeat(64)),
    source: sender,
    destination: recipient,
    value: rawAmount,
    fwd_fee: '266669',
    ihr_fee: '0',
    created_lt: '60000000000002',
    bounce: false,
    bounced: false,
    opcode: null,
    message_content: { hash: bodyBase64Hash, body: '', decoded: null },
  }
  const command = { ...message, hash: toBase64('2'.repeat(64)), source: null, destination: sender }
  const done = {
    type: 'ord',
    aborted: false,
    compute_ph: { skipped: false, success: true, exit_code: 0 },
    action: { success: true, valid: true, no_funds: false, result_code: 0 },
  }
  const now = Math.floor(Date.now() / 1000)
  const common = { now, mc_block_seqno: 50_000_000, total_fees: '1', finality: 'finalized' }
  const transactions = [
    {
      ...common,
      account: sender,
      hash: first,
      lt: '60000000000001',
      description: done,
      in_msg: { ...command, value: null, created_lt: null, message_content: null },
      out_msgs: [message],
    },
    {
      ...common,
      account: recipient,
      hash: second,
      lt: '60000000000003',
      description: {
        type: 'ord',
        aborted: true,
        compute_ph: { skipped: true, reason: 'no_state' },
      },
      in_msg: message,
      out_msgs: [],
    },
  ]
  const trace = {
    trace_id: first,
    external_hash: command.hash,
    start_lt: '60000000000001',
    start_utime: now,
    trace_info: { trace_state: 'complete', messages: 2, transactions: 2, pending_messages: 0 },
    transactions_order: [first, second],
    transactions: Object.fromEntries(transactions.map((one) => [one.hash, one])),
  }
  return { traces: [trace], address_book: {}, metadata: {} }
}

function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}
