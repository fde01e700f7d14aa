import * as field from '../../schema/fields.js'
import { blockId } from './block.js'
import { accountAddress, extraCurrency } from './message.js'
import { transactionIdOrNone } from './transaction.js'

const STATES = ['uninitialized', 'active', 'frozen'] as const

/** Nanocoins as a bare string; -1 for an account that never existed. */
export const addressBalance = field.bigint

/** `uninitialized`, `active` or `frozen` as a bare string. */
export const addressState = field.oneOf('', STATES)

/** A cell; absent reads as empty. */
const cellOrNone = field.withDefault(field.bytes, '')

const balances = {
  /** -1 from tonlib for an account that never existed; the Python server usually returns 0. */
  balance: field.bigint,
  /** Missing in older responses of the Python server. */
  extra_currencies: field.optional(field.list(extraCurrency)),
}

/** `raw.fullAccountState`. `code` and `data` are empty for an account without a contract. */
export const addressInformation = field.object({
  ...balances,
  /** A bag of cells in base64; empty without a contract. */
  code: cellOrNone,
  /** A bag of cells in base64; empty without a contract. */
  data: cellOrNone,
  /** The last transaction of the account. */
  last_transaction_id: transactionIdOrNone,
  /** The block of this state. */
  block_id: field.optional(blockId),
  /** The hash of the state of a frozen account. */
  frozen_hash: field.optional(field.emptyableHash),
  /** Time of the block, Unix seconds. */
  sync_utime: field.int,
  /** `active` has a contract. */
  state: field.oneOf('state', STATES),
  /** `true` if the network does not run its contract. */
  suspended: field.optional(field.bool),
})

const walletState = field.object({ wallet_id: field.bigint, seqno: field.int })
const walletIdState = field.object({ wallet_id: field.bigint })
const channelTotals = { A: field.bigint, B: field.bigint }
const channelSigned = field.object({
  ...channelTotals,
  signed_A: field.bool,
  signed_B: field.bool,
  min_A: field.bigint,
  min_B: field.bigint,
  expire_at: field.int,
})

/** A contract as tonlib parses it. Numbers are JSON numbers from one server and strings from the other. */
const accountState = field.variants('account_state', '@type', {
  'raw.accountState': field.object({
    /** A bag of cells in base64; empty without a contract. */
    code: cellOrNone,
    /** A bag of cells in base64; empty without a contract. */
    data: cellOrNone,
    /** The hash of the state of a frozen account. */
    frozen_hash: field.optional(field.emptyableHash),
  }),
  'wallet.v3.accountState': walletState,
  'wallet.v4.accountState': walletState,
  'wallet.highload.v1.accountState': walletState,
  'wallet.highload.v2.accountState': walletIdState,
  'dns.accountState': walletIdState,
  'rwallet.accountState': field.object({
    wallet_id: field.bigint,
    seqno: field.int,
    unlocked_balance: field.bigint,
    config: field.object({
      start_at: field.int,
      limits: field.list(field.object({ seconds: field.int, value: field.bigint })),
    }),
  }),
  'pchan.accountState': field.object({
    config: field.object({
      alice_public_key: field.string,
      alice_address: accountAddress,
      bob_public_key: field.string,
      bob_address: accountAddress,
      init_timeout: field.int,
      close_timeout: field.int,
      channel_id: field.bigint,
    }),
    state: field.variants('account_state.state', '@type', {
      'pchan.stateInit': channelSigned,
      'pchan.stateClose': channelSigned,
      'pchan.statePayout': field.object(channelTotals),
    }),
  }),
  'uninited.accountState': field.object({ frozen_hash: field.optional(field.emptyableHash) }),
})

/** `fullAccountState` */
export const extendedAddressInformation = field.object({
  address: accountAddress,
  ...balances,
  /** The last transaction of the account. */
  last_transaction_id: transactionIdOrNone,
  /** The block of this state. */
  block_id: field.optional(blockId),
  /** Time of the block, Unix seconds. */
  sync_utime: field.int,
  /** The state of the contract. */
  account_state: accountState,
  /** Version of a known wallet contract. */
  revision: field.int,
})

/**
 * `ext.accounts.walletInformation`. The last four fields are absent for accounts that are not such wallets. `wallet_id`
 * and `seqno` are signed from the C++ server and unsigned from the other: compare modulo 2^32.
 * Source: API facts, part 1.4, 1.6.
 */
export const walletInformation = field.object({
  /** `true` if its contract is a known wallet. */
  wallet: field.bool,
  ...balances,
  /** The state of the contract. */
  account_state: field.oneOf('account_state', STATES),
  /** The last transaction of the account. */
  last_transaction_id: field.optional(transactionIdOrNone),
  /** For example `wallet v4 r2`. */
  wallet_type: field.optional(field.string),
  seqno: field.optional(field.int),
  wallet_id: field.optional(field.int),
  /** `false` for a W5 wallet that accepts only requests of its extensions. */
  is_signature_allowed: field.optional(field.bool),
})

/** `tvm.cell` */
export const cell = field.object({ bytes: field.bytes })

/** `dns.resolved` */
export const dnsResolved = field.object({
  entries: field.list(
    field.object({
      name: field.string,
      category: field.string,
      entry: field.variants('entries[].entry', '@type', {
        'dns.entryDataUnknown': field.object({ bytes: field.bytes }),
        'dns.entryDataText': field.object({ text: field.string }),
        'dns.entryDataNextResolver': field.object({ resolver: accountAddress }),
        'dns.entryDataSmcAddress': field.object({ smc_address: accountAddress }),
        'dns.entryDataAdnlAddress': field.object({
          adnl_address: field.object({ adnl_address: field.address }),
        }),
        'dns.entryDataStorageAddress': field.object({ bag_id: field.string }),
      }),
    }),
  ),
})
