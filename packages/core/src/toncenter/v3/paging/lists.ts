import { blockchainData } from '../endpoints/blockchain-data.js'
import { dns } from '../endpoints/dns.js'
import { jettons } from '../endpoints/jettons.js'
import { multisig } from '../endpoints/multisig.js'
import { nfts } from '../endpoints/nfts.js'
import { stats } from '../endpoints/stats.js'
import { vesting } from '../endpoints/vesting.js'
import { offsetList } from '../../paging/row-list.js'
import { timedLists } from './timed-lists.js'

// Lists of the current state have only an offset. Masters, collections, items, multisig wallets, orders and vesting contracts
// are ordered by when the index first saw them, unless a filter changes the order; so are jetton wallets, unless `sort`
// orders them by balance. Domains are ordered from the shortest to the longest, auctions by their end, transactions of a message by lt, newest
// first, then account. New servers return all blocks of `/masterchainBlockShards` regardless of `limit` and `offset`.
// Source: the queries of the index server of API v3.

const addressOf = ({ address }: { address: string }): string => address
const hashOf = ({ hash }: { hash: string }): string => hash

/** Lists that can be paginated, by endpoint: all that have `limit` and `offset`. */
export const lists = {
  ...timedLists,
  dnsActiveAuctions: offsetList(dns.dnsActiveAuctions, 'auctions', (row) => row.nft_item_address),
  dnsRecords: offsetList(dns.dnsRecords, 'records', (row) => row.nft_item_address),
  jettonMasters: offsetList(jettons.jettonMasters, 'jetton_masters', addressOf),
  jettonWallets: offsetList(jettons.jettonWallets, 'jetton_wallets', addressOf),
  masterchainBlockShards: offsetList(
    blockchainData.masterchainBlockShards,
    'blocks',
    ({ workchain, shard, seqno }) => `${workchain}:${shard}:${seqno}`,
    true,
  ),
  multisigOrders: offsetList(multisig.multisigOrders, 'orders', addressOf),
  multisigWallets: offsetList(multisig.multisigWallets, 'multisigs', addressOf),
  nftCollections: offsetList(nfts.nftCollections, 'nft_collections', addressOf),
  nftItems: offsetList(nfts.nftItems, 'nft_items', addressOf),
  topAccountsByBalance: offsetList(stats.topAccountsByBalance, undefined, ({ account }) => account),
  transactionsByMasterchainBlock: offsetList(
    blockchainData.transactionsByMasterchainBlock,
    'transactions',
    hashOf,
    true,
  ),
  transactionsByMessage: offsetList(blockchainData.transactionsByMessage, 'transactions', hashOf),
  vesting: offsetList(
    vesting.vesting,
    'vesting_contracts',
    // The description allows an absent address.
    (row) => row.address ?? `${row.owner_address} ${row.sender_address} ${row.start_time}`,
  ),
}

export type ListName = keyof typeof lists
