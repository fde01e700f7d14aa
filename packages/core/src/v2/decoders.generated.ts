// Made by scripts/generate-decoders.mjs from the schemas of the endpoints: change those, then run
// `pnpm generate:decoders`.
import {
  checkObject,
  checkOptional,
  fieldsOf,
  isNullOrList,
  orEmptyAbsent,
  orUnread,
  passUnknown,
  readLenient,
  readList,
  readOptional,
  type Decoder,
} from '../schema/decoding.js'
import {
  readAddress,
  readBigint,
  readBool,
  readBytes,
  readEmptyableHash,
  readEnum,
  readFlag,
  readHash,
  readInt,
  readNumber,
  readShard,
  readText,
  readTextOrObject,
} from '../schema/readers.js'
import { readLegacyStack, readTypedStack } from './stack-decode.js'
import type { V2EndpointName } from './endpoints/table.js'

/** For every endpoint what converts its result in place. */
export const v2Decoders: Readonly<Record<V2EndpointName, Decoder>> = {
  getAddressInformation: addressInformation,
  getExtendedAddressInformation: extendedAddressInformation,
  getWalletInformation: walletInformation,
  getAddressBalance: readBigint,
  getAddressState: (value) => readEnum(value, '', knownAddressInformationState),
  getTokenData: tokenData,
  getShardAccountCell: cell,
  dnsResolve: dnsResolved,
  getMasterchainInfo: masterchainInfo,
  getMasterchainBlockSignatures: blockSignatures,
  getShardBlockProof: shardBlockProof,
  getConsensusBlock: consensusBlock,
  lookupBlock: blockId,
  getShards: shards,
  shards: shards,
  getBlockHeader: blockHeader,
  getOutMsgQueueSize: outMsgQueueSizes,
  getBlockTransactions: blockTransactions,
  getBlockTransactionsExt: blockTransactionsExt,
  getTransactions: (value) => readList(value, transaction),
  getTransactionsStd: rawTransactions,
  tryLocateTx: transaction,
  tryLocateResultTx: transaction,
  tryLocateSourceTx: transaction,
  sendBoc: (value) => orUnread(value ?? {}, '', sendBocItem) ?? sendBocItem({}),
  sendBocReturnHash: (value) =>
    orUnread(value ?? {}, '', sendBocReturnHashItem) ?? sendBocReturnHashItem({}),
  sendBocReturnHashNoError: (value) =>
    orUnread(value ?? {}, '', sendBocReturnHashItem) ?? sendBocReturnHashItem({}),
  estimateFee: queryFees,
  runGetMethod: runResult,
  runGetMethodStd: runResultStd,
  detectAddress: detectedAddress,
  detectHash: detectedHash,
  packAddress: readAddress,
  unpackAddress: readAddress,
  getConfigParam: configInfo,
  getConfigAll: configInfo,
  getLibraries: libraries,
  jsonRPC: (value) => value,
}

const knownAddressInformationState: ReadonlySet<string> = new Set([
  'uninitialized',
  'active',
  'frozen',
])

const knownTokenDataJettonMasterJettonContentItemType: ReadonlySet<string> = new Set([
  'onchain',
  'offchain',
])

const knownDetectedAddressGivenType: ReadonlySet<string> = new Set([
  'raw_form',
  'friendly_bounceable',
  'friendly_non_bounceable',
])

function addressInformation(value: unknown): unknown {
  checkObject(value)
  value.balance = readBigint(value.balance)
  if (isNullOrList(value.extra_currencies, extraCurrency)) value.extra_currencies = undefined
  value.code = readBytes(value.code ?? '')
  value.data = readBytes(value.data ?? '')
  transactionIdOrNone(value.last_transaction_id)
  checkOptional(value, 'block_id', blockId)
  checkOptional(value, 'frozen_hash', readEmptyableHash)
  value.sync_utime = readInt(value.sync_utime)
  readEnum(value.state, 'state', knownAddressInformationState)
  checkOptional(value, 'suspended', readBool)
  return value
}

