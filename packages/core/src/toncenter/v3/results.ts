import { accountBalances, accountStates, walletStates } from './schemas/account.js'
import { actions } from './schemas/action.js'
import { addressBook, metadata } from './schemas/address-book.js'
import { blocks, masterchainInfo } from './schemas/block.js'
import { dnsAuctions, dnsRecords } from './schemas/dns.js'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from './schemas/jetton.js'
import { emulation } from './schemas/emulation.js'
import {
  addressInformation,
  estimatedFees,
  runResult,
  sentMessage,
  walletInformation,
} from './schemas/legacy.js'
import { decoded, messages } from './schemas/message.js'
import { multisigOrders, multisigWallets } from './schemas/multisig.js'
import { nftCollections, nftItems, nftSales, nftTransfers } from './schemas/nft.js'
import { balanceChanges, events, traces } from './schemas/trace.js'
import { transactions } from './schemas/transaction.js'
import { vestingContracts } from './schemas/vesting.js'

/**
 * The schema of each endpoint's result by path. The build generates decoders from them, so clients do not load them at run
 * time.
 */
export const v3Results = {
  '/accountStates': accountStates,
  '/addressBook': addressBook,
  '/metadata': metadata,
  '/walletStates': walletStates,
  '/actions': actions,
  '/pendingActions': actions,
  '/pendingTraces': traces,
  '/traces': traces,
  '/events': events,
  '/balanceChanges': balanceChanges,
  '/adjacentTransactions': transactions,
  '/blocks': blocks,
  '/masterchainBlockShardState': blocks,
  '/masterchainBlockShards': blocks,
  '/masterchainInfo': masterchainInfo,
  '/messages': messages,
  '/pendingTransactions': transactions,
  '/transactions': transactions,
  '/transactionsByMasterchainBlock': transactions,
  '/transactionsByMessage': transactions,
  '/jetton/burns': jettonBurns,
  '/jetton/masters': jettonMasters,
  '/jetton/transfers': jettonTransfers,
  '/jetton/wallets': jettonWallets,
  '/nft/collections': nftCollections,
  '/nft/items': nftItems,
  '/nft/transfers': nftTransfers,
  '/nft/sales': nftSales,
  '/dns/records': dnsRecords,
  '/dns/activeAuctions': dnsAuctions,
  '/multisig/orders': multisigOrders,
  '/multisig/wallets': multisigWallets,
  '/vesting': vestingContracts,
  '/topAccountsByBalance': accountBalances,
  '/decode': decoded,
  '/addressInformation': addressInformation,
  '/account': addressInformation,
  '/estimateFee': estimatedFees,
  '/message': sentMessage,
  '/runGetMethod': runResult,
  '/walletInformation': walletInformation,
  '/wallet': walletInformation,
  '/emulateTrace': emulation,
  '/emulateTonConnect': emulation,
}

export type V3Results = typeof v3Results
