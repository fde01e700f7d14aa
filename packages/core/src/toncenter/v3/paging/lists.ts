import { blockchainData } from '../endpoints/blockchain-data.js'
import { dns } from '../endpoints/dns.js'
import { jettons } from '../endpoints/jettons.js'
import { multisig } from '../endpoints/multisig.js'
import { nfts } from '../endpoints/nfts.js'
import { stats } from '../endpoints/stats.js'
import { vesting } from '../endpoints/vesting.js'
import { offsetList } from './row-list.js'
import { timedLists } from './timed-lists.js'

// Lists of the current state have only an offset. Masters, collections, items, multisig wallets, orders and vesting contracts
// are ordered by when the index first saw them, unless a filter changes the order; so are jetton wallets, unless `sort`
// orders them by balance. Domains are ordered from the shortest to the longest, transactions of a message by lt, newest
// first, then account. New servers return all blocks of `/masterchainBlockShards` regardless of `limit` and `offset`.
// Source: the queries of the index server of API v3.

/** Lists that can be paginated, by endpoint: all that have `limit` and `offset`. */
export const lists = {
  ...timedLists,
  dnsRecords: offsetList(
    dns.dnsRecords,
    ({ records }) => records,
    (row) => row.nft_item_address,
  ),
  jettonMasters: offsetList(
    jettons.jettonMasters,
    (result) => result.jetton_masters,
    ({ address }) => address,
  ),
  jettonWallets: offsetList(
    jettons.jettonWallets,
    (result) => result.jetton_wallets,
    ({ address }) => address,
  ),
  masterchainBlockShards: offsetList(
    blockchainData.masterchainBlockShards,
    ({ blocks }) => blocks,
    ({ workchain, shard, seqno }) => `${workchain}:${shard}:${seqno}`,
    true,
  ),
  multisigOrders: offsetList(
    multisig.multisigOrders,
    ({ orders }) => orders,
    ({ address }) => address,
  ),
  multisigWallets: offsetList(
    multisig.multisigWallets,
    ({ multisigs }) => multisigs,
    ({ address }) => address,
  ),
  nftCollections: offsetList(
    nfts.nftCollections,
    (result) => result.nft_collections,
    ({ address }) => address,
  ),
  nftItems: offsetList(
    nfts.nftItems,
    (result) => result.nft_items,
    ({ address }) => address,
  ),
  topAccountsByBalance: offsetList(
    stats.topAccountsByBalance,
    (accounts) => accounts,
    ({ account }) => account,
  ),
  transactionsByMasterchainBlock: offsetList(
    blockchainData.transactionsByMasterchainBlock,
    ({ transactions }) => transactions,
    ({ hash }) => hash,
    true,
  ),
  transactionsByMessage: offsetList(
    blockchainData.transactionsByMessage,
    ({ transactions }) => transactions,
    ({ hash }) => hash,
  ),
  vesting: offsetList(
    vesting.vesting,
    (result) => result.vesting_contracts,
    // The description allows an absent address.
    (row) => row.address ?? `${row.owner_address} ${row.sender_address} ${row.start_time}`,
  ),
}

type Lists = typeof lists

export type ListName = keyof Lists

export type RowOf<Name extends ListName> = ReturnType<Lists[Name]['rowsOf']>[number]
