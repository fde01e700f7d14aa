import { actionList, eventList, traceList } from './actions-and-traces.js'
import { blockList, shardBlockList } from './blocks.js'
import {
  dnsRecordList,
  jettonMasterList,
  jettonWalletList,
  multisigOrderList,
  multisigWalletList,
  nftCollectionList,
  nftItemList,
  topAccountList,
  vestingList,
} from './directories.js'
import { messageList } from './messages.js'
import { jettonBurnList, jettonTransferList, nftTransferList } from './tokens.js'
import { blockTransactionList, messageTransactionList, transactionList } from './transactions.js'

/** What a follow can go along, by endpoint. */
export const timedLists = {
  actions: actionList,
  blocks: blockList,
  events: eventList,
  jettonBurns: jettonBurnList,
  jettonTransfers: jettonTransferList,
  messages: messageList,
  nftTransfers: nftTransferList,
  traces: traceList,
  transactions: transactionList,
}

/** What a walk can go through, by endpoint: everything that takes `limit` and `offset`. */
export const lists = {
  ...timedLists,
  dnsRecords: dnsRecordList,
  jettonMasters: jettonMasterList,
  jettonWallets: jettonWalletList,
  masterchainBlockShards: shardBlockList,
  multisigOrders: multisigOrderList,
  multisigWallets: multisigWalletList,
  nftCollections: nftCollectionList,
  nftItems: nftItemList,
  topAccountsByBalance: topAccountList,
  transactionsByMasterchainBlock: blockTransactionList,
  transactionsByMessage: messageTransactionList,
  vesting: vestingList,
}

type Lists = typeof lists

/** The name of an endpoint that lists something page by page. */
export type ListName = keyof Lists

/** The name of an endpoint whose rows have an lt and a time. */
export type TimedListName = keyof typeof timedLists

/** One row of what an endpoint lists. */
export type RowOf<Name extends ListName> = ReturnType<Lists[Name]['rowsOf']>[number]
