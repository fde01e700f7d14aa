import { createHash } from 'node:crypto'
import { NATIVE_ASSET, parseAddress } from '@tonplug/core'
import { byteBits, type Cell, commentCell, hashCell, uintBits, writeBoc } from './cell.js'

const JETTON_TRANSFER = 0x0f8a7ea5
/** What a jetton transfer takes along for its fees, nanotons. */
const JETTON_FEES = 100_000_000n
const FORWARDED_WITH_COMMENT = 1n

/** The message that the buyer's wallet is asked to send. */
export interface TransferMessage {
  /** Where it goes: the recipient, or for a jetton the buyer's jetton wallet. */
  address: string
  /** Nanotons that it takes along. */
  amount: string
  /** Its body: a bag of cells in base64. */
  payload: string
}

/** What the message of a transfer is made of. */
export interface MessageFacts {
  reference: string
  rawAmount: bigint
  /** `'TON'` or the jetton master. */
  asset: string
  senderAddr: string
  recipientAddr: string
  queryId: bigint
  commentToRecipient?: string | undefined
}

/**
 * Writes the message of a transfer. Its comment ends with the reference, so that no two bodies are equal.
 * @returns the message, and the hash of its body in base64.
 */
export function writeMessage(facts: MessageFacts): {
  message: TransferMessage
  bodyBase64Hash: string
} {
  const { reference, commentToRecipient, asset, rawAmount, recipientAddr } = facts
  const comment = commentCell(
    commentToRecipient === undefined ? reference : `${commentToRecipient} ${reference}`,
  )
  const isNative = asset === NATIVE_ASSET
  const body = isNative ? comment : jettonTransferCell(facts, comment)
  return {
    message: {
      address: isNative ? recipientAddr : inventJettonWallet(facts),
      amount: (isNative ? rawAmount : JETTON_FEES).toString(),
      payload: writeBoc(body),
    },
    bodyBase64Hash: hashCell(body).toString('base64'),
  }
}

/** Source: TEP-74, `transfer`. */
function jettonTransferCell(facts: MessageFacts, comment: Cell): Cell {
  const { queryId, rawAmount, recipientAddr, senderAddr } = facts
  const bits = [
    uintBits(JETTON_TRANSFER, 32),
    uintBits(queryId, 64),
    coinBits(rawAmount),
    addressBits(recipientAddr),
    addressBits(senderAddr),
    // No custom payload.
    '0',
    coinBits(FORWARDED_WITH_COMMENT),
    // The comment is in a cell of its own.
    '1',
  ]
  return { bits: bits.join(''), refs: [comment] }
}

function coinBits(amount: bigint): string {
  const byteLength = amount === 0n ? 0 : Math.ceil(amount.toString(16).length / 2)
  return uintBits(byteLength, 4) + (byteLength === 0 ? '' : uintBits(amount, byteLength * 8))
}

function addressBits(text: string): string {
  const { workchain, hash } = parseAddress(text)
  return `100${uintBits(workchain, 8)}${byteBits(Buffer.from(hash, 'hex'))}`
}

/** Only the chain knows the jetton wallet of an account; without one, an address that nobody has stands in. */
function inventJettonWallet({ asset, senderAddr }: MessageFacts): string {
  const { hash: master } = parseAddress(asset)
  const { hash: owner } = parseAddress(senderAddr)
  return `0:${createHash('sha256').update(`${master}${owner}`).digest('hex')}`
}
