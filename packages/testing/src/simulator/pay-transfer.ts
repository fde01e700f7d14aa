import { Address, beginCell, Cell, internal, type MessageRelaxed } from '@ton/core'
import type { SimulatedJetton } from '../chain/simulated-jetton.js'
import type { SimulatedWallet } from '../chain/simulated-wallet.js'
import type { TransferMessage } from '../gateway/message.js'

/** What is unusual about the message of a payment. */
export interface PaymentMessageOptions {
  /**
   * What is sent, base units. A jetton's amount is in the body, so that another one makes another body, by which the
   * gateway does not know the transfer. @default what was asked for
   */
  rawAmount?: bigint | undefined
  /** Who is to get it. As with `rawAmount`, of a jetton it makes another body. @default who was asked for */
  to?: Address | undefined
  /** Pays with this jetton in place of the one that was asked for, by a message with the same body. */
  jetton?: SimulatedJetton | undefined
  /**
   * Has the message come back: of the native coin it goes to an account that does not exist, of a jetton too few coins
   * go along for the fees. @default false
   */
  isBounced?: boolean | undefined
}

/** What is paid. */
interface Payment {
  message: TransferMessage
  from: SimulatedWallet
  /** That was asked for; `undefined` of the native coin. */
  asked: SimulatedJetton | undefined
}

/** Nanocoins with which a jetton wallet cannot do its work. */
const TOO_FEW_FOR_JETTONS = 10_000_000n
const NOBODY = new Address(0, Buffer.alloc(32, 0xdb))

/** The message by which a wallet pays a transfer. */
export function paymentMessage(
  { message, from, asked }: Payment,
  { rawAmount, to, jetton = asked, isBounced = false }: PaymentMessageOptions,
): MessageRelaxed {
  const body = Cell.fromBase64(message.payload)
  if (asked === undefined) {
    const { address, isBounceable } = readAddress(message.address)
    return internal({
      to: to ?? (isBounced ? NOBODY : address),
      bounce: isBounced || isBounceable,
      value: rawAmount ?? BigInt(message.amount),
      body,
    })
  }
  return internal({
    // A wallet app knows its own jetton wallets.
    to: (jetton ?? asked).walletOf(from.address),
    value: isBounced ? TOO_FEW_FOR_JETTONS : BigInt(message.amount),
    body: rawAmount === undefined && to === undefined ? body : rewrite(body, { rawAmount, to }),
  })
}

/** Wallets ask for a message back unless the address says otherwise. */
function readAddress(text: string): { address: Address; isBounceable: boolean } {
  return Address.isFriendly(text)
    ? Address.parseFriendly(text)
    : { address: Address.parse(text), isBounceable: true }
}

/** An order to a jetton wallet with another amount or receiver. Source: TEP-74, `transfer`. */
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
