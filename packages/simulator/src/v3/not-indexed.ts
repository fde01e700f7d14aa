import { HttpError } from '../server/http-error.js'
import type { RequestHandler } from './request.js'

/** The endpoints for contracts that this index does not support. An empty list would state that the chain has none. */
export const notIndexedHandlers = {
  '/nft/collections': notIndexed('collections of NFTs'),
  '/nft/items': notIndexed('NFTs'),
  '/nft/transfers': notIndexed('transfers of NFTs'),
  '/nft/sales': notIndexed('sales of NFTs'),
  '/dns/records': notIndexed('domains'),
  '/multisig/wallets': notIndexed('multisig wallets'),
  '/multisig/orders': notIndexed('orders of multisig wallets'),
  '/vesting': notIndexed('vesting contracts'),
} satisfies Record<string, RequestHandler>

function notIndexed(what: string): RequestHandler {
  return () => {
    throw new HttpError(501, `the simulated chain does not index ${what}`)
  }
}
