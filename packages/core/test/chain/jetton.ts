import { beginCell, Cell, contractAddress, type Address, type StateInit } from '@ton/core'
import { codeOf } from './contract-codes.js'

/** What is sent to the contracts of a jetton. Source of the formats but that of `mint`: TEP-74. */
const OPS = { mint: 0x00000015, transfer: 0x0f8a7ea5 }

/** The master of a jetton: `contracts/jetton-minter.fc`. */
export interface JettonMinter {
  address: Address
  init: StateInit
}

/** The master of a jetton that its admin may make more of. */
export function jettonMinter(admin: Address): JettonMinter {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin)
    .storeRef(Cell.EMPTY)
    .storeRef(codeOf('jettonWallet'))
    .endCell()
  const init = { code: codeOf('jettonMinter'), data }
  return { address: contractAddress(0, init), init }
}

/** The admin's order to give an owner more jettons. */
export function mintBody(to: Address, amount: bigint): Cell {
  return beginCell()
    .storeUint(OPS.mint, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeCoins(amount)
    .storeCoins(0)
    .endCell()
}

/** What an owner asks of its jetton wallet. */
export interface JettonTransfer {
  amount: bigint
  to: Address
  /** Where the rest of the fees goes. */
  response: Address
  /** Nanocoins that go along to the receiver. */
  forwardCoins: bigint
  forwardPayload?: Cell
}

/** An owner's order to its jetton wallet. */
export function transferBody(transfer: JettonTransfer): Cell {
  return beginCell()
    .storeUint(OPS.transfer, 32)
    .storeUint(0, 64)
    .storeCoins(transfer.amount)
    .storeAddress(transfer.to)
    .storeAddress(transfer.response)
    .storeMaybeRef(null)
    .storeCoins(transfer.forwardCoins)
    .storeMaybeRef(transfer.forwardPayload ?? null)
    .endCell()
}
