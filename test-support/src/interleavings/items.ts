import { commentCell } from '../../../packages/testing/src/gateway/cell.js'
import { digest, messageBody, toHex, type Body } from '../../../packages/testing/src/shop/chain.js'
import { bodyOf, JETTONS } from '../../../packages/testing/src/shop/jettons.js'

/** `usdt` is a jetton that orders ask for, `other` is one that none asks for. */
export type Asset = 'TON' | 'usdt' | 'other'

/** Money that a buyer sends: one credit. */
export interface Item {
  /** The account that pays. */
  buyer: string
  /** `''` for none. */
  comment: string
  asset: Asset
  amount: bigint
}

/** The wallet of the shop. */
export const WALLET = addressOf('shop')

export function addressOf(name: string): string {
  return `0:${toHex(digest(name))}`
}

/** Returns `'TON'`, or the master of a jetton. */
export function assetId(asset: Item['asset']): string {
  return asset === 'TON' ? asset : JETTONS[asset]
}

/** Returns the body of the message by which a buyer sends money. */
export function bodyOfItem(item: Item): Body {
  if (item.asset === 'TON') {
    return messageBody(item.comment === '' ? { bits: '', refs: [] } : commentCell(item.comment))
  }
  return messageBody(bodyOf(transferOf(item)))
}

/** Returns the transfer of an item in a jetton. */
export function transferOf({ asset, buyer, amount, comment: reference }: Item) {
  const rawAmount = amount
  return { master: assetId(asset), from: addressOf(buyer), to: WALLET, rawAmount, reference }
}
