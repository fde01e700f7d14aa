import * as field from '../../schema/fields.js'
import { action } from './action.js'
import { knownTokens } from './address-book.js'
import { traceNode } from './trace.js'
import { transaction } from './transaction.js'

const fields = field.object({
  /** The masterchain block on whose state it ran. */
  mc_block_seqno: field.int,
  rand_seed: field.optional(field.string),
  trace: traceNode,
  /** The transactions, by hash. */
  transactions: field.map(transaction),
  /** With `with_actions` only. */
  actions: field.optional(field.list(action)),
  /** Codes of the accounts as bags of cells, by hash; with `include_code_data` only. */
  code_cells: field.lenient('emulation.code_cells', field.map(field.bytes)),
  /** Data of the accounts as bags of cells, by hash; with `include_code_data` only. */
  data_cells: field.lenient('emulation.data_cells', field.map(field.bytes)),
  is_incomplete: field.bool,
  ...knownTokens,
})

export type EmulatedFields = field.Output<typeof fields>

type Effects = 'trace' | 'transactions' | 'actions'

/** All transactions that the message would cause. */
export interface WholeEmulation extends EmulatedFields {
  is_incomplete: false
}

/** The server stopped early. What is missing in `partial` may still happen. */
export interface CutEmulation extends Omit<EmulatedFields, Effects> {
  is_incomplete: true
  partial: Pick<EmulatedFields, Effects>
}

/**
 * The effects that a message would have. Effects of an incomplete emulation are in `partial` alone, so that they cannot be
 * taken for all: check `is_incomplete` first. Amounts are in base units. Its transactions and hashes are not final.
 */
export type Emulation = WholeEmulation | CutEmulation

// Servers send one format; the endpoints' `narrow` makes the other one of it.
export const emulation = fields as field.Schema as field.Schema<Emulation>