function extraCurrency(value: unknown): unknown {
  checkObject(value)
  value.id = readInt(value.id)
  value.amount = readBigint(value.amount)
  return value
}

function transactionIdOrNone(value: unknown): unknown {
  checkObject(value)
  value.lt = readBigint(value.lt)
  readEmptyableHash(value.hash)
  return value
}

function blockId(value: unknown): unknown {
  checkObject(value)
  value.workchain = readInt(value.workchain)
  value.shard = readShard(value.shard)
  value.seqno = readInt(value.seqno)
  readHash(value.root_hash)
  readHash(value.file_hash)
  return value
}

function extendedAddressInformation(value: unknown): unknown {
  checkObject(value)
  accountAddress(value.address)
  value.balance = readBigint(value.balance)
  if (isNullOrList(value.extra_currencies, extraCurrency)) value.extra_currencies = undefined
  transactionIdOrNone(value.last_transaction_id)
  checkOptional(value, 'block_id', blockId)
  value.sync_utime = readInt(value.sync_utime)
  extendedAddressInformationAccountState(value.account_state)
  value.revision = readInt(value.revision)
  return value
}

function accountAddress(value: unknown): unknown {
  checkObject(value)
  value.account_address = readAddress(value.account_address ?? '')
  return value
}

function extendedAddressInformationAccountState(value: unknown): unknown {
  const tag = readText(fieldsOf(value)['@type'])
  switch (tag) {
    case 'raw.accountState':
      return extendedAddressInformationAccountStateRawAccountState(value)
    case 'wallet.v3.accountState':
    case 'wallet.v4.accountState':
    case 'wallet.highload.v1.accountState':
      return extendedAddressInformationAccountStateWalletV3AccountState(value)
    case 'wallet.highload.v2.accountState':
    case 'dns.accountState':
      return extendedAddressInformationAccountStateWalletHighloadV2AccountState(value)
    case 'rwallet.accountState':
      return extendedAddressInformationAccountStateRwalletAccountState(value)
    case 'pchan.accountState':
      return extendedAddressInformationAccountStatePchanAccountState(value)
    case 'uninited.accountState':
      return extendedAddressInformationAccountStateUninitedAccountState(value)
    default:
      return passUnknown(value, 'account_state.@type', tag)
  }
}

function extendedAddressInformationAccountStateRawAccountState(value: unknown): unknown {
  checkObject(value)
  value.code = readBytes(value.code ?? '')
  value.data = readBytes(value.data ?? '')
  checkOptional(value, 'frozen_hash', readEmptyableHash)
  return value
}

function extendedAddressInformationAccountStateWalletV3AccountState(value: unknown): unknown {
  checkObject(value)
  value.wallet_id = readBigint(value.wallet_id)
  value.seqno = readInt(value.seqno)
  return value
}

function extendedAddressInformationAccountStateWalletHighloadV2AccountState(
  value: unknown,
): unknown {
  checkObject(value)
  value.wallet_id = readBigint(value.wallet_id)
  return value
}

function extendedAddressInformationAccountStateRwalletAccountState(value: unknown): unknown {
  checkObject(value)
  value.wallet_id = readBigint(value.wallet_id)
  value.seqno = readInt(value.seqno)
  value.unlocked_balance = readBigint(value.unlocked_balance)
  extendedAddressInformationAccountStateRwalletAccountStateConfig(value.config)
  return value
}

function extendedAddressInformationAccountStateRwalletAccountStateConfig(value: unknown): unknown {
  checkObject(value)
  value.start_at = readInt(value.start_at)
  readList(value.limits, extendedAddressInformationAccountStateRwalletAccountStateConfigLimitsItem)
  return value
}

