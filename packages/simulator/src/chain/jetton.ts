import { beginCell, Cell, contractAddress, type Address, type StateInit } from '@ton/core'
import { jettonCodes } from './jetton-codes.js'

/** Opcodes of the jetton contracts. Source: TEP-74; `mint`: the minter contract. */
const OPS = { mint: 0x00000015, transfer: 0x0f8a7ea5, internalTransfer: 0x178d4519 }

/** Nanocoins that the minter sends to a new jetton wallet for its fees. */
const COINS_OF_WALLET = 50_000_000n

/** Returns the code of a jetton contract. */
export function codeOf(contract: keyof typeof jettonCodes): Cell {
  return Cell.fromBase64(jettonCodes[contract].boc)
}

/** A jetton master and its initial state. */
export interface JettonMinter {
  address: Address
  init: StateInit
}

/** Returns a jetton master whose admin can mint. @param content the metadata. Source: TEP-64 */
export function jettonMinter(admin: Address, content = Cell.EMPTY): JettonMinter {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin)
    .storeRef(content)
    .storeRef(codeOf('jettonWallet'))
    .endCell()
  const init = { code: codeOf('jettonMinter'), data }
  return { address: contractAddress(0, init), init }
}

/** Returns the address of an owner's jetton wallet. */
export function jettonWalletAddress(master: Address, owner: Address): Address {
  const code = codeOf('jettonWallet')
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(owner)
    .storeAddress(master)
    .storeRef(code)
    .endCell()
  return contractAddress(0, { code, data })
}

/** Returns the body with which the admin mints jettons. It needs 0.05 TON and fees. */
export function mintBody(to: Address, amount: bigint): Cell {
  const order = beginCell()
    .storeUint(OPS.internalTransfer, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(null)
    .storeAddress(null)
    .storeCoins(0)
    .storeMaybeRef(null)
    .endCell()
  return beginCell()
    .storeUint(OPS.mint, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeCoins(COINS_OF_WALLET)
    .storeRef(order)
    .endCell()
}

/** A transfer that the owner requests from the jetton wallet. */
export interface JettonTransfer {
  amount: bigint
  to: Address
  /** Receives the excess of the fees. */
  response: Address
  /** Nanocoins that are forwarded to the receiver. */
  forwardCoins: bigint
  forwardPayload?: Cell
}

/** Returns the body with which the owner requests a transfer. */
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
