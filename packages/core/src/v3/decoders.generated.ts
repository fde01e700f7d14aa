// Made by scripts/generate-decoders.mjs from the schemas of the endpoints: change those, then run
// `pnpm generate:decoders`.
import {
  checkObject,
  isNullOr,
  isNullOrList,
  orAbsent,
  orUnread,
  readList,
  readMap,
  readTagged,
  readTree,
  type Decoder,
  type TaggedParts,
} from '../schema/decoding.js'
import {
  readAddress,
  readBigint,
  readBool,
  readBytes,
  readEmptyableHash,
  readEmptyableInt,
  readEnum,
  readHash,
  readInt,
  readText,
} from '../schema/readers.js'
import { readOpcode } from './read-opcode.js'
import { readStack } from './stack.js'
import type { V3EndpointName } from './endpoints/table.js'

/** For every endpoint what converts its result in place. */
export const v3Decoders: Readonly<Record<V3EndpointName, Decoder>> = {
  accountStates: accountStates,
  addressBook: (value) => readMap(value, accountStatesAddressBookItemItem),
  metadata: (value) => readMap(value, accountStatesMetadataItemItem),
  walletStates: walletStates,
  actions: actions,
  pendingActions: actions,
  pendingTraces: traces,
  traces: traces,
  events: events,
  balanceChanges: balanceChanges,
  adjacentTransactions: transactions,
  blocks: blocks,
  masterchainBlockShardState: blocks,
  masterchainBlockShards: blocks,
  masterchainInfo: masterchainInfo,
  messages: messages,
  pendingTransactions: transactions,
  transactions: transactions,
  transactionsByMasterchainBlock: transactions,
  transactionsByMessage: transactions,
  jettonBurns: jettonBurns,
  jettonMasters: jettonMasters,
  jettonTransfers: jettonTransfers,
  jettonWallets: jettonWallets,
  nftCollections: nftCollections,
  nftItems: nftItems,
  nftTransfers: nftTransfers,
  nftSales: nftSales,
  dnsRecords: dnsRecords,
  multisigOrders: multisigOrders,
  multisigWallets: multisigWallets,
  vesting: vestingContracts,
  topAccountsByBalance: (value) => readList(value === null ? [] : value, topAccountsByBalanceItem),
  decode: decoded,
  addressInformation: addressInformation,
  account: addressInformation,
  estimateFee: estimatedFees,
  message: (value) => orUnread(value ?? {}, '', messageItem) ?? messageItem({}),
  runGetMethod: runResult,
  walletInformation: walletInformation,
  wallet: walletInformation,
}

const knownAccountStatesAccountsItemStatus: ReadonlySet<string> = new Set([
  'nonexist',
  'uninit',
  'active',
  'frozen',
])

const knownDescriptionType: ReadonlySet<string> = new Set([
  'ord',
  'storage',
  'tick_tock',
  'split_prepare',
  'split_install',
  'merge_prepare',
  'merge_install',
])

const knownDescriptionStoragePhStatusChange: ReadonlySet<string> = new Set([
  'unchanged',
  'frozen',
  'deleted',
])

const knownDescriptionComputePhType: ReadonlySet<string> = new Set(['vm', 'skipped'])

const knownDescriptionComputePhSkipReason: ReadonlySet<string> = new Set([
  'no_state',
  'bad_state',
  'no_gas',
  'suspended',
])

const knownDescriptionBounceType: ReadonlySet<string> = new Set(['ok', 'negfunds', 'nofunds'])

const knownTransactionFinality: ReadonlySet<string> = new Set(['pending', 'confirmed', 'finalized'])

const knownTraceTraceInfoTraceState: ReadonlySet<string> = new Set([
  'complete',
  'pending',
  'broken',
])

const knownTraceTraceInfoClassificationState: ReadonlySet<string> = new Set([
  'unclassified',
  'failed',
  'ok',
  'broken',
])

const knownAddressInformationStatus: ReadonlySet<string> = new Set([
  'nonexist',
  'uninit',
  'active',
  'frozen',
  'uninitialized',
])

const actionParts: TaggedParts = {
  read: actionFields,
  tag: 'type',
  content: 'details',
  contents: new Map<string, Decoder>([
    ['call_contract', actionDetailsCallContract],
    ['contract_deploy', actionDetailsContractDeploy],
    ['ton_transfer', actionDetailsTonTransfer],
    ['extra_currency_transfer', actionDetailsExtraCurrencyTransfer],
    ['tick_tock', actionDetailsTickTock],
    ['subscribe', actionDetailsSubscribe],
    ['unsubscribe', actionDetailsUnsubscribe],
    ['election_deposit', actionDetailsElectionDeposit],
    ['election_recover', actionDetailsElectionDeposit],
    ['jetton_transfer', actionDetailsJettonTransfer],
    ['jetton_mint', actionDetailsJettonMint],
    ['jetton_burn', actionDetailsJettonBurn],
    ['nft_mint', actionDetailsNftMint],
    ['nft_discovery', actionDetailsNftDiscovery],
    ['nft_transfer', actionDetailsNftTransfer],
    ['nft_purchase', actionDetailsNftTransfer],
    ['nft_put_on_sale', actionDetailsNftPutOnSale],
    ['nft_update_sale', actionDetailsNftUpdateSale],
    ['nft_cancel_sale', actionDetailsNftCancelSale],
    ['nft_put_on_auction', actionDetailsNftPutOnAuction],
    ['teleitem_start_auction', actionDetailsNftPutOnAuction],
    ['nft_cancel_auction', actionDetailsNftCancelAuction],
    ['teleitem_cancel_auction', actionDetailsNftCancelAuction],
    ['nft_finish_auction', actionDetailsNftCancelAuction],
    ['auction_bid', actionDetailsAuctionBid],
    ['auction_outbid', actionDetailsAuctionOutbid],
    ['change_dns', actionDetailsChangeDns],
    ['delete_dns', actionDetailsDeleteDns],
    ['renew_dns', actionDetailsRenewDns],
    ['dns_purchase', actionDetailsDnsPurchase],
    ['dns_release', actionDetailsDnsRelease],
    ['jetton_swap', actionDetailsJettonSwap],
    ['dex_deposit_liquidity', actionDetailsDexDepositLiquidity],
    ['dex_withdraw_liquidity', actionDetailsDexWithdrawLiquidity],
    ['tonco_deploy_pool', actionDetailsToncoDeployPool],
    ['coffee_create_pool', actionDetailsCoffeeCreatePool],
    ['coffee_create_pool_creator', actionDetailsCoffeeCreatePoolCreator],
    ['coffee_create_vault', actionDetailsCoffeeCreateVault],
    ['coffee_mev_protect_hold_funds', actionDetailsCoffeeMevProtectHoldFunds],
    ['stake_deposit', actionDetailsStakeDeposit],
    ['stake_withdrawal', actionDetailsStakeWithdrawal],
    ['stake_withdrawal_request', actionDetailsStakeWithdrawalRequest],
    ['jvault_claim', actionDetailsJvaultClaim],
    ['jvault_stake', actionDetailsJvaultStake],
    ['jvault_unstake', actionDetailsJvaultUnstake],
    ['jvault_unstake_request', actionDetailsJvaultUnstake],
    ['coffee_staking_deposit', actionDetailsCoffeeStakingDeposit],
    ['coffee_staking_withdraw', actionDetailsCoffeeStakingWithdraw],
    ['coffee_staking_claim_rewards', actionDetailsCoffeeStakingClaimRewards],
    ['evaa_supply', actionDetailsEvaaSupply],
    ['evaa_withdraw', actionDetailsEvaaWithdraw],
    ['evaa_liquidate', actionDetailsEvaaLiquidate],
    ['multisig_create_order', actionDetailsMultisigCreateOrder],
    ['multisig_approve', actionDetailsMultisigApprove],
    ['multisig_execute', actionDetailsMultisigExecute],
    ['vesting_send_message', actionDetailsVestingSendMessage],
    ['vesting_add_whitelist', actionDetailsVestingAddWhitelist],
    ['tgbtc_mint', actionDetailsTgbtcMint],
    ['tgbtc_mint_fallback', actionDetailsTgbtcMint],
    ['tgbtc_burn', actionDetailsTgbtcBurn],
    ['tgbtc_burn_fallback', actionDetailsTgbtcBurn],
    ['tgbtc_new_key', actionDetailsTgbtcNewKey],
    ['tgbtc_new_key_fallback', actionDetailsTgbtcNewKey],
    ['tgbtc_dkg_log_fallback', actionDetailsTgbtcDkgLogFallback],
    ['layerzero_send', actionDetailsLayerzeroSend],
    ['layerzero_send_tokens', actionDetailsLayerzeroSendTokens],
    ['layerzero_receive', actionDetailsLayerzeroReceive],
    ['layerzero_commit_packet', actionDetailsLayerzeroCommitPacket],
    ['layerzero_dvn_verify', actionDetailsLayerzeroDvnVerify],
    ['cocoon_worker_payout', actionDetailsCocoonWorkerPayout],
    ['cocoon_proxy_payout', actionDetailsCocoonProxyPayout],
    ['cocoon_proxy_charge', actionDetailsCocoonProxyCharge],
    ['cocoon_client_top_up', actionDetailsCocoonClientTopUp],
    ['cocoon_register_proxy', actionDetailsCocoonRegisterProxy],
    ['cocoon_unregister_proxy', actionDetailsCocoonUnregisterProxy],
    ['cocoon_client_register', actionDetailsCocoonClientRegister],
    ['cocoon_client_change_secret_hash', actionDetailsCocoonClientChangeSecretHash],
    ['cocoon_client_request_refund', actionDetailsCocoonClientRequestRefund],
    ['cocoon_grant_refund', actionDetailsCocoonGrantRefund],
    ['cocoon_client_increase_stake', actionDetailsCocoonClientIncreaseStake],
    ['cocoon_client_withdraw', actionDetailsCocoonClientWithdraw],
  ]),
  path: 'action.type',
}

const nftSalesNftSalesItemParts: TaggedParts = {
  read: nftSalesNftSalesItemFields,
  tag: 'type',
  content: 'details',
  contents: new Map<string, Decoder>([
    ['getgems_sale', nftSalesNftSalesItemDetailsGetgemsSale],
    ['getgems_auction', nftSalesNftSalesItemDetailsGetgemsAuction],
    ['telemint', nftSalesNftSalesItemDetailsTelemint],
  ]),
  path: 'nft_sale.type',
}