function extendedAddressInformationAccountStateRwalletAccountStateConfigLimitsItem(
  value: unknown,
): unknown {
  checkObject(value)
  value.seconds = readInt(value.seconds)
  value.value = readBigint(value.value)
  return value
}

function extendedAddressInformationAccountStatePchanAccountState(value: unknown): unknown {
  checkObject(value)
  extendedAddressInformationAccountStatePchanAccountStateConfig(value.config)
  extendedAddressInformationAccountStatePchanAccountStateState(value.state)
  return value
}

function extendedAddressInformationAccountStatePchanAccountStateConfig(value: unknown): unknown {
  checkObject(value)
  readText(value.alice_public_key)
  accountAddress(value.alice_address)
  readText(value.bob_public_key)
  accountAddress(value.bob_address)
  value.init_timeout = readInt(value.init_timeout)
  value.close_timeout = readInt(value.close_timeout)
  value.channel_id = readBigint(value.channel_id)
  return value
}

function extendedAddressInformationAccountStatePchanAccountStateState(value: unknown): unknown {
  const tag = readText(fieldsOf(value)['@type'])
  switch (tag) {
    case 'pchan.stateInit':
    case 'pchan.stateClose':
      return extendedAddressInformationAccountStatePchanAccountStateStatePchanStateInit(value)
    case 'pchan.statePayout':
      return extendedAddressInformationAccountStatePchanAccountStateStatePchanStatePayout(value)
    default:
      return passUnknown(value, 'account_state.state.@type', tag)
  }
}

function extendedAddressInformationAccountStatePchanAccountStateStatePchanStateInit(
  value: unknown,
): unknown {
  checkObject(value)
  value.A = readBigint(value.A)
  value.B = readBigint(value.B)
  readBool(value.signed_A)
  readBool(value.signed_B)
  value.min_A = readBigint(value.min_A)
  value.min_B = readBigint(value.min_B)
  value.expire_at = readInt(value.expire_at)
  return value
}

function extendedAddressInformationAccountStatePchanAccountStateStatePchanStatePayout(
  value: unknown,
): unknown {
  checkObject(value)
  value.A = readBigint(value.A)
  value.B = readBigint(value.B)
  return value
}

function extendedAddressInformationAccountStateUninitedAccountState(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'frozen_hash', readEmptyableHash)
  return value
}

function walletInformation(value: unknown): unknown {
  checkObject(value)
  readBool(value.wallet)
  value.balance = readBigint(value.balance)
  if (isNullOrList(value.extra_currencies, extraCurrency)) value.extra_currencies = undefined
  readEnum(value.account_state, 'account_state', knownAddressInformationState)
  checkOptional(value, 'last_transaction_id', transactionIdOrNone)
  checkOptional(value, 'wallet_type', readText)
  readOptional(value, 'seqno', readInt)
  readOptional(value, 'wallet_id', readInt)
  checkOptional(value, 'is_signature_allowed', readBool)
  return value
}

function tokenData(value: unknown): unknown {
  const tag = readText(fieldsOf(value).contract_type)
  switch (tag) {
    case 'jetton_master':
      return tokenDataJettonMaster(value)
    case 'jetton_wallet':
      return tokenDataJettonWallet(value)
    case 'nft_collection':
      return tokenDataNftCollection(value)
    case 'nft_item':
      return tokenDataNftItem(value)
    default:
      return passUnknown(value, '.contract_type', tag)
  }
}

function tokenDataJettonMaster(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'address', readAddress)
  value.total_supply = readBigint(value.total_supply)
  readLenient(value, 'mintable', readFlag)
  checkOptional(value, 'admin_address', readAddress)
  readLenient(value, 'jetton_content', tokenDataJettonMasterJettonContentItem)
  readLenient(value, 'jetton_wallet_code', readBytes)
  return value
}

function tokenDataJettonMasterJettonContentItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  readEnum(value.type, 'content.type', knownTokenDataJettonMasterJettonContentItemType)
  given = value.data
  if (given !== undefined) value.data = orUnread(given, 'content.data', readTextOrObject)
  return value
}

