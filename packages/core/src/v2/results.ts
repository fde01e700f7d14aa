import { anyField } from '../schema/fields.js'
import {
  addressBalance,
  addressInformation,
  addressState,
  cell,
  dnsResolved,
  extendedAddressInformation,
  walletInformation,
} from './schemas/account.js'
import { detectedAddress, detectedHash, oneAddress } from './schemas/address-forms.js'
import {
  blockHeader,
  blockId,
  blockSignatures,
  consensusBlock,
  masterchainInfo,
  outMsgQueueSizes,
  shardBlockProof,
  shards,
} from './schemas/block.js'
import { configInfo, libraries } from './schemas/config.js'
import { queryFees } from './schemas/fees.js'
import { runResult, runResultStd } from './schemas/run-result.js'
import { accepted, sentMessage } from './schemas/sent-message.js'
import { tokenData } from './schemas/token.js'
import {
  blockTransactions,
  blockTransactionsExt,
  rawTransactions,
  transaction,
  transactions,
} from './schemas/transaction.js'

/**
 * The schema of every endpoint's result, by the endpoint's name. Decoders and types are made of them, so that clients need
 * none at run time.
 */
export const v2Results = {
  getAddressInformation: addressInformation,
  getExtendedAddressInformation: extendedAddressInformation,
  getWalletInformation: walletInformation,
  getAddressBalance: addressBalance,
  getAddressState: addressState,
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
  getTransactions: transactions,
  getTransactionsStd: rawTransactions,
  tryLocateTx: transaction,
  tryLocateResultTx: transaction,
  tryLocateSourceTx: transaction,
  sendBoc: accepted,
  sendBocReturnHash: sentMessage,
  sendBocReturnHashNoError: sentMessage,
  estimateFee: queryFees,
  runGetMethod: runResult,
  runGetMethodStd: runResultStd,
  detectAddress: detectedAddress,
  detectHash: detectedHash,
  packAddress: oneAddress,
  unpackAddress: oneAddress,
  getConfigParam: configInfo,
  getConfigAll: configInfo,
  getLibraries: libraries,
  jsonRPC: anyField,
}

/** The schemas of API v2. */
export type V2Results = typeof v2Results
