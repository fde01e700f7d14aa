import { jettons } from '../endpoints/jettons.js'
import { nfts } from '../endpoints/nfts.js'
import { byLt, byUtime } from './axes.js'
import { timedList } from './timed-list.js'

// Transfers and burns are ordered by the lt of their transaction, or with a utime parameter by its time, and by nothing
// else. A transaction holds one of them at most.
// Source: the index server of API v3, queries of jettons and NFTs.

const order = {
  lt: byLt('transaction_lt'),
  utime: byUtime('transaction_now'),
  isTieOrderOpen: true,
}

/** Burns of jettons. */
export const jettonBurnList = timedList({
  ...order,
  endpoint: jettons.jettonBurns,
  rowsOf: ({ jetton_burns }) => jetton_burns,
  idOf: ({ transaction_hash }) => transaction_hash,
})

/** Transfers of jettons. */
export const jettonTransferList = timedList({
  ...order,
  endpoint: jettons.jettonTransfers,
  rowsOf: ({ jetton_transfers }) => jetton_transfers,
  idOf: ({ transaction_hash }) => transaction_hash,
})

/** Transfers of NFTs. */
export const nftTransferList = timedList({
  ...order,
  endpoint: nfts.nftTransfers,
  rowsOf: ({ nft_transfers }) => nft_transfers,
  idOf: ({ transaction_hash }) => transaction_hash,
})