function tokenDataJettonWallet(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'address', readAddress)
  value.balance = readBigint(value.balance)
  checkOptional(value, 'owner', readAddress)
  checkOptional(value, 'jetton', readAddress)
  readLenient(value, 'jetton_wallet_code', readBytes)
  readLenient(value, 'mintless_is_claimed', readFlag)
  return value
}

function tokenDataNftCollection(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'address', readAddress)
  value.next_item_index = readBigint(value.next_item_index)
  checkOptional(value, 'owner_address', readAddress)
  readLenient(value, 'collection_content', tokenDataJettonMasterJettonContentItem)
  return value
}

function tokenDataNftItem(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'address', readAddress)
  readLenient(value, 'init', readFlag)
  value.index = readBigint(value.index)
  checkOptional(value, 'collection_address', readAddress)
  checkOptional(value, 'owner_address', readAddress)
  readLenient(value, 'content', tokenDataNftItemContentItem)
  return value
}

function tokenDataNftItemContentItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  given = value.type
  if (given === null) value.type = undefined
  else if (given !== undefined)
    readEnum(given, 'content.type', knownTokenDataJettonMasterJettonContentItemType)
  checkOptional(value, 'domain', readText)
  given = value.data
  if (given !== undefined) value.data = orUnread(given, 'content.data', readTextOrObject)
  return value
}

function cell(value: unknown): unknown {
  checkObject(value)
  readBytes(value.bytes)
  return value
}

function dnsResolved(value: unknown): unknown {
  checkObject(value)
  readList(value.entries, dnsResolvedEntriesItem)
  return value
}

function dnsResolvedEntriesItem(value: unknown): unknown {
  checkObject(value)
  readText(value.name)
  readText(value.category)
  dnsResolvedEntriesItemEntry(value.entry)
  return value
}

function dnsResolvedEntriesItemEntry(value: unknown): unknown {
  const tag = readText(fieldsOf(value)['@type'])
  switch (tag) {
    case 'dns.entryDataUnknown':
      return dnsResolvedEntriesItemEntryDnsEntryDataUnknown(value)
    case 'dns.entryDataText':
      return dnsResolvedEntriesItemEntryDnsEntryDataText(value)
    case 'dns.entryDataNextResolver':
      return dnsResolvedEntriesItemEntryDnsEntryDataNextResolver(value)
    case 'dns.entryDataSmcAddress':
      return dnsResolvedEntriesItemEntryDnsEntryDataSmcAddress(value)
    case 'dns.entryDataAdnlAddress':
      return dnsResolvedEntriesItemEntryDnsEntryDataAdnlAddress(value)
    case 'dns.entryDataStorageAddress':
      return dnsResolvedEntriesItemEntryDnsEntryDataStorageAddress(value)
    default:
      return passUnknown(value, 'entries[].entry.@type', tag)
  }
}

function dnsResolvedEntriesItemEntryDnsEntryDataUnknown(value: unknown): unknown {
  checkObject(value)
  readBytes(value.bytes)
  return value
}

function dnsResolvedEntriesItemEntryDnsEntryDataText(value: unknown): unknown {
  checkObject(value)
  readText(value.text)
  return value
}

function dnsResolvedEntriesItemEntryDnsEntryDataNextResolver(value: unknown): unknown {
  checkObject(value)
  accountAddress(value.resolver)
  return value
}

function dnsResolvedEntriesItemEntryDnsEntryDataSmcAddress(value: unknown): unknown {
  checkObject(value)
  accountAddress(value.smc_address)
  return value
}

function dnsResolvedEntriesItemEntryDnsEntryDataAdnlAddress(value: unknown): unknown {
  checkObject(value)
  dnsResolvedEntriesItemEntryDnsEntryDataAdnlAddressAdnlAddress(value.adnl_address)
  return value
}

