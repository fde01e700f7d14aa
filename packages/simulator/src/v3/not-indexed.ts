import { HttpError } from '../server/http-error.js'
import type { RequestHandler } from './request.js'

/** The endpoints for contracts that this index does not support. An empty list would state that the chain has none. */
export const notIndexedHandlers = {
  '/nft/collections': notIndexed('collections of NFTs'),
  '/nft/items': notIndexed('NFTs'),
  '/nft/transfers': notIndexed('transfers of NFTs'),
  '/nft/sales': notIndexed('sales of NFTs'),
  '/dns/records': notIndexed('domains'),
  '/dns/activeAuctions': notIndexed('auctions of domains'),
  '/multisig/wallets': notIndexed('multisig wallets'),
  '/multisig/orders': notIndexed('orders of multisig wallets'),
  '/vesting': notIndexed('vesting contracts'),
  '/staking/nominatorPools/pool': notIndexed('nominator pools'),
  '/staking/nominatorPools/nominator': notIndexed('nominator pools'),
  '/staking/nominatorPools/nominatorEvents': notIndexed('nominator pools'),
  '/staking/nominatorPools/nominatorRewards': notIndexed('nominator pools'),
  '/staking/nominatorPools/validatorEvents': notIndexed('nominator pools'),
  '/staking/nominatorPools/validatorRewards': notIndexed('nominator pools'),
  '/validators/events': notIndexed('validators'),
  '/validators/elections': notIndexed('validators'),
  '/validators/cycles': notIndexed('validators'),
  '/validators/complaints': notIndexed('validators'),
} satisfies Record<string, RequestHandler>

function notIndexed(what: string): RequestHandler {
  return () => {
    throw new HttpError(501, `the simulated chain does not index ${what}`)
  }
}