function accountStates(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.accounts = readList(
    value.accounts === null ? [] : value.accounts,
    accountStatesAccountsItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function accountStatesAccountsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  given = value.account_state_hash
  if (given !== undefined)
    value.account_state_hash = orUnread(given, 'account.account_state_hash', readHash)
  given = value.balance
  if (given !== undefined) value.balance = orAbsent(given, readBigint)
  given = value.extra_currencies
  if (given !== undefined)
    value.extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  given = value.status
  if (given === null) value.status = undefined
  else if (given !== undefined) readEnum(given, 'status', knownAccountStatesAccountsItemStatus)
  given = value.frozen_hash
  if (given !== undefined) value.frozen_hash = orUnread(given, 'account.frozen_hash', readHash)
  if (isNullOr(value.last_transaction_hash, readEmptyableHash))
    value.last_transaction_hash = undefined
  given = value.last_transaction_lt
  if (given !== undefined) value.last_transaction_lt = orAbsent(given, readBigint)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'account.data_hash', readHash)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'account.code_hash', readHash)
  if (isNullOr(value.data_boc, readBytes)) value.data_boc = undefined
  if (isNullOr(value.code_boc, readBytes)) value.code_boc = undefined
  value.contract_methods =
    orUnread(value.contract_methods ?? [], 'account.contract_methods', (value) =>
      readList(value, readInt),
    ) ?? readList([], readInt)
  value.interfaces =
    orUnread(value.interfaces ?? [], 'account.interfaces', (value) => readList(value, readText)) ??
    readList([], readText)
  return value
}

function accountStatesAddressBookItemItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.user_friendly
  if (given !== undefined)
    value.user_friendly = orUnread(given, 'address_book.user_friendly', readText)
  given = value.domain
  if (given !== undefined) value.domain = orUnread(given, 'address_book.domain', readText)
  value.interfaces =
    orUnread(value.interfaces ?? [], 'address_book.interfaces', (value) =>
      readList(value, readText),
    ) ?? readList([], readText)
  return value
}

function accountStatesMetadataItemItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.is_indexed
  if (given !== undefined) value.is_indexed = orUnread(given, 'metadata.is_indexed', readBool)
  value.token_info =
    orUnread(value.token_info ?? [], 'metadata.token_info', (value) =>
      readList(value, accountStatesMetadataItemItemTokenInfoItemItem),
    ) ?? readList([], accountStatesMetadataItemItemTokenInfoItemItem)
  return value
}

function accountStatesMetadataItemItemTokenInfoItemItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.valid
  if (given !== undefined) value.valid = orUnread(given, 'token_info.valid', readBool)
  given = value.type
  if (given !== undefined) value.type = orUnread(given, 'token_info.type', readText)
  given = value.name
  if (given !== undefined) value.name = orUnread(given, 'token_info.name', readText)
  given = value.symbol
  if (given !== undefined) value.symbol = orUnread(given, 'token_info.symbol', readText)
  given = value.description
  if (given !== undefined) value.description = orUnread(given, 'token_info.description', readText)
  given = value.image
  if (given !== undefined) value.image = orUnread(given, 'token_info.image', readText)
  given = value.nft_index
  if (given !== undefined) value.nft_index = orUnread(given, 'token_info.nft_index', readText)
  given = value.is_nsfw
  if (given !== undefined) value.is_nsfw = orUnread(given, 'token_info.is_nsfw', readBool)
  given = value.is_scam
  if (given !== undefined) value.is_scam = orUnread(given, 'token_info.is_scam', readBool)
  given = value.extra
  if (given !== undefined)
    value.extra = orUnread(given, 'token_info.extra', (value) => readMap(value, (value) => value))
  return value
}

function walletStates(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.wallets = readList(value.wallets === null ? [] : value.wallets, walletStatesWalletsItem)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function walletStatesWalletsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  readBool(value.is_wallet)
  if (isNullOr(value.wallet_type, readText)) value.wallet_type = undefined
  given = value.seqno
  if (given !== undefined) value.seqno = orAbsent(given, readInt)
  given = value.wallet_id
  if (given !== undefined) value.wallet_id = orAbsent(given, readInt)
  if (isNullOr(value.is_signature_allowed, readBool)) value.is_signature_allowed = undefined
  given = value.balance
  if (given !== undefined) value.balance = orAbsent(given, readBigint)
  given = value.extra_currencies
  if (given !== undefined)
    value.extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  given = value.status
  if (given === null) value.status = undefined
  else if (given !== undefined) readEnum(given, 'status', knownAccountStatesAccountsItemStatus)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'account.code_hash', readHash)
  if (isNullOr(value.last_transaction_hash, readEmptyableHash))
    value.last_transaction_hash = undefined
  given = value.last_transaction_lt
  if (given !== undefined) value.last_transaction_lt = orAbsent(given, readBigint)
  return value
}

function actions(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.actions = readList(value.actions === null ? [] : value.actions, action)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function action(value: unknown): unknown {
  return readTagged(value, actionParts)
}

function actionDetailsCallContract(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.opcode
  if (given !== undefined) value.opcode = orUnread(given, 'action.details', readOpcode)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.value
  if (given !== undefined) value.value = orUnread(given, 'action.details', readBigint)
  given = value.extra_currencies
  if (given !== undefined)
    value.extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  return value
}

function actionDetailsContractDeploy(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.opcode
  if (given !== undefined) value.opcode = orUnread(given, 'action.details', readOpcode)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.value
  if (given !== undefined) value.value = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsTonTransfer(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.value
  if (given !== undefined) value.value = orUnread(given, 'action.details', readBigint)
  given = value.value_extra_currencies
  if (given !== undefined)
    value.value_extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  given = value.comment
  if (given !== undefined) value.comment = orUnread(given, 'action.details', readText)
  given = value.encrypted
  if (given !== undefined) value.encrypted = orUnread(given, 'action.details', readBool)
  return value
}

function actionDetailsExtraCurrencyTransfer(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.value
  if (given !== undefined) value.value = orUnread(given, 'action.details', readBigint)
  given = value.value_extra_currencies
  if (given !== undefined)
    value.value_extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  given = value.comment
  if (given !== undefined) value.comment = orUnread(given, 'action.details', readText)
  given = value.encrypted
  if (given !== undefined) value.encrypted = orUnread(given, 'action.details', readBool)
  given = value.opcode
  if (given !== undefined) value.opcode = orUnread(given, 'action.details', readOpcode)
  given = value.extra_currencies
  if (given !== undefined)
    value.extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  return value
}

function actionDetailsTickTock(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.account, readAddress)) value.account = undefined
  return value
}

function actionDetailsSubscribe(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.subscriber, readAddress)) value.subscriber = undefined
  if (isNullOr(value.beneficiary, readAddress)) value.beneficiary = undefined
  if (isNullOr(value.subscription, readAddress)) value.subscription = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsUnsubscribe(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.subscriber, readAddress)) value.subscriber = undefined
  if (isNullOr(value.beneficiary, readAddress)) value.beneficiary = undefined
  if (isNullOr(value.subscription, readAddress)) value.subscription = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsElectionDeposit(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.stake_holder, readAddress)) value.stake_holder = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJettonTransfer(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.sender, readAddress)) value.sender = undefined
  if (isNullOr(value.receiver, readAddress)) value.receiver = undefined
  if (isNullOr(value.sender_jetton_wallet, readAddress)) value.sender_jetton_wallet = undefined
  if (isNullOr(value.receiver_jetton_wallet, readAddress)) value.receiver_jetton_wallet = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.comment
  if (given !== undefined) value.comment = orUnread(given, 'action.details', readText)
  given = value.is_encrypted_comment
  if (given !== undefined) value.is_encrypted_comment = orUnread(given, 'action.details', readBool)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.response_destination, readAddress)) value.response_destination = undefined
  given = value.custom_payload
  if (given !== undefined) value.custom_payload = orUnread(given, 'action.details', readBytes)
  given = value.forward_payload
  if (given !== undefined) value.forward_payload = orUnread(given, 'action.details', readBytes)
  given = value.forward_amount
  if (given !== undefined) value.forward_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJettonMint(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.receiver, readAddress)) value.receiver = undefined
  if (isNullOr(value.receiver_jetton_wallet, readAddress)) value.receiver_jetton_wallet = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.ton_amount
  if (given !== undefined) value.ton_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJettonBurn(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.owner, readAddress)) value.owner = undefined
  if (isNullOr(value.owner_jetton_wallet, readAddress)) value.owner_jetton_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsNftMint(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.owner, readAddress)) value.owner = undefined
  return value
}

function actionDetailsNftDiscovery(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  return value
}

function actionDetailsNftTransfer(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.old_owner, readAddress)) value.old_owner = undefined
  if (isNullOr(value.new_owner, readAddress)) value.new_owner = undefined
  given = value.is_purchase
  if (given !== undefined) value.is_purchase = orUnread(given, 'action.details', readBool)
  given = value.price
  if (given !== undefined) value.price = orUnread(given, 'action.details', readBigint)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.response_destination, readAddress)) value.response_destination = undefined
  given = value.custom_payload
  if (given !== undefined) value.custom_payload = orUnread(given, 'action.details', readBytes)
  given = value.forward_payload
  if (given !== undefined) value.forward_payload = orUnread(given, 'action.details', readBytes)
  given = value.forward_amount
  if (given !== undefined) value.forward_amount = orUnread(given, 'action.details', readBigint)
  given = value.comment
  if (given !== undefined) value.comment = orUnread(given, 'action.details', readText)
  given = value.is_encrypted_comment
  if (given !== undefined) value.is_encrypted_comment = orUnread(given, 'action.details', readBool)
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  if (isNullOr(value.real_old_owner, readAddress)) value.real_old_owner = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  given = value.payout_amount
  if (given !== undefined) value.payout_amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.payout_address, readAddress)) value.payout_address = undefined
  given = value.payout_comment
  if (given !== undefined) value.payout_comment = orUnread(given, 'action.details', readText)
  given = value.payout_comment_encrypted
  if (given !== undefined)
    value.payout_comment_encrypted = orUnread(given, 'action.details', readBool)
  given = value.payout_comment_encoded
  if (given !== undefined)
    value.payout_comment_encoded = orUnread(given, 'action.details', readBool)
  given = value.royalty_amount
  if (given !== undefined) value.royalty_amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.royalty_address, readAddress)) value.royalty_address = undefined
  return value
}

function actionDetailsNftPutOnSale(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.owner, readAddress)) value.owner = undefined
  if (isNullOr(value.listing_address, readAddress)) value.listing_address = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  if (isNullOr(value.marketplace_fee_address, readAddress))
    value.marketplace_fee_address = undefined
  if (isNullOr(value.royalty_address, readAddress)) value.royalty_address = undefined
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  if (isNullOr(value.sale_address, readAddress)) value.sale_address = undefined
  given = value.full_price
  if (given !== undefined) value.full_price = orUnread(given, 'action.details', readBigint)
  given = value.marketplace_fee
  if (given !== undefined) value.marketplace_fee = orUnread(given, 'action.details', readBigint)
  given = value.royalty_amount
  if (given !== undefined) value.royalty_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsNftUpdateSale(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.sale_contract, readAddress)) value.sale_contract = undefined
  if (isNullOr(value.nft_address, readAddress)) value.nft_address = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  given = value.full_price
  if (given !== undefined) value.full_price = orUnread(given, 'action.details', readBigint)
  given = value.marketplace_fee
  if (given !== undefined) value.marketplace_fee = orUnread(given, 'action.details', readBigint)
  given = value.royalty_amount
  if (given !== undefined) value.royalty_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsNftCancelSale(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.owner, readAddress)) value.owner = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  if (isNullOr(value.sale_address, readAddress)) value.sale_address = undefined
  return value
}

