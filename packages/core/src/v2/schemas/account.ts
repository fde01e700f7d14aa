import {
  addressField,
  bigintField,
  boolField,
  bytesField,
  defaultField,
  emptyableHashField,
  enumField,
  intField,
  listField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { variantField } from '../../schema/variants.js'
import { blockId } from './block.js'
import { accountAddress, extraCurrency } from './message.js'
import { transactionIdOrNone } from './transaction.js'

const STATES = ['uninitialized', 'active', 'frozen'] as const

/** Nanocoins in a bare text; -1 as in the others. */
export const addressBalance = bigintField

/** `uninitialized`, `active` or `frozen` in a bare text. */
export const addressState = enumField('', STATES)

/** Empty where there is none. */
const cellOrNone = defaultField(bytesField, '')

const balances = {
  /** -1 for an account that has never been, as tonlib says it; the Python server most often makes it 0. */
  balance: bigintField,
  /** Missing in older answers of the Python server. */
  extra_currencies: optionalField(listField(extraCurrency)),
}

/** `raw.fullAccountState`. `code` and `data` are empty for an account without a contract. */
export const addressInformation = objectField({
  ...balances,
  code: cellOrNone,
  data: cellOrNone,
  last_transaction_id: transactionIdOrNone,
  block_id: optionalField(blockId),
  frozen_hash: optionalField(emptyableHashField),
  sync_utime: intField,
  state: enumField('state', STATES),
  suspended: optionalField(boolField),
})

const walletState = objectField({ wallet_id: bigintField, seqno: intField })
const walletIdState = objectField({ wallet_id: bigintField })
const channelTotals = { A: bigintField, B: bigintField }
const channelSigned = objectField({
  ...channelTotals,
  signed_A: boolField,
  signed_B: boolField,
  min_A: bigintField,
  min_B: bigintField,
  expire_at: intField,
})

/** A contract as tonlib understands it. Numbers are JSON numbers from one server and texts from the other. */
const accountState = variantField('account_state', '@type', {
  'raw.accountState': objectField({
    code: cellOrNone,
    data: cellOrNone,
    frozen_hash: optionalField(emptyableHashField),
  }),
  'wallet.v3.accountState': walletState,
  'wallet.v4.accountState': walletState,
  'wallet.highload.v1.accountState': walletState,
  'wallet.highload.v2.accountState': walletIdState,
  'dns.accountState': walletIdState,
  'rwallet.accountState': objectField({
    wallet_id: bigintField,
    seqno: intField,
    unlocked_balance: bigintField,
    config: objectField({
      start_at: intField,
      limits: listField(objectField({ seconds: intField, value: bigintField })),
    }),
  }),
  'pchan.accountState': objectField({
    config: objectField({
      alice_public_key: textField,
      alice_address: accountAddress,
      bob_public_key: textField,
      bob_address: accountAddress,
      init_timeout: intField,
      close_timeout: intField,
      channel_id: bigintField,
    }),
    state: variantField('account_state.state', '@type', {
      'pchan.stateInit': channelSigned,
      'pchan.stateClose': channelSigned,
      'pchan.statePayout': objectField(channelTotals),
    }),
  }),
  'uninited.accountState': objectField({ frozen_hash: optionalField(emptyableHashField) }),
})

/** `fullAccountState` */
export const extendedAddressInformation = objectField({
  address: accountAddress,
  ...balances,
  last_transaction_id: transactionIdOrNone,
  block_id: optionalField(blockId),
  sync_utime: intField,
  account_state: accountState,
  revision: intField,
})

/**
 * `ext.accounts.walletInformation`. The four last fields are absent when the account is no wallet, or none of that
 * kind. `wallet_id` and `seqno` are signed from the C++ server and unsigned from the other: compare modulo 2^32.
 * Source: API facts, part 1.4, 1.6.
 */
export const walletInformation = objectField({
  wallet: boolField,
  ...balances,
  account_state: enumField('account_state', STATES),
  last_transaction_id: optionalField(transactionIdOrNone),
  wallet_type: optionalField(textField),
  seqno: optionalField(intField),
  wallet_id: optionalField(intField),
  is_signature_allowed: optionalField(boolField),
})

/** `tvm.cell` */
export const cell = objectField({ bytes: bytesField })

/** `dns.resolved` */
export const dnsResolved = objectField({
  entries: listField(
    objectField({
      name: textField,
      category: textField,
      entry: variantField('entries[].entry', '@type', {
        'dns.entryDataUnknown': objectField({ bytes: bytesField }),
        'dns.entryDataText': objectField({ text: textField }),
        'dns.entryDataNextResolver': objectField({ resolver: accountAddress }),
        'dns.entryDataSmcAddress': objectField({ smc_address: accountAddress }),
        'dns.entryDataAdnlAddress': objectField({
          adnl_address: objectField({ adnl_address: addressField }),
        }),
        'dns.entryDataStorageAddress': objectField({ bag_id: textField }),
      }),
    }),
  ),
})
