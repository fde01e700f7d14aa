/** A row of any list of the index: what order and filters look at. */
export interface IndexRow {
  /** Identifies the row. */
  id: number
  /** The column `lt`; null for messages from outside. */
  lt: number | null
  /** The column of the time, Unix seconds; null where lt is. */
  utime: number | null
  /** The account, a small number. */
  account: number
  /** The masterchain block. @default 1 */
  mc?: number
  /** @default 'finalized' */
  finality?: string
  /** Makes the fees of a transaction unreadable. */
  isBroken?: boolean
  /** State of a trace. @default 'complete' */
  state?: string
  /** Classification of a trace. @default 'ok' */
  classification?: string
}

/** The hash that is made of a row's id. */
export function hashOf(id: number): string {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(id, 28)
  return bytes.toString('base64')
}

/** The id that a hash was made of. */
export function idOfHash(hash: string): number {
  return Buffer.from(hash, 'base64').readUInt32BE(28)
}

/** The raw address of an account. */
export function addressOf(account: number): string {
  return `0:${account.toString(16).toUpperCase().padStart(64, '0')}`
}

/** Writes a row as the index does. */
export type WriteRow = (row: IndexRow) => string

const ZERO = hashOf(0)

/** A transaction with an in-message, about 1.4 kB. */
export const writeTransaction: WriteRow = ({
  id,
  lt,
  utime,
  account,
  mc = 1,
  finality,
  isBroken,
}) =>
  `{"account":"${addressOf(account)}","hash":"${hashOf(id)}","lt":"${lt}","now":${utime},"mc_block_seqno":${mc},"trace_id":"${hashOf(id)}","prev_trans_hash":"${ZERO}","prev_trans_lt":"${id === 1 ? 0 : 1}","orig_status":"active","end_status":"active","total_fees":"${isBroken === true ? 'many' : 310130}","total_fees_extra_currencies":{},"description":{"type":"ord","aborted":false,"destroyed":false,"credit_first":false,"storage_ph":{"storage_fees_collected":"12","status_change":"unchanged"},"compute_ph":{"skipped":false,"success":true,"gas_fees":"1000","gas_used":"500","gas_limit":"1000000","mode":0,"exit_code":0,"vm_steps":10}},"block_ref":{"workchain":0,"shard":"8000000000000000","seqno":${mc}},"in_msg":${message(id, lt, utime, account)},"out_msgs":[],"account_state_before":null,"account_state_after":null,"emulated":false,"finality":"${finality ?? 'finalized'}"}`

/** A message; without an lt it is one from outside. */
export const writeMessage: WriteRow = ({ id, lt, utime, account }) =>
  message(id, lt, utime, account)

function message(id: number, lt: number | null, utime: number | null, account: number): string {
  const hash = hashOf(id)
  const outside = `{"hash":"${hash}","hash_norm":"${hash}","source":null,"destination":"${addressOf(account)}","value":null,"value_extra_currencies":null,"fwd_fee":null,"ihr_fee":null,"created_lt":null,"created_at":null,"opcode":null,"ihr_disabled":null,"bounce":null,"bounced":null,"import_fee":"0","in_msg_tx_hash":"${hash}","message_content":null,"init_state":null}`
  if (lt === null) return outside
  return `{"hash":"${hash}","source":"${addressOf(99)}","destination":"${addressOf(account)}","value":"${id}000000001","value_extra_currencies":{},"fwd_fee":"266669","ihr_fee":"0","created_lt":"${lt}","created_at":"${utime}","opcode":"0x00000000","ihr_disabled":true,"bounce":false,"bounced":false,"import_fee":null,"in_msg_tx_hash":"${hash}","message_content":{"hash":"${hash}","body":"te6cckEBAQEAAgAAAEysuc0=","decoded":null},"init_state":null}`
}

/** A trace that is written without its transactions. */
export const writeTrace: WriteRow = ({ id, lt, utime, state, classification }) =>
  `{"trace_id":"${hashOf(id)}","external_hash":"${hashOf(id)}","mc_seqno_start":"1","mc_seqno_end":"1","start_lt":"${lt}","start_utime":${utime},"end_lt":"${lt}","end_utime":${utime},"trace_info":{"trace_state":"${state ?? 'complete'}","messages":1,"transactions":1,"pending_messages":0,"classification_state":"${classification ?? 'ok'}"},"is_incomplete":false,"transactions_order":[],"transactions":{}}`

/** A plain transfer. */
export const writeAction: WriteRow = ({ id, lt, utime, finality }) =>
  `{"trace_id":"${hashOf(id)}","action_id":"${hashOf(id)}","start_lt":"${lt}","end_lt":"${lt}","start_utime":${utime},"end_utime":${utime},"trace_end_lt":"${lt}","trace_end_utime":${utime},"trace_mc_seqno_end":1,"transactions":["${hashOf(id)}"],"success":true,"type":"call_contract","details":{"opcode":"0x00000000","source":"${addressOf(1)}","destination":"${addressOf(2)}","value":"1"},"finality":"${finality ?? 'finalized'}"}`

/** A transfer of jettons. */
export const writeJettonTransfer: WriteRow = ({ id, lt, utime, account }) =>
  `{${transferred(id, lt, utime)},"source":"${addressOf(99)}","destination":"${addressOf(account)}","amount":"${id}","source_wallet":"${addressOf(98)}","jetton_master":"${addressOf(97)}","forward_ton_amount":"1","forward_payload":null}`

/** A burn of jettons. */
export const writeJettonBurn: WriteRow = ({ id, lt, utime, account }) =>
  `{${transferred(id, lt, utime)},"owner":"${addressOf(account)}","jetton_wallet":"${addressOf(98)}","jetton_master":"${addressOf(97)}","amount":"${id}"}`

/** A transfer of an NFT. */
export const writeNftTransfer: WriteRow = ({ id, lt, utime, account }) =>
  `{${transferred(id, lt, utime)},"nft_address":"${addressOf(id)}","nft_collection":null,"old_owner":"${addressOf(99)}","new_owner":"${addressOf(account)}","forward_amount":"1","forward_payload":null}`

function transferred(id: number, lt: number | null, utime: number | null): string {
  return `"query_id":"${id}","transaction_hash":"${hashOf(id)}","transaction_lt":"${lt}","transaction_now":${utime},"transaction_aborted":false,"response_destination":null,"custom_payload":null,"trace_id":"${hashOf(id)}"`
}

/** A block of the masterchain. */
export const writeBlock: WriteRow = ({ id, lt, utime }) =>
  `{"workchain":-1,"shard":"8000000000000000","seqno":${id},"root_hash":"${hashOf(id)}","file_hash":"${hashOf(id)}","gen_utime":"${utime}","start_lt":"${lt}","end_lt":"${lt}","tx_count":1,"prev_blocks":[]}`

/** A row of a list without lt and time. */
export const writeContract: WriteRow = ({ id }) =>
  `{"address":"${addressOf(id)}","account":"${addressOf(id)}","balance":"${id}","total_supply":"${id}","last_transaction_lt":"${id}","owner":"${addressOf(1)}","jetton":"${addressOf(2)}","next_item_index":"-1","init":true,"index":"${id}","domain":"${id}.ton","nft_item_address":"${addressOf(id)}","multisig_address":"${addressOf(3)}"}`
