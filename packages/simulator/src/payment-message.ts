import { Address, beginCell, Cell, internal, type MessageRelaxed } from '@ton/core'
import type { SimulatedJetton } from './chain/simulated-jetton.js'
import type { SimulatedWallet } from './chain/simulated-wallet.js'
import type { TransferMessage } from '@tonplug/testing'

/** Deviations of a payment from its transfer. */
export interface PaymentMessageOptions {
  /**
   * Amount in base units. The body of a jetton transfer contains the amount, so the gateway does not recognize
   * another one.
   * @default the amount of the transfer
   */
  rawAmount?: bigint | undefined
  /** Recipient. With a jetton, the gateway does not recognize another one. @default the recipient of the transfer */
  to?: Address | undefined
  /** Pays with another jetton, by a message with the same body. @default the jetton of the transfer */
  jetton?: SimulatedJetton | undefined
  /**
   * Makes the message bounce: sends coins to an account that does not exist, or a jetton transfer with too few coins
   * for its fees. @default false
   */
  isBounced?: boolean | undefined
}

/** A payment of a transfer. */
interface Payment {
  message: TransferMessage
  from: SimulatedWallet
  /** The jetton of the transfer; `undefined` for the native coin. */
  requested: SimulatedJetton | undefined
}

/** Nanocoins that are not enough for a jetton transfer. */
const TOO_FEW_COINS = 10_000_000n
const NO_ACCOUNT = new Address(0, Buffer.alloc(32, 0xdb))

/** Returns the message with which a wallet pays a transfer. */
export function paymentMessage(
  { message, from, requested }: Payment,
  { rawAmount, to, jetton = requested, isBounced = false }: PaymentMessageOptions,
): MessageRelaxed {
  const body = Cell.fromBase64(message.payload)
  if (requested === undefined) {
    const { address, isBounceable } = readAddress(message.address)
    return internal({
      to: to ?? (isBounced ? NO_ACCOUNT : address),
      bounce: isBounced || isBounceable,
      value: rawAmount ?? BigInt(message.amount),
      body,
    })
  }
  return internal({
    // Wallet apps look up the address of the owner's jetton wallet.
    to: (jetton ?? requested).walletOf(from.address),
    value: isBounced ? TOO_FEW_COINS : BigInt(message.amount),
    body: rawAmount === undefined && to === undefined ? body : rewrite(body, { rawAmount, to }),
  })
}

/** Parses an address. Raw addresses count as bounceable. */
function readAddress(text: string): { address: Address; isBounceable: boolean } {
  return Address.isFriendly(text)
    ? Address.parseFriendly(text)
    : { address: Address.parse(text), isBounceable: true }
}

/** Changes the amount or the recipient of a jetton transfer. Source: TEP-74, `transfer`. */
function rewrite(
  body: Cell,
  { rawAmount, to }: Pick<PaymentMessageOptions, 'rawAmount' | 'to'>,
): Cell {
  const slice = body.beginParse()
  const head = slice.loadBits(32 + 64)
  const [amount, receiver] = [slice.loadCoins(), slice.loadAddress()]
  return beginCell()
    .storeBits(head)
    .storeCoins(rawAmount ?? amount)
    .storeAddress(to ?? receiver)
    .storeSlice(slice)
    .endCell()
}