function actionDetailsNftPutOnAuction(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.owner, readAddress)) value.owner = undefined
  if (isNullOr(value.listing_address, readAddress)) value.listing_address = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  if (isNullOr(value.marketplace_fee_address, readAddress))
    value.marketplace_fee_address = undefined
  if (isNullOr(value.royalty_address, readAddress)) value.royalty_address = undefined
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  if (isNullOr(value.auction_address, readAddress)) value.auction_address = undefined
  given = value.marketplace_fee_factor
  if (given !== undefined)
    value.marketplace_fee_factor = orUnread(given, 'action.details', readBigint)
  given = value.marketplace_fee_base
  if (given !== undefined)
    value.marketplace_fee_base = orUnread(given, 'action.details', readBigint)
  given = value.royalty_fee_base
  if (given !== undefined) value.royalty_fee_base = orUnread(given, 'action.details', readBigint)
  given = value.max_bid
  if (given !== undefined) value.max_bid = orUnread(given, 'action.details', readBigint)
  given = value.min_bid
  if (given !== undefined) value.min_bid = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsNftCancelAuction(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.owner, readAddress)) value.owner = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  if (isNullOr(value.auction_address, readAddress)) value.auction_address = undefined
  return value
}

function actionDetailsAuctionBid(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.bidder, readAddress)) value.bidder = undefined
  if (isNullOr(value.auction, readAddress)) value.auction = undefined
  return value
}

function actionDetailsAuctionOutbid(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.auction_address, readAddress)) value.auction_address = undefined
  if (isNullOr(value.bidder, readAddress)) value.bidder = undefined
  if (isNullOr(value.new_bidder, readAddress)) value.new_bidder = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.comment
  if (given !== undefined) value.comment = orUnread(given, 'action.details', readText)
  given = value.marketplace
  if (given !== undefined) value.marketplace = orUnread(given, 'action.details', readText)
  return value
}

function actionDetailsChangeDns(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  given = value.key
  if (given !== undefined) value.key = orUnread(given, 'action.details', readText)
  if (isNullOr(value.value, actionDetailsChangeDnsValue)) value.value = undefined
  return value
}

function actionDetailsChangeDnsValue(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.sum_type
  if (given !== undefined) value.sum_type = orUnread(given, 'action.details', readText)
  given = value.dns_smc_address
  if (given !== undefined) value.dns_smc_address = orUnread(given, 'action.details', readText)
  given = value.dns_adnl_address
  if (given !== undefined) value.dns_adnl_address = orUnread(given, 'action.details', readText)
  given = value.dns_text
  if (given !== undefined) value.dns_text = orUnread(given, 'action.details', readText)
  given = value.dns_next_resolver_address
  if (given !== undefined)
    value.dns_next_resolver_address = orUnread(given, 'action.details', readText)
  given = value.dns_storage_address
  if (given !== undefined) value.dns_storage_address = orUnread(given, 'action.details', readText)
  given = value.flags
  if (given !== undefined) value.flags = orUnread(given, 'action.details', readInt)
  return value
}

function actionDetailsDeleteDns(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  given = value.hash
  if (given !== undefined) value.hash = orUnread(given, 'action.details', readText)
  return value
}

function actionDetailsRenewDns(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  return value
}

function actionDetailsDnsPurchase(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.new_owner, readAddress)) value.new_owner = undefined
  given = value.price
  if (given !== undefined) value.price = orUnread(given, 'action.details', readBigint)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  given = value.payout_amount
  if (given !== undefined) value.payout_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsDnsRelease(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.nft_item, readAddress)) value.nft_item = undefined
  given = value.nft_item_index
  if (given !== undefined) value.nft_item_index = orUnread(given, 'action.details', readBigint)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.value
  if (given !== undefined) value.value = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJettonSwap(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.dex
  if (given !== undefined) value.dex = orUnread(given, 'action.details', readText)
  if (isNullOr(value.sender, readAddress)) value.sender = undefined
  if (isNullOr(value.asset_in, readAddress)) value.asset_in = undefined
  if (isNullOr(value.asset_out, readAddress)) value.asset_out = undefined
  if (isNullOr(value.dex_incoming_transfer, actionDetailsJettonSwapDexIncomingTransfer))
    value.dex_incoming_transfer = undefined
  if (isNullOr(value.dex_outgoing_transfer, actionDetailsJettonSwapDexIncomingTransfer))
    value.dex_outgoing_transfer = undefined
  value.peer_swaps = readList(value.peer_swaps ?? [], actionDetailsJettonSwapPeerSwapsItem)
  given = value.min_out_amount
  if (given !== undefined) value.min_out_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJettonSwapDexIncomingTransfer(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.destination_jetton_wallet, readAddress))
    value.destination_jetton_wallet = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJettonSwapPeerSwapsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.asset_in, readAddress)) value.asset_in = undefined
  given = value.amount_in
  if (given !== undefined) value.amount_in = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset_out, readAddress)) value.asset_out = undefined
  given = value.amount_out
  if (given !== undefined) value.amount_out = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsDexDepositLiquidity(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.dex
  if (given !== undefined) value.dex = orUnread(given, 'action.details', readText)
  given = value.amount_1
  if (given !== undefined) value.amount_1 = orUnread(given, 'action.details', readBigint)
  given = value.amount_2
  if (given !== undefined) value.amount_2 = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset_1, readAddress)) value.asset_1 = undefined
  if (isNullOr(value.asset_2, readAddress)) value.asset_2 = undefined
  if (isNullOr(value.user_jetton_wallet_1, readAddress)) value.user_jetton_wallet_1 = undefined
  if (isNullOr(value.user_jetton_wallet_2, readAddress)) value.user_jetton_wallet_2 = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.destination_liquidity, readAddress)) value.destination_liquidity = undefined
  given = value.tick_lower
  if (given !== undefined) value.tick_lower = orUnread(given, 'action.details', readBigint)
  given = value.tick_upper
  if (given !== undefined) value.tick_upper = orUnread(given, 'action.details', readBigint)
  given = value.lp_tokens_minted
  if (given !== undefined) value.lp_tokens_minted = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.target_asset_1, readAddress)) value.target_asset_1 = undefined
  if (isNullOr(value.target_asset_2, readAddress)) value.target_asset_2 = undefined
  given = value.target_amount_1
  if (given !== undefined) value.target_amount_1 = orUnread(given, 'action.details', readBigint)
  given = value.target_amount_2
  if (given !== undefined) value.target_amount_2 = orUnread(given, 'action.details', readBigint)
  value.vault_excesses = readList(
    value.vault_excesses ?? [],
    actionDetailsDexDepositLiquidityVaultExcessesItem,
  )
  given = value.nft_index
  if (given !== undefined) value.nft_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.nft_address, readAddress)) value.nft_address = undefined
  return value
}

function actionDetailsDexDepositLiquidityVaultExcessesItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsDexWithdrawLiquidity(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.dex
  if (given !== undefined) value.dex = orUnread(given, 'action.details', readText)
  given = value.amount_1
  if (given !== undefined) value.amount_1 = orUnread(given, 'action.details', readBigint)
  given = value.amount_2
  if (given !== undefined) value.amount_2 = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset_1, readAddress)) value.asset_1 = undefined
  if (isNullOr(value.asset_2, readAddress)) value.asset_2 = undefined
  if (isNullOr(value.user_jetton_wallet_1, readAddress)) value.user_jetton_wallet_1 = undefined
  if (isNullOr(value.user_jetton_wallet_2, readAddress)) value.user_jetton_wallet_2 = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.destination_liquidity, readAddress)) value.destination_liquidity = undefined
  given = value.tick_lower
  if (given !== undefined) value.tick_lower = orUnread(given, 'action.details', readBigint)
  given = value.tick_upper
  if (given !== undefined) value.tick_upper = orUnread(given, 'action.details', readBigint)
  given = value.lp_tokens_burnt
  if (given !== undefined) value.lp_tokens_burnt = orUnread(given, 'action.details', readBigint)
  given = value.is_refund
  if (given !== undefined) value.is_refund = orUnread(given, 'action.details', readBool)
  given = value.burnt_nft_index
  if (given !== undefined) value.burnt_nft_index = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.burnt_nft_address, readAddress)) value.burnt_nft_address = undefined
  return value
}

function actionDetailsToncoDeployPool(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.router, readAddress)) value.router = undefined
  if (isNullOr(value.router_jetton_wallet_1, readAddress)) value.router_jetton_wallet_1 = undefined
  if (isNullOr(value.router_jetton_wallet_2, readAddress)) value.router_jetton_wallet_2 = undefined
  if (isNullOr(value.jetton_minter_1, readAddress)) value.jetton_minter_1 = undefined
  if (isNullOr(value.jetton_minter_2, readAddress)) value.jetton_minter_2 = undefined
  given = value.tick_spacing
  if (given !== undefined) value.tick_spacing = orUnread(given, 'action.details', readBigint)
  given = value.initial_price_x96
  if (given !== undefined) value.initial_price_x96 = orUnread(given, 'action.details', readBigint)
  given = value.protocol_fee
  if (given !== undefined) value.protocol_fee = orUnread(given, 'action.details', readBigint)
  given = value.lp_fee_base
  if (given !== undefined) value.lp_fee_base = orUnread(given, 'action.details', readBigint)
  given = value.lp_fee_current
  if (given !== undefined) value.lp_fee_current = orUnread(given, 'action.details', readBigint)
  given = value.pool_active
  if (given !== undefined) value.pool_active = orUnread(given, 'action.details', readBool)
  return value
}

function actionDetailsCoffeeCreatePool(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.initiator_1, readAddress)) value.initiator_1 = undefined
  if (isNullOr(value.initiator_2, readAddress)) value.initiator_2 = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.pool_creator_contract, readAddress)) value.pool_creator_contract = undefined
  if (isNullOr(value.provided_asset, readAddress)) value.provided_asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset_1, readAddress)) value.asset_1 = undefined
  if (isNullOr(value.asset_2, readAddress)) value.asset_2 = undefined
  given = value.amount_1
  if (given !== undefined) value.amount_1 = orUnread(given, 'action.details', readBigint)
  given = value.amount_2
  if (given !== undefined) value.amount_2 = orUnread(given, 'action.details', readBigint)
  given = value.lp_tokens_minted
  if (given !== undefined) value.lp_tokens_minted = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCoffeeCreatePoolCreator(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.deposit_recipient, readAddress)) value.deposit_recipient = undefined
  if (isNullOr(value.pool_creator_contract, readAddress)) value.pool_creator_contract = undefined
  if (isNullOr(value.provided_asset, readAddress)) value.provided_asset = undefined
  if (isNullOr(value.asset_1, readAddress)) value.asset_1 = undefined
  if (isNullOr(value.asset_2, readAddress)) value.asset_2 = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCoffeeCreateVault(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.vault, readAddress)) value.vault = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.value
  if (given !== undefined) value.value = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCoffeeMevProtectHoldFunds(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.mev_contract, readAddress)) value.mev_contract = undefined
  if (isNullOr(value.mev_contract_jetton_wallet, readAddress))
    value.mev_contract_jetton_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsStakeDeposit(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.provider
  if (given !== undefined) value.provider = orUnread(given, 'action.details', readText)
  if (isNullOr(value.stake_holder, readAddress)) value.stake_holder = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.tokens_minted
  if (given !== undefined) value.tokens_minted = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.source_asset, readAddress)) value.source_asset = undefined
  return value
}

