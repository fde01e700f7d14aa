import { beginCell, Cell, contractAddress, type Address, type StateInit } from '@ton/core'
import { jettonCodes } from './jetton-codes.js'

/** What is sent to the contracts of a jetton. Source of the formats but that of `mint`, the minter's own: TEP-74. */
const OPS = { mint: 0x00000015, transfer: 0x0f8a7ea5, internalTransfer: 0x178d4519 }

/** Nanocoins that the minter sends along, for the new jettons' wallet to live of. */
const COINS_OF_WALLET = 50_000_000n

/** The code of one of the two contracts of a jetton. */
export function codeOf(contract: keyof typeof jettonCodes): Cell {
  return Cell.fromBase64(jettonCodes[contract].boc)
}

/** The master of a jetton. */
export interface JettonMinter {
  address: Address
  init: StateInit
}

/** The master of a jetton that its admin may make more of. @param content as TEP-64 has it */
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

/** Where an owner's jettons of a master are. */
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

/** The admin's order to give an owner more jettons; it takes the coins of {@link COINS_OF_WALLET} and fees. */
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
