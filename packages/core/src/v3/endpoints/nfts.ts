import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam } from '../../schema/params.js'
import { needs, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { inTime, page, sorted } from '../list-params.js'
import { nftIndexParam } from '../nft-index.js'
import { directionParam, manyParam } from '../params.js'

const addresses = optionalParam(manyParam(addressParam))

/** NFTs: collections, items, transfers, sales. */
export const nfts = {
  /**
   * Collections of NFTs.
   * Anyone can make a collection with any name: tell them apart by `address` alone.
   * @example
   * const { nft_collections } = await v3.nftCollections({ collection_address: address })
   * console.log(nft_collections[0]?.next_item_index)
   */
  nftCollections: getEndpoint('/nft/collections', {
    params: paramsObject({
      /** The collections. */
      collection_address: addresses,
      /** Their owners. */
      owner_address: addresses,
      ...page,
    }),
  }),

  /**
   * NFTs: owner, collection, and what they say about themselves.
   * While one is on sale its `owner_address` is the contract of the sale, and `real_owner` the one who sells it.
   * @example
   * const { nft_items } = await v3.nftItems({ owner_address: address, include_on_sale: true })
   * for (const { collection_address, index } of nft_items) console.log(collection_address, index)
   */
  nftItems: getEndpoint('/nft/items', {
    params: paramsObject(
      {
        /** The NFTs. */
        address: addresses,
        /** Their owners. */
        owner_address: addresses,
        /** Their collections. */
        collection_address: addresses,
        /** Their indexes in the collection. */
        index: optionalParam(manyParam(nftIndexParam)),
        /** Whether to send those too that the owners have on sale. @default false */
        include_on_sale: optionalParam(boolParam),
        /** Whether those come first that changed last. Pages of a changing list overlap. @default false */
        sort_by_last_transaction_lt: optionalParam(boolParam),
        ...page,
      },
      needs('index', 'collection_address'),
      // The server ignores it otherwise.
      needs('include_on_sale', 'owner_address'),
    ),
  }),

  /**
   * Transfers of NFTs, the newest first.
   * Those that failed are among them: look at `transaction_aborted`.
   * @example
   * const { nft_transfers } = await v3.nftTransfers({ owner_address: address, direction: 'in' })
   * for (const { nft_address, transaction_aborted } of nft_transfers) {
   *   if (!transaction_aborted) console.log(nft_address)
   * }
   */
  nftTransfers: getEndpoint('/nft/transfers', {
    params: paramsObject(
      {
        /** The owners, old or new. */
        owner_address: addresses,
        /** The NFTs. */
        item_address: addresses,
        /** Their collection. */
        collection_address: optionalParam(addressParam),
        /** To the owners, `in`, or from them. @default both */
        direction: optionalParam(directionParam),
        ...inTime,
        ...sorted,
      },
      // The server ignores it otherwise.
      needs('direction', 'owner_address'),
    ),
  }),

  /**
   * Sales and auctions by the addresses of their contracts. No description has it, nor have older servers.
   * `type` tells the shape of `details`. Prices and bids are in nanocoins.
   * @example
   * const { nft_sales } = await v3.nftSales({ address })
   * for (const sale of nft_sales) {
   *   if (sale.type === 'getgems_sale') console.log(sale.nft_address, sale.details?.full_price)
   * }
   */
  nftSales: getEndpoint('/nft/sales', {
    params: paramsObject({
      /** The contracts of the sales. */
      address: manyParam(addressParam),
    }),
    isUndocumented: true,
    lookupBy: 'address',
  }),
}
