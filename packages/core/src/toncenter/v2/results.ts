import * as field from '../schema/fields.js'
import {
  addressBalance,
  addressInformation,
  addressState,
  cell,
  dnsResolved,
  extendedAddressInformation,
  walletInformation,
} from './schemas/account.js'
import { detectedAddress, detectedHash, oneAddress } from './schemas/utils.js'
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
import { configInfo, libraries } from './schemas/configuration.js'
import { runResult, runResultStd } from './schemas/run-method.js'
import { accepted, queryFees, sentMessage } from './schemas/send.js'
import { tokenData } from './schemas/token.js'
import {
  blockTransactions,
  blockTransactionsExt,
  rawTransactions,
  transaction,
  transactions,
} from './schemas/transaction.js'

/**
 * The schema of each endpoint's result by name. The build generates decoders from them, so clients do not load them at run
 * time.
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
  jsonRPC: field.any,
}

export type V2Results = typeof v2Results