function actionDetailsStakeWithdrawal(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.provider
  if (given !== undefined) value.provider = orUnread(given, 'action.details', readText)
  if (isNullOr(value.stake_holder, readAddress)) value.stake_holder = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.payout_nft, readAddress)) value.payout_nft = undefined
  given = value.tokens_burnt
  if (given !== undefined) value.tokens_burnt = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsStakeWithdrawalRequest(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.provider
  if (given !== undefined) value.provider = orUnread(given, 'action.details', readText)
  if (isNullOr(value.stake_holder, readAddress)) value.stake_holder = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.payout_nft, readAddress)) value.payout_nft = undefined
  given = value.tokens_burnt
  if (given !== undefined) value.tokens_burnt = orUnread(given, 'action.details', readBigint)
  given = value.tokens_minted
  if (given !== undefined) value.tokens_minted = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJvaultClaim(value: unknown): unknown {
  checkObject(value)
  value.claimed_rewards = readList(
    value.claimed_rewards ?? [],
    actionDetailsJvaultClaimClaimedRewardsItem,
  )
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.stake_wallet, readAddress)) value.stake_wallet = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  return value
}

function actionDetailsJvaultClaimClaimedRewardsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.jetton, readAddress)) value.jetton = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJvaultStake(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.period
  if (given !== undefined) value.period = orUnread(given, 'action.details', readInt)
  given = value.minted_stake_jettons
  if (given !== undefined)
    value.minted_stake_jettons = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.stake_wallet, readAddress)) value.stake_wallet = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsJvaultUnstake(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.stake_wallet, readAddress)) value.stake_wallet = undefined
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.exit_code
  if (given !== undefined) value.exit_code = orUnread(given, 'action.details', readInt)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.staking_asset, readAddress)) value.staking_asset = undefined
  return value
}

function actionDetailsCoffeeStakingDeposit(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.pool_jetton_wallet, readAddress)) value.pool_jetton_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.minted_item_address, readAddress)) value.minted_item_address = undefined
  given = value.minted_item_index
  if (given !== undefined) value.minted_item_index = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCoffeeStakingWithdraw(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.pool_jetton_wallet, readAddress)) value.pool_jetton_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_jetton_wallet, readAddress)) value.source_jetton_wallet = undefined
  if (isNullOr(value.nft_address, readAddress)) value.nft_address = undefined
  given = value.nft_index
  if (given !== undefined) value.nft_index = orUnread(given, 'action.details', readBigint)
  given = value.points
  if (given !== undefined) value.points = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCoffeeStakingClaimRewards(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.pool, readAddress)) value.pool = undefined
  if (isNullOr(value.pool_jetton_wallet, readAddress)) value.pool_jetton_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.recipient, readAddress)) value.recipient = undefined
  if (isNullOr(value.recipient_jetton_wallet, readAddress))
    value.recipient_jetton_wallet = undefined
  return value
}

function actionDetailsEvaaSupply(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.sender_jetton_wallet, readAddress)) value.sender_jetton_wallet = undefined
  if (isNullOr(value.recipient_jetton_wallet, readAddress))
    value.recipient_jetton_wallet = undefined
  if (isNullOr(value.master_jetton_wallet, readAddress)) value.master_jetton_wallet = undefined
  if (isNullOr(value.master, readAddress)) value.master = undefined
  given = value.asset_id
  if (given !== undefined) value.asset_id = orUnread(given, 'action.details', readText)
  given = value.is_ton
  if (given !== undefined) value.is_ton = orUnread(given, 'action.details', readBool)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_wallet, readAddress)) value.source_wallet = undefined
  if (isNullOr(value.recipient, readAddress)) value.recipient = undefined
  if (isNullOr(value.recipient_contract, readAddress)) value.recipient_contract = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsEvaaWithdraw(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.recipient_jetton_wallet, readAddress))
    value.recipient_jetton_wallet = undefined
  if (isNullOr(value.master_jetton_wallet, readAddress)) value.master_jetton_wallet = undefined
  if (isNullOr(value.master, readAddress)) value.master = undefined
  given = value.fail_reason
  if (given !== undefined) value.fail_reason = orUnread(given, 'action.details', readText)
  given = value.asset_id
  if (given !== undefined) value.asset_id = orUnread(given, 'action.details', readText)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.recipient, readAddress)) value.recipient = undefined
  if (isNullOr(value.owner_contract, readAddress)) value.owner_contract = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsEvaaLiquidate(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.fail_reason
  if (given !== undefined) value.fail_reason = orUnread(given, 'action.details', readText)
  given = value.debt_amount
  if (given !== undefined) value.debt_amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.borrower, readAddress)) value.borrower = undefined
  if (isNullOr(value.borrower_contract, readAddress)) value.borrower_contract = undefined
  if (isNullOr(value.collateral, readAddress)) value.collateral = undefined
  given = value.asset_id
  if (given !== undefined) value.asset_id = orUnread(given, 'action.details', readText)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.is_known_asset
  if (given !== undefined) value.is_known_asset = orUnread(given, 'action.details', readBool)
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsMultisigCreateOrder(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  given = value.order_seqno
  if (given !== undefined) value.order_seqno = orUnread(given, 'action.details', readBigint)
  given = value.is_created_by_signer
  if (given !== undefined) value.is_created_by_signer = orUnread(given, 'action.details', readBool)
  given = value.is_signed_by_creator
  if (given !== undefined) value.is_signed_by_creator = orUnread(given, 'action.details', readBool)
  given = value.creator_index
  if (given !== undefined) value.creator_index = orUnread(given, 'action.details', readInt)
  given = value.expiration_date
  if (given !== undefined) value.expiration_date = orUnread(given, 'action.details', readBigint)
  given = value.order_boc
  if (given !== undefined) value.order_boc = orUnread(given, 'action.details', readBytes)
  if (isNullOr(value.destination_order, readAddress)) value.destination_order = undefined
  return value
}

function actionDetailsMultisigApprove(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.signer_index
  if (given !== undefined) value.signer_index = orUnread(given, 'action.details', readInt)
  given = value.exit_code
  if (given !== undefined) value.exit_code = orUnread(given, 'action.details', readInt)
  return value
}

function actionDetailsMultisigExecute(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  given = value.order_seqno
  if (given !== undefined) value.order_seqno = orUnread(given, 'action.details', readBigint)
  given = value.expiration_date
  if (given !== undefined) value.expiration_date = orUnread(given, 'action.details', readBigint)
  given = value.approvals_num
  if (given !== undefined) value.approvals_num = orUnread(given, 'action.details', readInt)
  given = value.signers_hash
  if (given !== undefined) value.signers_hash = orUnread(given, 'action.details', readText)
  given = value.order_boc
  if (given !== undefined) value.order_boc = orUnread(given, 'action.details', readBytes)
  return value
}

function actionDetailsVestingSendMessage(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  given = value.message_boc
  if (given !== undefined) value.message_boc = orUnread(given, 'action.details', readBytes)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.vesting, readAddress)) value.vesting = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsVestingAddWhitelist(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  value.accounts_added = readList(value.accounts_added ?? [], readAddress)
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.vesting, readAddress)) value.vesting = undefined
  return value
}

function actionDetailsTgbtcMint(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.bitcoin_tx_id
  if (given !== undefined) value.bitcoin_tx_id = orUnread(given, 'action.details', readText)
  if (isNullOr(value.destination_wallet, readAddress)) value.destination_wallet = undefined
  return value
}

function actionDetailsTgbtcBurn(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.source_wallet, readAddress)) value.source_wallet = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  return value
}

function actionDetailsTgbtcNewKey(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.pubkey
  if (given !== undefined) value.pubkey = orUnread(given, 'action.details', readText)
  if (isNullOr(value.coordinator, readAddress)) value.coordinator = undefined
  if (isNullOr(value.pegout, readAddress)) value.pegout = undefined
  return value
}

function actionDetailsTgbtcDkgLogFallback(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.coordinator, readAddress)) value.coordinator = undefined
  given = value.pubkey
  if (given !== undefined) value.pubkey = orUnread(given, 'action.details', readText)
  given = value.timestamp
  if (given !== undefined) value.timestamp = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsLayerzeroSend(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.initiator, readAddress)) value.initiator = undefined
  if (isNullOr(value.layerzero_send_data, actionDetailsLayerzeroSendLayerzeroSendData))
    value.layerzero_send_data = undefined
  if (isNullOr(value.layerzero_packet_data, actionDetailsLayerzeroSendLayerzeroPacketData))
    value.layerzero_packet_data = undefined
  return value
}

function actionDetailsLayerzeroSendLayerzeroSendData(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.send_request_id
  if (given !== undefined) value.send_request_id = orUnread(given, 'action.details', readBigint)
  given = value.msglib_manager
  if (given !== undefined) value.msglib_manager = orUnread(given, 'action.details', readText)
  given = value.msglib
  if (given !== undefined) value.msglib = orUnread(given, 'action.details', readText)
  if (isNullOr(value.uln, readAddress)) value.uln = undefined
  given = value.native_fee
  if (given !== undefined) value.native_fee = orUnread(given, 'action.details', readBigint)
  given = value.zro_fee
  if (given !== undefined) value.zro_fee = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.endpoint, readAddress)) value.endpoint = undefined
  if (isNullOr(value.channel, readAddress)) value.channel = undefined
  return value
}

function actionDetailsLayerzeroSendLayerzeroPacketData(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.src_oapp
  if (given !== undefined) value.src_oapp = orUnread(given, 'action.details', readText)
  given = value.dst_oapp
  if (given !== undefined) value.dst_oapp = orUnread(given, 'action.details', readText)
  given = value.src_eid
  if (given !== undefined) value.src_eid = orUnread(given, 'action.details', readInt)
  given = value.dst_eid
  if (given !== undefined) value.dst_eid = orUnread(given, 'action.details', readInt)
  given = value.nonce
  if (given !== undefined) value.nonce = orUnread(given, 'action.details', readBigint)
  given = value.guid
  if (given !== undefined) value.guid = orUnread(given, 'action.details', readText)
  given = value.message
  if (given !== undefined) value.message = orUnread(given, 'action.details', readText)
  return value
}

