import { Address, Cell, type Message, type StateInit } from '@ton/core'

/** The account that messages out of nowhere come from. */
export const FAUCET = new Address(-1, Buffer.alloc(32, 0x55))

/** A message out of nowhere. */
export interface FaucetMessage {
  to: Address
  /** Nanocoins. */
  value: bigint
  body?: Cell
  /** Of a contract that is to be deployed. */
  init?: StateInit
}

/** The same as contracts get it. */
export function outOfNowhere({ to, value, body = Cell.EMPTY, init }: FaucetMessage): Message {
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