function dnsResolvedEntriesItemEntryDnsEntryDataAdnlAddressAdnlAddress(value: unknown): unknown {
  checkObject(value)
  readAddress(value.adnl_address)
  return value
}

function dnsResolvedEntriesItemEntryDnsEntryDataStorageAddress(value: unknown): unknown {
  checkObject(value)
  readText(value.bag_id)
  return value
}

function masterchainInfo(value: unknown): unknown {
  checkObject(value)
  blockId(value.last)
  readHash(value.state_root_hash)
  blockId(value.init)
  return value
}

function blockSignatures(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, '@type', readText)
  blockId(value.id)
  readList(value.signatures, blockSignaturesSignaturesItem)
  checkOptional(value, 'session_id', readHash)
  readOptional(value, 'slot', readInt)
  checkOptional(value, 'candidate', readBytes)
  return value
}

function blockSignaturesSignaturesItem(value: unknown): unknown {
  checkObject(value)
  readText(value.node_id_short)
  readBytes(value.signature)
  return value
}

function shardBlockProof(value: unknown): unknown {
  checkObject(value)
  blockId(value.from)
  blockId(value.mc_id)
  readList(value.links, shardBlockProofLinksItem)
  readList(value.mc_proof, shardBlockProofMcProofItem)
  return value
}

function shardBlockProofLinksItem(value: unknown): unknown {
  checkObject(value)
  blockId(value.id)
  readBytes(value.proof)
  return value
}

function shardBlockProofMcProofItem(value: unknown): unknown {
  checkObject(value)
  readBool(value.to_key_block)
  blockId(value.from)
  blockId(value.to)
  readBytes(value.dest_proof)
  readBytes(value.proof)
  readBytes(value.state_proof)
  return value
}

function consensusBlock(value: unknown): unknown {
  checkObject(value)
  value.consensus_block = readInt(value.consensus_block)
  value.timestamp = readNumber(value.timestamp)
  return value
}

function shards(value: unknown): unknown {
  checkObject(value)
  readList(value.shards, blockId)
  return value
}

function blockHeader(value: unknown): unknown {
  checkObject(value)
  blockId(value.id)
  value.global_id = readInt(value.global_id)
  value.version = readInt(value.version)
  readOptional(value, 'flags', readInt)
  readBool(value.after_merge)
  readBool(value.after_split)
  readBool(value.before_split)
  readBool(value.want_merge)
  readBool(value.want_split)
  value.validator_list_hash_short = readInt(value.validator_list_hash_short)
  value.catchain_seqno = readInt(value.catchain_seqno)
  value.min_ref_mc_seqno = readInt(value.min_ref_mc_seqno)
  readBool(value.is_key_block)
  value.prev_key_block_seqno = readInt(value.prev_key_block_seqno)
  value.start_lt = readBigint(value.start_lt)
  value.end_lt = readBigint(value.end_lt)
  readOptional(value, 'gen_utime', readInt)
  readOptional(value, 'vert_seqno', readInt)
  if (isNullOrList(value.prev_blocks, blockId)) value.prev_blocks = undefined
  return value
}

function outMsgQueueSizes(value: unknown): unknown {
  checkObject(value)
  readList(value.shards, outMsgQueueSizesShardsItem)
  value.ext_msg_queue_size_limit = readInt(value.ext_msg_queue_size_limit)
  return value
}

function outMsgQueueSizesShardsItem(value: unknown): unknown {
  checkObject(value)
  blockId(value.id)
  value.size = readInt(value.size)
  return value
}

function blockTransactions(value: unknown): unknown {
  checkObject(value)
  blockId(value.id)
  value.req_count = readInt(value.req_count)
  readBool(value.incomplete)
  readList(value.transactions, blockTransactionsTransactionsItem)
  return value
}

