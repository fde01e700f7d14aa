import { Address, Cell, type Message, type StateInit } from '@ton/core'

/** The account that sends the messages of the faucet. */
export const FAUCET = new Address(-1, Buffer.alloc(32, 0x55))

/** A message of the faucet. */
export interface FaucetMessage {
  to: Address
  /** Nanocoins. */
  value: bigint
  body?: Cell
  /** Deploys a contract. */
  init?: StateInit
}

/** Returns the internal message. */
export function internalMessage({ to, value, body = Cell.EMPTY, init }: FaucetMessage): Message {
  return {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: FAUCET,
      dest: to,
      value: { coins: value },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    body,
    ...(init && { init }),
  }
}