function actionDetailsLayerzeroSendTokens(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.sender, readAddress)) value.sender = undefined
  if (isNullOr(value.sender_wallet, readAddress)) value.sender_wallet = undefined
  if (isNullOr(value.oapp, readAddress)) value.oapp = undefined
  if (isNullOr(value.oapp_wallet, readAddress)) value.oapp_wallet = undefined
  if (isNullOr(value.asset, readAddress)) value.asset = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.layerzero_send_data, actionDetailsLayerzeroSendLayerzeroSendData))
    value.layerzero_send_data = undefined
  if (isNullOr(value.layerzero_packet_data, actionDetailsLayerzeroSendLayerzeroPacketData))
    value.layerzero_packet_data = undefined
  return value
}

function actionDetailsLayerzeroReceive(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.sender, readAddress)) value.sender = undefined
  if (isNullOr(value.oapp, readAddress)) value.oapp = undefined
  if (isNullOr(value.channel, readAddress)) value.channel = undefined
  if (isNullOr(value.layerzero_packet_data, actionDetailsLayerzeroSendLayerzeroPacketData))
    value.layerzero_packet_data = undefined
  return value
}

function actionDetailsLayerzeroCommitPacket(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.sender, readAddress)) value.sender = undefined
  if (isNullOr(value.endpoint, readAddress)) value.endpoint = undefined
  if (isNullOr(value.uln, readAddress)) value.uln = undefined
  if (isNullOr(value.uln_connection, readAddress)) value.uln_connection = undefined
  if (isNullOr(value.channel, readAddress)) value.channel = undefined
  if (isNullOr(value.msglib_connection, readAddress)) value.msglib_connection = undefined
  if (isNullOr(value.layerzero_packet_data, actionDetailsLayerzeroSendLayerzeroPacketData))
    value.layerzero_packet_data = undefined
  return value
}

function actionDetailsLayerzeroDvnVerify(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.initiator, readAddress)) value.initiator = undefined
  given = value.nonce
  if (given !== undefined) value.nonce = orUnread(given, 'action.details', readBigint)
  given = value.status
  if (given !== undefined) value.status = orUnread(given, 'action.details', readText)
  if (isNullOr(value.dvn, readAddress)) value.dvn = undefined
  if (isNullOr(value.proxy, readAddress)) value.proxy = undefined
  if (isNullOr(value.uln, readAddress)) value.uln = undefined
  if (isNullOr(value.uln_connection, readAddress)) value.uln_connection = undefined
  return value
}

function actionDetailsCocoonWorkerPayout(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.payout_type
  if (given !== undefined) value.payout_type = orUnread(given, 'action.details', readText)
  given = value.new_tokens
  if (given !== undefined) value.new_tokens = orUnread(given, 'action.details', readBigint)
  given = value.worker_state
  if (given !== undefined) value.worker_state = orUnread(given, 'action.details', readInt)
  given = value.worker_tokens
  if (given !== undefined) value.worker_tokens = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCocoonProxyPayout(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  return value
}

function actionDetailsCocoonProxyCharge(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.new_tokens_used
  if (given !== undefined) value.new_tokens_used = orUnread(given, 'action.details', readBigint)
  given = value.expected_address
  if (given !== undefined) value.expected_address = orUnread(given, 'action.details', readText)
  return value
}

function actionDetailsCocoonClientTopUp(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCocoonRegisterProxy(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  return value
}

function actionDetailsCocoonUnregisterProxy(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.seqno
  if (given !== undefined) value.seqno = orUnread(given, 'action.details', readInt)
  return value
}

function actionDetailsCocoonClientRegister(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.nonce
  if (given !== undefined) value.nonce = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCocoonClientChangeSecretHash(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.new_secret_hash
  if (given !== undefined) value.new_secret_hash = orUnread(given, 'action.details', readText)
  return value
}

function actionDetailsCocoonClientRequestRefund(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.via_wallet
  if (given !== undefined) value.via_wallet = orUnread(given, 'action.details', readBool)
  return value
}

function actionDetailsCocoonGrantRefund(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.new_tokens_used
  if (given !== undefined) value.new_tokens_used = orUnread(given, 'action.details', readBigint)
  given = value.expected_address
  if (given !== undefined) value.expected_address = orUnread(given, 'action.details', readText)
  return value
}

function actionDetailsCocoonClientIncreaseStake(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.new_stake
  if (given !== undefined) value.new_stake = orUnread(given, 'action.details', readBigint)
  return value
}

function actionDetailsCocoonClientWithdraw(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.query_id
  if (given !== undefined) value.query_id = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  given = value.amount
  if (given !== undefined) value.amount = orUnread(given, 'action.details', readBigint)
  given = value.withdraw_amount
  if (given !== undefined) value.withdraw_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function actionFields(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.trace_id, readEmptyableHash)) value.trace_id = undefined
  readHash(value.action_id)
  value.start_lt = readBigint(value.start_lt)
  value.end_lt = readBigint(value.end_lt)
  value.start_utime = readInt(value.start_utime)
  value.end_utime = readInt(value.end_utime)
  given = value.trace_end_lt
  if (given !== undefined) value.trace_end_lt = orAbsent(given, readBigint)
  given = value.trace_end_utime
  if (given !== undefined) value.trace_end_utime = orAbsent(given, readInt)
  given = value.trace_mc_seqno_end
  if (given !== undefined) value.trace_mc_seqno_end = orAbsent(given, readInt)
  value.transactions = readList(value.transactions ?? [], readHash)
  if (isNullOr(value.success, readBool)) value.success = undefined
  given = value.trace_external_hash
  if (given !== undefined)
    value.trace_external_hash = orUnread(given, 'action.trace_external_hash', readHash)
  given = value.trace_external_hash_norm
  if (given !== undefined)
    value.trace_external_hash_norm = orUnread(given, 'action.trace_external_hash_norm', readHash)
  given = value.accounts
  if (given !== undefined)
    value.accounts = orUnread(given, 'action.accounts', (value) => readList(value, readAddress))
  if (isNullOrList(value.transactions_full, transaction)) value.transactions_full = undefined
  given = value.finality
  if (given === null) value.finality = undefined
  else if (given !== undefined) readEnum(given, 'finality', knownTransactionFinality)
  return value
}

function transaction(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.account)
  readHash(value.hash)
  value.lt = readBigint(value.lt)
  value.now = readInt(value.now)
  given = value.mc_block_seqno
  if (given !== undefined) value.mc_block_seqno = orAbsent(given, readInt)
  if (isNullOr(value.trace_id, readEmptyableHash)) value.trace_id = undefined
  given = value.trace_external_hash
  if (given !== undefined)
    value.trace_external_hash = orUnread(given, 'transaction.trace_external_hash', readHash)
  if (isNullOr(value.prev_trans_hash, readEmptyableHash)) value.prev_trans_hash = undefined
  given = value.prev_trans_lt
  if (given !== undefined) value.prev_trans_lt = orAbsent(given, readBigint)
  given = value.orig_status
  if (given === null) value.orig_status = undefined
  else if (given !== undefined) readEnum(given, 'orig_status', knownAccountStatesAccountsItemStatus)
  given = value.end_status
  if (given === null) value.end_status = undefined
  else if (given !== undefined) readEnum(given, 'end_status', knownAccountStatesAccountsItemStatus)
  value.total_fees = readBigint(value.total_fees)
  given = value.total_fees_extra_currencies
  if (given !== undefined)
    value.total_fees_extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  description(value.description)
  if (isNullOr(value.block_ref, blockId)) value.block_ref = undefined
  if (isNullOr(value.in_msg, message)) value.in_msg = undefined
  value.out_msgs = readList(value.out_msgs ?? [], message)
  if (isNullOr(value.account_state_before, accountState)) value.account_state_before = undefined
  if (isNullOr(value.account_state_after, accountState)) value.account_state_after = undefined
  if (isNullOr(value.emulated, readBool)) value.emulated = undefined
  given = value.finality
  if (given === null) value.finality = undefined
  else if (given !== undefined) readEnum(given, 'finality', knownTransactionFinality)
  return value
}

function description(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readEnum(value.type, 'description.type', knownDescriptionType)
  if (isNullOr(value.aborted, readBool)) value.aborted = undefined
  if (isNullOr(value.destroyed, readBool)) value.destroyed = undefined
  if (isNullOr(value.credit_first, readBool)) value.credit_first = undefined
  if (isNullOr(value.is_tock, readBool)) value.is_tock = undefined
  if (isNullOr(value.installed, readBool)) value.installed = undefined
  if (isNullOr(value.storage_ph, descriptionStoragePh)) value.storage_ph = undefined
  if (isNullOr(value.credit_ph, descriptionCreditPh)) value.credit_ph = undefined
  if (isNullOr(value.compute_ph, descriptionComputePh)) value.compute_ph = undefined
  if (isNullOr(value.action, descriptionAction)) value.action = undefined
  if (isNullOr(value.bounce, descriptionBounce)) value.bounce = undefined
  given = value.split_info
  if (given !== undefined)
    value.split_info = orUnread(given, 'description.split_info', descriptionSplitInfoItem)
  return value
}

function descriptionStoragePh(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.storage_fees_collected
  if (given !== undefined) value.storage_fees_collected = orAbsent(given, readBigint)
  given = value.storage_fees_due
  if (given !== undefined) value.storage_fees_due = orAbsent(given, readBigint)
  given = value.status_change
  if (given === null) value.status_change = undefined
  else if (given !== undefined)
    readEnum(given, 'storage_ph.status_change', knownDescriptionStoragePhStatusChange)
  return value
}

function descriptionCreditPh(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.due_fees_collected
  if (given !== undefined) value.due_fees_collected = orAbsent(given, readBigint)
  given = value.credit
  if (given !== undefined) value.credit = orAbsent(given, readBigint)
  given = value.credit_extra_currencies
  if (given !== undefined)
    value.credit_extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  return value
}

function descriptionComputePh(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.type
  if (given === null) value.type = undefined
  else if (given !== undefined) readEnum(given, 'compute_ph.type', knownDescriptionComputePhType)
  given = value.skip_reason
  if (given === null) value.skip_reason = undefined
  else if (given !== undefined)
    readEnum(given, 'compute_ph.skip_reason', knownDescriptionComputePhSkipReason)
  if (isNullOr(value.skipped, readBool)) value.skipped = undefined
  given = value.reason
  if (given === null) value.reason = undefined
  else if (given !== undefined)
    readEnum(given, 'compute_ph.reason', knownDescriptionComputePhSkipReason)
  if (isNullOr(value.success, readBool)) value.success = undefined
  if (isNullOr(value.msg_state_used, readBool)) value.msg_state_used = undefined
  if (isNullOr(value.account_activated, readBool)) value.account_activated = undefined
  given = value.gas_fees
  if (given !== undefined) value.gas_fees = orAbsent(given, readBigint)
  given = value.gas_used
  if (given !== undefined) value.gas_used = orAbsent(given, readBigint)
  given = value.gas_limit
  if (given !== undefined) value.gas_limit = orAbsent(given, readBigint)
  given = value.gas_credit
  if (given !== undefined) value.gas_credit = orAbsent(given, readBigint)
  given = value.mode
  if (given !== undefined) value.mode = orAbsent(given, readInt)
  given = value.exit_code
  if (given !== undefined) value.exit_code = orAbsent(given, readInt)
  given = value.exit_arg
  if (given !== undefined) value.exit_arg = orAbsent(given, readInt)
  given = value.vm_steps
  if (given !== undefined) value.vm_steps = orAbsent(given, readInt)
  given = value.vm_init_state_hash
  if (given !== undefined)
    value.vm_init_state_hash = orUnread(given, 'description.vm_init_state_hash', readHash)
  given = value.vm_final_state_hash
  if (given !== undefined)
    value.vm_final_state_hash = orUnread(given, 'description.vm_final_state_hash', readHash)
  return value
}

function descriptionAction(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.success, readBool)) value.success = undefined
  if (isNullOr(value.valid, readBool)) value.valid = undefined
  if (isNullOr(value.no_funds, readBool)) value.no_funds = undefined
  given = value.status_change
  if (given === null) value.status_change = undefined
  else if (given !== undefined)
    readEnum(given, 'action.status_change', knownDescriptionStoragePhStatusChange)
  given = value.total_fwd_fees
  if (given !== undefined) value.total_fwd_fees = orAbsent(given, readBigint)
  given = value.total_action_fees
  if (given !== undefined) value.total_action_fees = orAbsent(given, readBigint)
  given = value.result_code
  if (given !== undefined) value.result_code = orAbsent(given, readInt)
  given = value.result_arg
  if (given !== undefined) value.result_arg = orAbsent(given, readInt)
  given = value.tot_actions
  if (given !== undefined) value.tot_actions = orAbsent(given, readInt)
  given = value.spec_actions
  if (given !== undefined) value.spec_actions = orAbsent(given, readInt)
  given = value.skipped_actions
  if (given !== undefined) value.skipped_actions = orAbsent(given, readInt)
  given = value.msgs_created
  if (given !== undefined) value.msgs_created = orAbsent(given, readInt)
  given = value.action_list_hash
  if (given !== undefined)
    value.action_list_hash = orUnread(given, 'description.action_list_hash', readHash)
  given = value.tot_msg_size
  if (given !== undefined)
    value.tot_msg_size = orUnread(
      given,
      'description.tot_msg_size',
      descriptionActionTotMsgSizeItem,
    )
  return value
}

function descriptionActionTotMsgSizeItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.cells
  if (given !== undefined) value.cells = orAbsent(given, readBigint)
  given = value.bits
  if (given !== undefined) value.bits = orAbsent(given, readBigint)
  return value
}

function descriptionBounce(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.type
  if (given === null) value.type = undefined
  else if (given !== undefined) readEnum(given, 'bounce.type', knownDescriptionBounceType)
  given = value.msg_size
  if (given !== undefined)
    value.msg_size = orUnread(given, 'description.msg_size', descriptionActionTotMsgSizeItem)
  given = value.req_fwd_fees
  if (given !== undefined) value.req_fwd_fees = orAbsent(given, readBigint)
  given = value.msg_fees
  if (given !== undefined) value.msg_fees = orAbsent(given, readBigint)
  given = value.fwd_fees
  if (given !== undefined) value.fwd_fees = orAbsent(given, readBigint)
  return value
}

function descriptionSplitInfoItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.cur_shard_pfx_len
  if (given !== undefined) value.cur_shard_pfx_len = orAbsent(given, readInt)
  given = value.acc_split_depth
  if (given !== undefined) value.acc_split_depth = orAbsent(given, readInt)
  if (isNullOr(value.this_addr, readText)) value.this_addr = undefined
  if (isNullOr(value.sibling_addr, readText)) value.sibling_addr = undefined
  return value
}

function blockId(value: unknown): unknown {
  checkObject(value)
  value.workchain = readInt(value.workchain)
  readText(value.shard)
  value.seqno = readInt(value.seqno)
  return value
}

function message(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readHash(value.hash)
  if (isNullOr(value.hash_norm, readEmptyableHash)) value.hash_norm = undefined
  if (isNullOr(value.source, readAddress)) value.source = undefined
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.value
  if (given !== undefined) value.value = orAbsent(given, readBigint)
  given = value.value_extra_currencies
  if (given !== undefined)
    value.value_extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  given = value.fwd_fee
  if (given !== undefined) value.fwd_fee = orAbsent(given, readBigint)
  given = value.ihr_fee
  if (given !== undefined) value.ihr_fee = orAbsent(given, readBigint)
  given = value.import_fee
  if (given !== undefined) value.import_fee = orAbsent(given, readBigint)
  given = value.created_lt
  if (given !== undefined) value.created_lt = orAbsent(given, readBigint)
  given = value.created_at
  if (given !== undefined) value.created_at = orAbsent(given, readInt)
  given = value.extra_flags
  if (given !== undefined) value.extra_flags = orUnread(given, 'message.extra_flags', readText)
  given = value.opcode
  if (given !== undefined) value.opcode = orUnread(given, 'message.opcode', readOpcode)
  given = value.decoded_opcode
  if (given !== undefined)
    value.decoded_opcode = orUnread(given, 'message.decoded_opcode', readText)
  given = value.ihr_disabled
  if (given !== undefined) value.ihr_disabled = orUnread(given, 'message.ihr_disabled', readBool)
  if (isNullOr(value.bounce, readBool)) value.bounce = undefined
  if (isNullOr(value.bounced, readBool)) value.bounced = undefined
  if (isNullOr(value.in_msg_tx_hash, readEmptyableHash)) value.in_msg_tx_hash = undefined
  if (isNullOr(value.out_msg_tx_hash, readEmptyableHash)) value.out_msg_tx_hash = undefined
  if (isNullOr(value.message_content, messageMessageContent)) value.message_content = undefined
  given = value.init_state
  if (given !== undefined)
    value.init_state = orUnread(given, 'message.init_state', messageMessageContent)
  return value
}

function messageMessageContent(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.hash, readEmptyableHash)) value.hash = undefined
  if (isNullOr(value.body, readBytes)) value.body = undefined
  given = value.decoded
  if (given === null) value.decoded = undefined
  return value
}

function accountState(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.hash
  if (given !== undefined) value.hash = orUnread(given, 'account_state.hash', readHash)
  given = value.balance
  if (given !== undefined) value.balance = orAbsent(given, readBigint)
  given = value.extra_currencies
  if (given !== undefined)
    value.extra_currencies = orUnread(given, 'extra_currencies', (value) =>
      readMap(value, readBigint),
    )
  given = value.account_status
  if (given === null) value.account_status = undefined
  else if (given !== undefined)
    readEnum(given, 'account_status', knownAccountStatesAccountsItemStatus)
  given = value.frozen_hash
  if (given !== undefined) value.frozen_hash = orUnread(given, 'account_state.hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'account_state.hash', readHash)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'account_state.hash', readHash)
  if (isNullOr(value.data_boc, readBytes)) value.data_boc = undefined
  if (isNullOr(value.code_boc, readBytes)) value.code_boc = undefined
  return value
}

function traces(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.traces = readList(value.traces === null ? [] : value.traces, trace)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function trace(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.trace_id, readEmptyableHash)) value.trace_id = undefined
  if (isNullOr(value.external_hash, readEmptyableHash)) value.external_hash = undefined
  given = value.mc_seqno_start
  if (given !== undefined) value.mc_seqno_start = orAbsent(given, readEmptyableInt)
  given = value.mc_seqno_end
  if (given !== undefined) value.mc_seqno_end = orAbsent(given, readEmptyableInt)
  value.start_lt = readBigint(value.start_lt)
  value.start_utime = readInt(value.start_utime)
  given = value.end_lt
  if (given !== undefined) value.end_lt = orAbsent(given, readBigint)
  given = value.end_utime
  if (given !== undefined) value.end_utime = orAbsent(given, readInt)
  traceTraceInfo(value.trace_info)
  if (isNullOr(value.is_incomplete, readBool)) value.is_incomplete = undefined
  if (isNullOr(value.warning, readText)) value.warning = undefined
  if (isNullOrList(value.actions, action)) value.actions = undefined
  given = value.trace
  if (given === null) value.trace = undefined
  else if (given !== undefined) readTree(given, 'children', traceTraceNode)
  value.transactions_order = readList(value.transactions_order ?? [], readHash)
  given = value.transactions
  if (given === null) value.transactions = undefined
  else if (given !== undefined) readMap(given, transaction)
  return value
}

function traceTraceInfo(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readEnum(value.trace_state, 'trace_info.trace_state', knownTraceTraceInfoTraceState)
  value.messages = readInt(value.messages)
  value.transactions = readInt(value.transactions)
  value.pending_messages = readInt(value.pending_messages)
  given = value.classification_state
  if (given === null) value.classification_state = undefined
  else if (given !== undefined)
    readEnum(given, 'trace_info.classification_state', knownTraceTraceInfoClassificationState)
  return value
}

function traceTraceNode(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.tx_hash, readEmptyableHash)) value.tx_hash = undefined
  if (isNullOr(value.in_msg_hash, readEmptyableHash)) value.in_msg_hash = undefined
  if (isNullOr(value.transaction, transaction)) value.transaction = undefined
  if (isNullOr(value.in_msg, message)) value.in_msg = undefined
  return value
}

