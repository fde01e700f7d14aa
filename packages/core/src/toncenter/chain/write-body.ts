import { addressBits, coinBits, uintBits } from '../../shared/cells/bits.js'
import { writeCell, type Cell } from '../../shared/cells/cell.js'
import { OPCODES } from './message-body.js'

/** The most bytes of a comment that fits into one cell: 1023 bits less 32 for the opcode. */
export const MAX_COMMENT_BYTES = 123

/** Returns the body of a comment in UTF-8, of at most {@link MAX_COMMENT_BYTES}. All wallets create the same body. */
export function commentBody(comment: string): Cell {
  const bytes = new TextEncoder().encode(comment)
  return writeCell(
    uintBits(OPCODES.comment, 32) + Array.from(bytes, (byte) => uintBits(byte, 8)).join(''),
    [],
  )
}

/** A request to a jetton wallet to send jettons. Addresses are in any format. */
interface JettonTransferRequest {
  /** In the jetton's base units. */
  amount: bigint
  recipient: string
  /** Receives the nanocoins that are left over. */
  response: string
  /** Nanocoins for the recipient. */
  forwardAmount: bigint
  forwardPayload: Cell
}

/** Returns the body of `transfer` of TEP-74 with the query id 0, without a custom payload. */
export function jettonTransferBody(request: JettonTransferRequest): Cell {
  const { amount, recipient, response, forwardAmount, forwardPayload } = request
  const bits = [
    uintBits(OPCODES.jettonTransfer, 32),
    uintBits(0, 64),
    coinBits(amount),
    addressBits(recipient),
    addressBits(response),
    '0',
    coinBits(forwardAmount),
    '1',
  ]
  return writeCell(bits.join(''), [forwardPayload])
}

/** Returns a cell of one address in any format. @throws {AddressError} when its workchain does not fit 8 bits. */
export function addressCell(address: string): Cell {
  return writeCell(addressBits(address), [])
}