function blockTransactionsTransactionsItem(value: unknown): unknown {
  checkObject(value)
  readOptional(value, 'mode', readInt)
  readAddress(value.account)
  value.lt = readBigint(value.lt)
  readHash(value.hash)
  return value
}

function blockTransactionsExt(value: unknown): unknown {
  checkObject(value)
  blockId(value.id)
  value.req_count = readInt(value.req_count)
  readBool(value.incomplete)
  readList(value.transactions, blockTransactionsExtTransactionsItem)
  return value
}

function blockTransactionsExtTransactionsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  checkOptional(value, '@type', readText)
  value.address = accountAddress(value.address ?? { account_address: '' })
  value.utime = readInt(value.utime)
  readBytes(value.data)
  blockTransactionsExtTransactionsItemTransactionId(value.transaction_id)
  value.fee = readBigint(value.fee)
  value.storage_fee = readBigint(value.storage_fee)
  value.other_fee = readBigint(value.other_fee)
  given = value.in_msg
  if (given !== undefined) value.in_msg = orEmptyAbsent(given, rawMessage)
  value.out_msgs = readList(value.out_msgs ?? [], rawMessage)
  checkOptional(value, 'account', readAddress)
  return value
}

function blockTransactionsExtTransactionsItemTransactionId(value: unknown): unknown {
  checkObject(value)
  value.lt = readBigint(value.lt)
  readHash(value.hash)
  return value
}

function rawMessage(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, '@type', readText)
  checkOptional(value, 'hash', readHash)
  value.value = readBigint(value.value)
  if (isNullOrList(value.extra_currencies, extraCurrency)) value.extra_currencies = undefined
  value.fwd_fee = readBigint(value.fwd_fee)
  value.ihr_fee = readBigint(value.ihr_fee)
  value.created_lt = readBigint(value.created_lt)
  checkOptional(value, 'body_hash', readEmptyableHash)
  rawMessageMsgData(value.msg_data)
  value.source = accountAddress(value.source ?? { account_address: '' })
  value.destination = accountAddress(value.destination ?? { account_address: '' })
  return value
}

function rawMessageMsgData(value: unknown): unknown {
  const tag = readText(fieldsOf(value)['@type'])
  switch (tag) {
    case 'msg.dataRaw':
      return rawMessageMsgDataMsgDataRaw(value)
    case 'msg.dataText':
    case 'msg.dataEncryptedText':
    case 'msg.dataDecryptedText':
      return rawMessageMsgDataMsgDataText(value)
    default:
      return passUnknown(value, 'msg_data.@type', tag)
  }
}

function rawMessageMsgDataMsgDataRaw(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'body', readBytes)
  checkOptional(value, 'init_state', readBytes)
  return value
}

function rawMessageMsgDataMsgDataText(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, 'text', readBytes)
  return value
}

function transaction(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  checkOptional(value, '@type', readText)
  value.address = accountAddress(value.address ?? { account_address: '' })
  value.utime = readInt(value.utime)
  readBytes(value.data)
  blockTransactionsExtTransactionsItemTransactionId(value.transaction_id)
  value.fee = readBigint(value.fee)
  value.storage_fee = readBigint(value.storage_fee)
  value.other_fee = readBigint(value.other_fee)
  checkOptional(value, 'account', readAddress)
  given = value.in_msg
  if (given !== undefined) value.in_msg = orEmptyAbsent(given, message)
  value.out_msgs = readList(value.out_msgs ?? [], message)
  return value
}

function message(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, '@type', readText)
  checkOptional(value, 'hash', readHash)
  value.value = readBigint(value.value)
  if (isNullOrList(value.extra_currencies, extraCurrency)) value.extra_currencies = undefined
  value.fwd_fee = readBigint(value.fwd_fee)
  value.ihr_fee = readBigint(value.ihr_fee)
  value.created_lt = readBigint(value.created_lt)
  checkOptional(value, 'body_hash', readEmptyableHash)
  rawMessageMsgData(value.msg_data)
  value.source = readAddress(value.source ?? '')
  value.destination = readAddress(value.destination ?? '')
  checkOptional(value, 'message', readText)
  checkOptional(value, 'message_decode_error', readText)
  return value
}