function events(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.events = readList(value.events === null ? [] : value.events, trace)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function balanceChanges(value: unknown): unknown {
  checkObject(value)
  value.changes = readMap(value.changes ?? {}, readBigint)
  value.fees = readMap(value.fees ?? {}, readBigint)
  value.jettons = readMap(value.jettons ?? {}, (value) => readMap(value ?? {}, readBigint))
  return value
}

function transactions(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.transactions = readList(value.transactions === null ? [] : value.transactions, transaction)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  return value
}

function blocks(value: unknown): unknown {
  checkObject(value)
  value.blocks = readList(value.blocks === null ? [] : value.blocks, block)
  return value
}

function block(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.workchain = readInt(value.workchain)
  readText(value.shard)
  value.seqno = readInt(value.seqno)
  readHash(value.root_hash)
  readHash(value.file_hash)
  value.start_lt = readBigint(value.start_lt)
  value.end_lt = readBigint(value.end_lt)
  value.gen_utime = readInt(value.gen_utime)
  given = value.tx_count
  if (given !== undefined) value.tx_count = orAbsent(given, readInt)
  if (isNullOr(value.masterchain_block_ref, blockId)) value.masterchain_block_ref = undefined
  value.prev_blocks = readList(value.prev_blocks ?? [], blockId)
  given = value.global_id
  if (given !== undefined) value.global_id = orAbsent(given, readInt)
  given = value.version
  if (given !== undefined) value.version = orAbsent(given, readInt)
  if (isNullOr(value.after_merge, readBool)) value.after_merge = undefined
  if (isNullOr(value.before_split, readBool)) value.before_split = undefined
  if (isNullOr(value.after_split, readBool)) value.after_split = undefined
  if (isNullOr(value.want_merge, readBool)) value.want_merge = undefined
  if (isNullOr(value.want_split, readBool)) value.want_split = undefined
  if (isNullOr(value.key_block, readBool)) value.key_block = undefined
  if (isNullOr(value.vert_seqno_incr, readBool)) value.vert_seqno_incr = undefined
  given = value.flags
  if (given !== undefined) value.flags = orAbsent(given, readInt)
  given = value.validator_list_hash_short
  if (given !== undefined) value.validator_list_hash_short = orAbsent(given, readInt)
  given = value.gen_catchain_seqno
  if (given !== undefined) value.gen_catchain_seqno = orAbsent(given, readInt)
  given = value.min_ref_mc_seqno
  if (given !== undefined) value.min_ref_mc_seqno = orAbsent(given, readInt)
  given = value.prev_key_block_seqno
  if (given !== undefined) value.prev_key_block_seqno = orAbsent(given, readInt)
  given = value.vert_seqno
  if (given !== undefined) value.vert_seqno = orAbsent(given, readInt)
  given = value.master_ref_seqno
  if (given !== undefined) value.master_ref_seqno = orAbsent(given, readInt)
  if (isNullOr(value.rand_seed, readText)) value.rand_seed = undefined
  if (isNullOr(value.created_by, readText)) value.created_by = undefined
  return value
}

function masterchainInfo(value: unknown): unknown {
  checkObject(value)
  block(value.last)
  block(value.first)
  return value
}

function messages(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.messages = readList(value.messages === null ? [] : value.messages, message)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function jettonBurns(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.jetton_burns = readList(
    value.jetton_burns === null ? [] : value.jetton_burns,
    jettonBurnsJettonBurnsItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function jettonBurnsJettonBurnsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.query_id = readBigint(value.query_id)
  readHash(value.transaction_hash)
  value.transaction_lt = readBigint(value.transaction_lt)
  value.transaction_now = readInt(value.transaction_now)
  readBool(value.transaction_aborted)
  if (isNullOr(value.response_destination, readAddress)) value.response_destination = undefined
  if (isNullOr(value.custom_payload, readBytes)) value.custom_payload = undefined
  given = value.decoded_custom_payload
  if (given === null) value.decoded_custom_payload = undefined
  if (isNullOr(value.trace_id, readEmptyableHash)) value.trace_id = undefined
  readAddress(value.owner)
  readAddress(value.jetton_wallet)
  readAddress(value.jetton_master)
  value.amount = readBigint(value.amount)
  return value
}

function jettonMasters(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.jetton_masters = readList(
    value.jetton_masters === null ? [] : value.jetton_masters,
    jettonMastersJettonMastersItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function jettonMastersJettonMastersItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  value.total_supply = readBigint(value.total_supply)
  given = value.mintable
  if (given !== undefined) value.mintable = orUnread(given, 'jetton.mintable', readBool)
  if (isNullOr(value.admin_address, readAddress)) value.admin_address = undefined
  given = value.jetton_content
  if (given !== undefined)
    value.jetton_content = orUnread(given, 'jetton.jetton_content', (value) =>
      readMap(value, (value) => value),
    )
  given = value.jetton_wallet_code_hash
  if (given !== undefined)
    value.jetton_wallet_code_hash = orUnread(given, 'jetton.jetton_wallet_code_hash', readHash)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'jetton.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'jetton.data_hash', readHash)
  value.last_transaction_lt = readBigint(value.last_transaction_lt)
  return value
}

function jettonTransfers(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.jetton_transfers = readList(
    value.jetton_transfers === null ? [] : value.jetton_transfers,
    jettonTransfersJettonTransfersItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function jettonTransfersJettonTransfersItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.query_id = readBigint(value.query_id)
  readHash(value.transaction_hash)
  value.transaction_lt = readBigint(value.transaction_lt)
  value.transaction_now = readInt(value.transaction_now)
  readBool(value.transaction_aborted)
  if (isNullOr(value.response_destination, readAddress)) value.response_destination = undefined
  if (isNullOr(value.custom_payload, readBytes)) value.custom_payload = undefined
  given = value.decoded_custom_payload
  if (given === null) value.decoded_custom_payload = undefined
  if (isNullOr(value.trace_id, readEmptyableHash)) value.trace_id = undefined
  readAddress(value.source)
  readAddress(value.destination)
  value.amount = readBigint(value.amount)
  readAddress(value.source_wallet)
  readAddress(value.jetton_master)
  given = value.forward_ton_amount
  if (given !== undefined) value.forward_ton_amount = orAbsent(given, readBigint)
  if (isNullOr(value.forward_payload, readBytes)) value.forward_payload = undefined
  given = value.decoded_forward_payload
  if (given === null) value.decoded_forward_payload = undefined
  return value
}

function jettonWallets(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.jetton_wallets = readList(
    value.jetton_wallets === null ? [] : value.jetton_wallets,
    jettonWalletsJettonWalletsItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function jettonWalletsJettonWalletsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  value.balance = readBigint(value.balance)
  readAddress(value.owner)
  readAddress(value.jetton)
  value.last_transaction_lt = readBigint(value.last_transaction_lt)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'jetton.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'jetton.data_hash', readHash)
  if (isNullOr(value.mintless_info, jettonWalletsJettonWalletsItemMintlessInfo))
    value.mintless_info = undefined
  return value
}

function jettonWalletsJettonWalletsItemMintlessInfo(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.amount
  if (given !== undefined) value.amount = orAbsent(given, readBigint)
  given = value.start_from
  if (given !== undefined) value.start_from = orAbsent(given, readBigint)
  given = value.expire_at
  if (given !== undefined) value.expire_at = orAbsent(given, readBigint)
  value.custom_payload_api_uri = readList(value.custom_payload_api_uri ?? [], readText)
  return value
}

function nftCollections(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.nft_collections = readList(
    value.nft_collections === null ? [] : value.nft_collections,
    nftCollectionsNftCollectionsItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function nftCollectionsNftCollectionsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  value.last_transaction_lt = readBigint(value.last_transaction_lt)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'nft.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'nft.data_hash', readHash)
  if (isNullOr(value.owner_address, readAddress)) value.owner_address = undefined
  value.next_item_index = readBigint(value.next_item_index)
  given = value.collection_content
  if (given !== undefined)
    value.collection_content = orUnread(given, 'nft.collection_content', (value) =>
      readMap(value, (value) => value),
    )
  return value
}

function nftItems(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.nft_items = readList(value.nft_items === null ? [] : value.nft_items, nftItemsNftItemsItem)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function nftItemsNftItemsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  value.last_transaction_lt = readBigint(value.last_transaction_lt)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'nft.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'nft.data_hash', readHash)
  readBool(value.init)
  value.index = readBigint(value.index)
  if (isNullOr(value.collection_address, readAddress)) value.collection_address = undefined
  if (isNullOr(value.owner_address, readAddress)) value.owner_address = undefined
  given = value.content
  if (given !== undefined)
    value.content = orUnread(given, 'nft.content', (value) => readMap(value, (value) => value))
  given = value.collection
  if (given !== undefined)
    value.collection = orUnread(given, 'nft.collection', nftCollectionsNftCollectionsItem)
  if (isNullOr(value.on_sale, readBool)) value.on_sale = undefined
  if (isNullOr(value.sale_contract_address, readAddress)) value.sale_contract_address = undefined
  if (isNullOr(value.auction_contract_address, readAddress))
    value.auction_contract_address = undefined
  if (isNullOr(value.real_owner, readAddress)) value.real_owner = undefined
  return value
}

function nftTransfers(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.nft_transfers = readList(
    value.nft_transfers === null ? [] : value.nft_transfers,
    nftTransfersNftTransfersItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function nftTransfersNftTransfersItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.query_id = readBigint(value.query_id)
  readHash(value.transaction_hash)
  value.transaction_lt = readBigint(value.transaction_lt)
  value.transaction_now = readInt(value.transaction_now)
  readBool(value.transaction_aborted)
  if (isNullOr(value.response_destination, readAddress)) value.response_destination = undefined
  if (isNullOr(value.custom_payload, readBytes)) value.custom_payload = undefined
  given = value.decoded_custom_payload
  if (given === null) value.decoded_custom_payload = undefined
  if (isNullOr(value.trace_id, readEmptyableHash)) value.trace_id = undefined
  readAddress(value.nft_address)
  if (isNullOr(value.nft_collection, readAddress)) value.nft_collection = undefined
  if (isNullOr(value.old_owner, readAddress)) value.old_owner = undefined
  if (isNullOr(value.new_owner, readAddress)) value.new_owner = undefined
  given = value.forward_amount
  if (given !== undefined) value.forward_amount = orAbsent(given, readBigint)
  if (isNullOr(value.forward_payload, readBytes)) value.forward_payload = undefined
  given = value.decoded_forward_payload
  if (given === null) value.decoded_forward_payload = undefined
  return value
}

function nftSales(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.nft_sales = readList(value.nft_sales === null ? [] : value.nft_sales, nftSalesNftSalesItem)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  given = value.metadata
  if (given !== undefined)
    value.metadata = orUnread(given, 'metadata', (value) =>
      readMap(value, accountStatesMetadataItemItem),
    )
  return value
}

function nftSalesNftSalesItem(value: unknown): unknown {
  return readTagged(value, nftSalesNftSalesItemParts)
}

function nftSalesNftSalesItemDetailsGetgemsSale(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.is_complete
  if (given !== undefined) value.is_complete = orUnread(given, 'action.details', readBool)
  given = value.full_price
  if (given !== undefined) value.full_price = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.marketplace_fee_address, readAddress))
    value.marketplace_fee_address = undefined
  given = value.marketplace_fee
  if (given !== undefined) value.marketplace_fee = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.royalty_address, readAddress)) value.royalty_address = undefined
  given = value.royalty_amount
  if (given !== undefined) value.royalty_amount = orUnread(given, 'action.details', readBigint)
  return value
}

function nftSalesNftSalesItemDetailsGetgemsAuction(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.end_flag
  if (given !== undefined) value.end_flag = orUnread(given, 'action.details', readBool)
  given = value.end_time
  if (given !== undefined) value.end_time = orUnread(given, 'action.details', readBigint)
  given = value.last_bid
  if (given !== undefined) value.last_bid = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.last_member, readAddress)) value.last_member = undefined
  given = value.min_step
  if (given !== undefined) value.min_step = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.mp_fee_address, readAddress)) value.mp_fee_address = undefined
  given = value.mp_fee_factor
  if (given !== undefined) value.mp_fee_factor = orUnread(given, 'action.details', readBigint)
  given = value.mp_fee_base
  if (given !== undefined) value.mp_fee_base = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.royalty_fee_address, readAddress)) value.royalty_fee_address = undefined
  given = value.royalty_fee_factor
  if (given !== undefined) value.royalty_fee_factor = orUnread(given, 'action.details', readBigint)
  given = value.royalty_fee_base
  if (given !== undefined) value.royalty_fee_base = orUnread(given, 'action.details', readBigint)
  given = value.max_bid
  if (given !== undefined) value.max_bid = orUnread(given, 'action.details', readBigint)
  given = value.min_bid
  if (given !== undefined) value.min_bid = orUnread(given, 'action.details', readBigint)
  given = value.last_bid_at
  if (given !== undefined) value.last_bid_at = orUnread(given, 'action.details', readBigint)
  given = value.is_canceled
  if (given !== undefined) value.is_canceled = orUnread(given, 'action.details', readBool)
  return value
}

