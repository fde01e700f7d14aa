import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { needs } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import {
  addressesParam,
  directionParam,
  inTime,
  manyParam,
  nftIndexParam,
  page,
  sorted,
} from '../params.js'

/** NFTs: collections, items, transfers, sales. */
export const nfts = {
  /**
   * Returns NFT collections.
   * Anyone can create a collection with any name: identify collections by `address` alone.
   * @example
   * const { nft_collections } = await v3.nftCollections({ collection_address: address })
   * console.log(nft_collections[0]?.next_item_index)
   */
  nftCollections: getEndpoint('/nft/collections', {
    /** The collections. */
    collection_address: addressesParam,
    /** Their owners. */
    owner_address: addressesParam,
    ...page,
  }),

  /**
   * Returns NFTs: owner, collection and metadata.
   * While an NFT is on sale, `owner_address` is the sale contract and `real_owner` the seller.
   * @example
   * const { nft_items } = await v3.nftItems({ owner_address: address, include_on_sale: true })
   * for (const { collection_address, index } of nft_items) console.log(collection_address, index)
   */
  nftItems: getEndpoint(
    '/nft/items',
    {
      /** The NFTs. */
      address: addressesParam,
      /** Their owners. */
      owner_address: addressesParam,
      /** Their collections. */
      collection_address: addressesParam,
      /** Their indexes in the collection. */
      index: optionalParam(manyParam(nftIndexParam)),
      /** Includes NFTs that the owners have on sale. @default false */
      include_on_sale: optionalParam(boolParam),
      /** Orders by the last change, newest first. Pages of a changing list overlap. @default false */
      sort_by_last_transaction_lt: optionalParam(boolParam),
      ...page,
    },
    {
      rules: [
        needs('index', 'collection_address'),
        // Otherwise the server ignores it.
        needs('include_on_sale', 'owner_address'),
      ],
    },
  ),

  /**
   * Returns transfers of NFTs, newest first.
   * Failed transfers are included: check `transaction_aborted`.
   * @example
   * const { nft_transfers } = await v3.nftTransfers({ owner_address: address, direction: 'in' })
   * for (const { nft_address, transaction_aborted } of nft_transfers) {
   *   if (!transaction_aborted) console.log(nft_address)
   * }
   */
  nftTransfers: getEndpoint(
    '/nft/transfers',
    {
      /** The owners, old or new. */
      owner_address: addressesParam,
      /** The NFTs. */
      item_address: addressesParam,
      /** Their collection. */
      collection_address: optionalParam(addressParam),
      /** Transfers to the owners (`in`) or from them. @default both */
      direction: optionalParam(directionParam),
      ...inTime,
      ...sorted,
    },
    {
      rules: [
        // Otherwise the server ignores it.
        needs('direction', 'owner_address'),
      ],
    },
  ),

  /**
   * Returns sales and auctions by the addresses of their contracts. Older servers lack it.
   * `type` selects the format of `details`. Prices and bids are in nanocoins.
   * @example
   * const { nft_sales } = await v3.nftSales({ address })
   * for (const sale of nft_sales) {
   *   if (sale.type === 'getgems_sale') console.log(sale.nft_address, sale.details.full_price)
   * }
   */
  nftSales: getEndpoint(
    '/nft/sales',
    {
      /** The contracts of the sales. */
      address: manyParam(addressParam),
    },
    { lookupBy: 'address' },
  ),
}
