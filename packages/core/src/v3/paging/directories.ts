import type { Endpoint } from '../../endpoint/endpoint.js'
import { dns } from '../endpoints/dns.js'
import { jettons } from '../endpoints/jettons.js'
import { multisig } from '../endpoints/multisig.js'
import { nfts } from '../endpoints/nfts.js'
import { stats } from '../endpoints/stats.js'
import { vesting } from '../endpoints/vesting.js'
import { offsetLeg } from './offset-leg.js'
import type { RowList } from './row-list.js'

// Lists of what there is now, with nothing to page by but an offset. Masters, collections, items, multi-signature
// wallets, orders and vesting contracts come in the order in which the index met them, unless a filter asks for
// another; jetton wallets too, unless `sort` asks for the order of balances; domains from the shortest to the longest.
// Source: the index server of API v3, queries of jettons, NFTs, DNS, multisig and vesting.

/** Kinds of jettons. */
export const jettonMasterList = directory({
  endpoint: jettons.jettonMasters,
  rowsOf: ({ jetton_masters }) => jetton_masters,
  idOf: ({ address }) => address,
})

/** Jetton wallets. */
export const jettonWalletList = directory({
  endpoint: jettons.jettonWallets,
  rowsOf: ({ jetton_wallets }) => jetton_wallets,
  idOf: ({ address }) => address,
})

/** Collections of NFTs. */
export const nftCollectionList = directory({
  endpoint: nfts.nftCollections,
  rowsOf: ({ nft_collections }) => nft_collections,
  idOf: ({ address }) => address,
})

/** NFTs. */
export const nftItemList = directory({
  endpoint: nfts.nftItems,
  rowsOf: ({ nft_items }) => nft_items,
  idOf: ({ address }) => address,
})

/** Domains; one may have several records after it was released. */
export const dnsRecordList = directory({
  endpoint: dns.dnsRecords,
  rowsOf: ({ records }) => records,
  idOf: ({ nft_item_address }) => nft_item_address,
})

/** Orders of multi-signature wallets. */
export const multisigOrderList = directory({
  endpoint: multisig.multisigOrders,
  rowsOf: ({ orders }) => orders,
  idOf: ({ address }) => address,
})

/** Multi-signature wallets. */
export const multisigWalletList = directory({
  endpoint: multisig.multisigWallets,
  rowsOf: ({ multisigs }) => multisigs,
  idOf: ({ address }) => address,
})

/** Vesting contracts. */
export const vestingList = directory({
  endpoint: vesting.vesting,
  rowsOf: ({ vesting_contracts }) => vesting_contracts,
  // The description lets the address be absent.
  idOf: (row) => row.address ?? `${row.owner_address} ${row.sender_address} ${row.start_time}`,
})

/** Accounts by balance. */
export const topAccountList = directory({
  endpoint: stats.topAccountsByBalance,
  rowsOf: (accounts) => accounts,
  idOf: ({ account }) => account,
})

function directory<E extends Endpoint, Row>({
  idOf,
  ...list
}: Pick<RowList<E, Row>, 'endpoint' | 'rowsOf'> & { idOf: (row: Row) => string }): RowList<E, Row> {
  return { ...list, legsOf: () => [offsetLeg({ endpoint: list.endpoint.name, idOf })] }
}