function nftSalesNftSalesItemDetailsTelemint(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.token_name
  if (given !== undefined) value.token_name = orUnread(given, 'action.details', readText)
  if (isNullOr(value.bidder_address, readAddress)) value.bidder_address = undefined
  given = value.bid
  if (given !== undefined) value.bid = orUnread(given, 'action.details', readBigint)
  given = value.bid_ts
  if (given !== undefined) value.bid_ts = orUnread(given, 'action.details', readBigint)
  given = value.min_bid
  if (given !== undefined) value.min_bid = orUnread(given, 'action.details', readBigint)
  given = value.end_time
  if (given !== undefined) value.end_time = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.beneficiary_address, readAddress)) value.beneficiary_address = undefined
  given = value.initial_min_bid
  if (given !== undefined) value.initial_min_bid = orUnread(given, 'action.details', readBigint)
  given = value.max_bid
  if (given !== undefined) value.max_bid = orUnread(given, 'action.details', readBigint)
  given = value.min_bid_step
  if (given !== undefined) value.min_bid_step = orUnread(given, 'action.details', readBigint)
  given = value.min_extend_time
  if (given !== undefined) value.min_extend_time = orUnread(given, 'action.details', readBigint)
  given = value.duration
  if (given !== undefined) value.duration = orUnread(given, 'action.details', readBigint)
  given = value.royalty_numerator
  if (given !== undefined) value.royalty_numerator = orUnread(given, 'action.details', readBigint)
  given = value.royalty_denominator
  if (given !== undefined) value.royalty_denominator = orUnread(given, 'action.details', readBigint)
  if (isNullOr(value.royalty_destination, readAddress)) value.royalty_destination = undefined
  return value
}

function nftSalesNftSalesItemFields(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  if (isNullOr(value.nft_address, readAddress)) value.nft_address = undefined
  if (isNullOr(value.nft_owner_address, readAddress)) value.nft_owner_address = undefined
  if (isNullOr(value.marketplace_address, readAddress)) value.marketplace_address = undefined
  given = value.created_at
  if (given !== undefined) value.created_at = orAbsent(given, readBigint)
  given = value.last_transaction_lt
  if (given !== undefined) value.last_transaction_lt = orAbsent(given, readBigint)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'nft.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'nft.data_hash', readHash)
  given = value.nft_item
  if (given !== undefined)
    value.nft_item = orUnread(given, 'nft_sale.nft_item', nftItemsNftItemsItem)
  return value
}

function dnsRecords(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.records = readList(value.records === null ? [] : value.records, dnsRecordsRecordsItem)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  return value
}

function dnsRecordsRecordsItem(value: unknown): unknown {
  checkObject(value)
  readAddress(value.nft_item_address)
  if (isNullOr(value.nft_item_owner, readAddress)) value.nft_item_owner = undefined
  readText(value.domain)
  if (isNullOr(value.dns_next_resolver, readAddress)) value.dns_next_resolver = undefined
  if (isNullOr(value.dns_wallet, readAddress)) value.dns_wallet = undefined
  if (isNullOr(value.dns_site_adnl, readText)) value.dns_site_adnl = undefined
  if (isNullOr(value.dns_storage_bag_id, readText)) value.dns_storage_bag_id = undefined
  return value
}

function multisigOrders(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.orders = readList(value.orders === null ? [] : value.orders, multisigOrdersOrdersItem)
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  return value
}

function multisigOrdersOrdersItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  readAddress(value.multisig_address)
  given = value.order_seqno
  if (given !== undefined) value.order_seqno = orAbsent(given, readBigint)
  given = value.threshold
  if (given !== undefined) value.threshold = orAbsent(given, readInt)
  if (isNullOr(value.sent_for_execution, readBool)) value.sent_for_execution = undefined
  given = value.approvals_mask
  if (given !== undefined) value.approvals_mask = orAbsent(given, readBigint)
  given = value.approvals_num
  if (given !== undefined) value.approvals_num = orAbsent(given, readInt)
  given = value.expiration_date
  if (given !== undefined) value.expiration_date = orAbsent(given, readBigint)
  if (isNullOr(value.order_boc, readBytes)) value.order_boc = undefined
  value.signers = readList(value.signers ?? [], readAddress)
  value.last_transaction_lt = readBigint(value.last_transaction_lt)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'multisig.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'multisig.data_hash', readHash)
  if (isNullOrList(value.actions, multisigOrdersOrdersItemActionsItem)) value.actions = undefined
  return value
}

function multisigOrdersOrdersItemActionsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.destination, readAddress)) value.destination = undefined
  given = value.value
  if (given !== undefined) value.value = orAbsent(given, readBigint)
  given = value.body_raw
  if (given !== undefined) value.body_raw = orUnread(given, 'order.actions.body_raw', readBytes)
  if (isNullOr(value.parsed, readBool)) value.parsed = undefined
  given = value.error
  if (given !== undefined) value.error = orUnread(given, 'order.actions.error', readText)
  given = value.parsed_body
  if (given === null) value.parsed_body = undefined
  given = value.parsed_body_type
  if (given !== undefined)
    value.parsed_body_type = orUnread(given, 'order.actions.parsed_body_type', readText)
  given = value.send_mode
  if (given !== undefined) value.send_mode = orAbsent(given, readInt)
  return value
}

function multisigWallets(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.multisigs = readList(
    value.multisigs === null ? [] : value.multisigs,
    multisigWalletsMultisigsItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  return value
}

function multisigWalletsMultisigsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readAddress(value.address)
  given = value.next_order_seqno
  if (given !== undefined) value.next_order_seqno = orAbsent(given, readBigint)
  given = value.threshold
  if (given !== undefined) value.threshold = orAbsent(given, readInt)
  value.signers = readList(value.signers ?? [], readAddress)
  value.proposers = readList(value.proposers ?? [], readAddress)
  value.last_transaction_lt = readBigint(value.last_transaction_lt)
  given = value.code_hash
  if (given !== undefined) value.code_hash = orUnread(given, 'multisig.code_hash', readHash)
  given = value.data_hash
  if (given !== undefined) value.data_hash = orUnread(given, 'multisig.data_hash', readHash)
  value.orders = readList(value.orders ?? [], multisigOrdersOrdersItem)
  return value
}

function vestingContracts(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.vesting_contracts = readList(
    value.vesting_contracts === null ? [] : value.vesting_contracts,
    vestingContractsVestingContractsItem,
  )
  given = value.address_book
  if (given !== undefined)
    value.address_book = orUnread(given, 'address_book', (value) =>
      readMap(value, accountStatesAddressBookItemItem),
    )
  return value
}

function vestingContractsVestingContractsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  if (isNullOr(value.address, readAddress)) value.address = undefined
  given = value.start_time
  if (given !== undefined) value.start_time = orAbsent(given, readBigint)
  given = value.total_duration
  if (given !== undefined) value.total_duration = orAbsent(given, readInt)
  given = value.unlock_period
  if (given !== undefined) value.unlock_period = orAbsent(given, readInt)
  given = value.cliff_duration
  if (given !== undefined) value.cliff_duration = orAbsent(given, readInt)
  if (isNullOr(value.sender_address, readAddress)) value.sender_address = undefined
  if (isNullOr(value.owner_address, readAddress)) value.owner_address = undefined
  given = value.total_amount
  if (given !== undefined) value.total_amount = orAbsent(given, readBigint)
  value.whitelist = readList(value.whitelist ?? [], readAddress)
  return value
}

function topAccountsByBalanceItem(value: unknown): unknown {
  checkObject(value)
  readAddress(value.account)
  value.balance = readBigint(value.balance)
  return value
}

function decoded(value: unknown): unknown {
  checkObject(value)
  value.opcodes = readList(value.opcodes ?? [], readText)
  value.bodies = readList(value.bodies ?? [], (value) => readMap(value ?? {}, (value) => value))
  return value
}

function addressInformation(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.balance = readBigint(value.balance)
  given = value.last_transaction_lt
  if (given !== undefined) value.last_transaction_lt = orAbsent(given, readBigint)
  if (isNullOr(value.last_transaction_hash, readEmptyableHash))
    value.last_transaction_hash = undefined
  readEnum(value.status, 'status', knownAddressInformationStatus)
  if (isNullOr(value.code, readBytes)) value.code = undefined
  if (isNullOr(value.data, readBytes)) value.data = undefined
  if (isNullOr(value.frozen_hash, readEmptyableHash)) value.frozen_hash = undefined
  return value
}

function estimatedFees(value: unknown): unknown {
  checkObject(value)
  estimatedFeesSourceFees(value.source_fees)
  value.destination_fees = readList(value.destination_fees ?? [], estimatedFeesSourceFees)
  return value
}

function estimatedFeesSourceFees(value: unknown): unknown {
  checkObject(value)
  value.in_fwd_fee = readBigint(value.in_fwd_fee)
  value.storage_fee = readBigint(value.storage_fee)
  value.gas_fee = readBigint(value.gas_fee)
  value.fwd_fee = readBigint(value.fwd_fee)
  return value
}

function messageItem(value: unknown): unknown {
  checkObject(value)
  if (isNullOr(value.message_hash, readText)) value.message_hash = undefined
  if (isNullOr(value.message_hash_norm, readText)) value.message_hash_norm = undefined
  return value
}

function runResult(value: unknown): unknown {
  checkObject(value)
  value.gas_used = readInt(value.gas_used)
  value.exit_code = readInt(value.exit_code)
  value.stack = readStack(value.stack)
  return value
}

function walletInformation(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  value.balance = readBigint(value.balance)
  given = value.last_transaction_lt
  if (given !== undefined) value.last_transaction_lt = orAbsent(given, readBigint)
  if (isNullOr(value.last_transaction_hash, readEmptyableHash))
    value.last_transaction_hash = undefined
  readEnum(value.status, 'status', knownAddressInformationStatus)
  if (isNullOr(value.wallet_type, readText)) value.wallet_type = undefined
  given = value.seqno
  if (given !== undefined) value.seqno = orAbsent(given, readInt)
  given = value.wallet_id
  if (given !== undefined) value.wallet_id = orAbsent(given, readInt)
  return value
}
