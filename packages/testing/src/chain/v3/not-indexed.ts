import { Refusal } from '../refusal.js'
import type { Answer } from './question.js'

/**
 * Kinds of contracts that this index does not look for. A list without rows would say that there are none of them on
 * the chain, which nobody has looked after.
 */
export const notIndexedAnswers = {
  '/nft/collections': notIndexed('collections of NFTs'),
  '/nft/items': notIndexed('NFTs'),
  '/nft/transfers': notIndexed('transfers of NFTs'),
  '/nft/sales': notIndexed('sales of NFTs'),
  '/dns/records': notIndexed('domains'),
  '/multisig/wallets': notIndexed('multisig wallets'),
  '/multisig/orders': notIndexed('orders of multisig wallets'),
  '/vesting': notIndexed('vesting contracts'),
} satisfies Record<string, Answer>

function notIndexed(what: string): Answer {
  return () => {
    throw new Refusal(501, `the simulated chain does not index ${what}`)
  }
}
