import { createHash } from 'node:crypto'
import { NATIVE_ASSET, canonicalAddress } from '@tonplug/core'
import { byteBits, type Cell, commentCell, hashCell, uintBits, writeBoc } from './cell.js'

const JETTON_TRANSFER = 0x0f8a7ea5
/** Value of a jetton transfer's message for its fees, nanotons. */
const JETTON_FEES = 100_000_000n
const FORWARDED_WITH_COMMENT = 1n

/** The message that the buyer's wallet must send. */
export interface TransferMessage {
  /** Destination: the recipient, or for a jetton the buyer's jetton wallet. */
  address: string
  /** Value in nanotons. */
  amount: string
  /** The body: a bag of cells in base64. */
  payload: string
}

/** Contents of a transfer's message. */
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
 * Creates the message of a transfer. Its comment ends with the reference, so that all bodies differ.
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

/** Returns the body of a request to transfer jettons. Source: TEP-74, `transfer`. */
export function jettonTransferCell(
  facts: Pick<MessageFacts, 'queryId' | 'rawAmount' | 'recipientAddr' | 'senderAddr'>,
  comment: Cell,
): Cell {
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

/** Encodes an amount. */
export function coinBits(amount: bigint): string {
  const byteLength = amount === 0n ? 0 : Math.ceil(amount.toString(16).length / 2)
  return uintBits(byteLength, 4) + (byteLength === 0 ? '' : uintBits(amount, byteLength * 8))
}

/** Encodes an address in 267 bits. */
export function addressBits(text: string): string {
  const [workchain, hash = ''] = canonicalAddress(text).split(':')
  return `100${uintBits(Number(workchain), 8)}${byteBits(Buffer.from(hash, 'hex'))}`
}

/** Returns a placeholder: without a chain, the jetton wallet of an account is unknown. */
function inventJettonWallet({ asset, senderAddr }: MessageFacts): string {
  const [, master] = canonicalAddress(asset).split(':')
  const [, owner] = canonicalAddress(senderAddr).split(':')
  return `0:${createHash('sha256').update(`${master}${owner}`).digest('hex')}`
}