function rawTransactions(value: unknown): unknown {
  checkObject(value)
  readList(value.transactions, rawTransactionsTransactionsItem)
  transactionIdOrNone(value.previous_transaction_id)
  return value
}

function rawTransactionsTransactionsItem(value: unknown): unknown {
  let given: unknown
  checkObject(value)
  checkOptional(value, '@type', readText)
  value.address = accountAddress(value.address ?? { account_address: '' })
  value.utime = readInt(value.utime)
  readBytes(value.data)
  blockTransactionsExtTransactionsItemTransactionId(value.transaction_id)
  value.fee = readBigint(value.fee)
  value.storage_fee = readBigint(value.storage_fee)
  value.other_fee = readBigint(value.other_fee)
  given = value.in_msg
  if (given !== undefined) value.in_msg = orEmptyAbsent(given, rawMessage)
  value.out_msgs = readList(value.out_msgs ?? [], rawMessage)
  return value
}

function sendBocItem(value: unknown): unknown {
  checkObject(value)
  checkOptional(value, '@type', readText)
  return value
}

function sendBocReturnHashItem(value: unknown): unknown {
  checkObject(value)
  readLenient(value, 'hash', readHash)
  readLenient(value, 'hash_norm', readHash)
  return value
}

function queryFees(value: unknown): unknown {
  checkObject(value)
  queryFeesSourceFees(value.source_fees)
  value.destination_fees = readList(value.destination_fees ?? [], queryFeesSourceFees)
  return value
}

function queryFeesSourceFees(value: unknown): unknown {
  checkObject(value)
  value.in_fwd_fee = readBigint(value.in_fwd_fee)
  value.storage_fee = readBigint(value.storage_fee)
  value.gas_fee = readBigint(value.gas_fee)
  value.fwd_fee = readBigint(value.fwd_fee)
  return value
}

function runResult(value: unknown): unknown {
  checkObject(value)
  value.gas_used = readInt(value.gas_used)
  value.exit_code = readInt(value.exit_code)
  value.stack = readLegacyStack(value.stack)
  checkOptional(value, 'block_id', blockId)
  checkOptional(value, 'last_transaction_id', transactionIdOrNone)
  return value
}

function runResultStd(value: unknown): unknown {
  checkObject(value)
  value.gas_used = readInt(value.gas_used)
  value.exit_code = readInt(value.exit_code)
  value.stack = readTypedStack(value.stack)
  return value
}

function detectedAddress(value: unknown): unknown {
  checkObject(value)
  readAddress(value.raw_form)
  detectedAddressBounceable(value.bounceable)
  detectedAddressBounceable(value.non_bounceable)
  readEnum(value.given_type, 'given_type', knownDetectedAddressGivenType)
  readBool(value.test_only)
  return value
}

function detectedAddressBounceable(value: unknown): unknown {
  checkObject(value)
  readAddress(value.b64)
  readAddress(value.b64url)
  return value
}

function detectedHash(value: unknown): unknown {
  checkObject(value)
  readHash(value.b64)
  readText(value.b64url)
  readText(value.hex)
  return value
}

function configInfo(value: unknown): unknown {
  checkObject(value)
  configInfoConfig(value.config)
  return value
}

function configInfoConfig(value: unknown): unknown {
  checkObject(value)
  readBytes(value.bytes)
  return value
}

function libraries(value: unknown): unknown {
  checkObject(value)
  value.result = readList(value.result ?? [], librariesResultItem)
  return value
}

function librariesResultItem(value: unknown): unknown {
  checkObject(value)
  readHash(value.hash)
  readBytes(value.data)
  return value
}
