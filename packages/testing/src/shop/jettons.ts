import { addressBits, coinBits, jettonTransferCell } from '../gateway/message.js'
import { commentCell, uintBits, writeBoc, type Cell } from '../gateway/cell.js'
import {
  digest,
  messageBody,
  toHex,
  type ChainTrace,
  type ChainTransaction,
  type Step,
} from './chain.js'

/** The opcode of a request to transfer jettons. */
export const JETTON_REQUEST = 0x0f8a7ea5
const INTERNAL_TRANSFER = 0x178d4519
const NOTIFICATION = 0x7362d09c
const EXCESSES = 0xd53276db
const ADDRESS_BITS = 267
const [REQUEST_COINS, INTERNAL_COINS, NOTIFIED_COINS] = [50_000_000n, 40_000_000n, 1n]
const EXCESS_COINS = 30_000_000n

/** The jettons of simulated chains, canonical. No shop asks for the second one. */
export const JETTONS = { usdt: `0:${toHex(digest('usdt'))}`, other: `0:${toHex(digest('other'))}` }

/** A transfer of a jetton. Accounts are canonical. */
export interface JettonPayment {
  master: string
  from: string
  to: string
  rawAmount: bigint
  reference: string
  /** True if the wallet of the recipient does not accept it. */
  isRefused?: boolean | undefined
}

/** A value of a stack, as API v3 writes it. */
type StackEntry = { type: string; value: string }

/** A jetton and the owner of a wallet of it. */
interface Owned {
  master: string
  owner: string
}

/** The wallets of jettons, by their addresses. */
export class JettonWallets {
  readonly #owned = new Map<string, Owned>()
  /** The payments, by the transactions of the payers' wallets. */
  readonly #payments = new Map<ChainTransaction, JettonPayment>()

  /** Returns the address of an owner's wallet. */
  walletOf({ master, owner }: Owned): string {
    const wallet = `0:${toHex(digest(`${master} ${owner}`))}`
    this.#owned.set(wallet, { master, owner })
    return wallet
  }

  ownedBy(wallet: string): Owned | undefined {
    return this.#owned.get(wallet)
  }

  /** Returns what a payer's wallet has sent by a transaction. */
  paidBy(transaction: ChainTransaction): JettonPayment | undefined {
    return this.#payments.get(transaction)
  }

  record(payment: JettonPayment, { transactions }: ChainTrace): void {
    const wallet = this.walletOf({ master: payment.master, owner: payment.from })
    for (const one of transactions) if (one.account === wallet) this.#payments.set(one, payment)
  }

  /** Returns the messages of a payment, the payer's first. */
  stepsOf(payment: JettonPayment): Step {
    const { master, from, to, rawAmount, reference, isRefused } = payment
    const body = bodyOf(payment)
    const note = commentCell(reference)
    const start = (opcode: number): string[] => [
      uintBits(opcode, 32),
      uintBits(0, 64),
      coinBits(rawAmount),
    ]
    const internal = [
      ...start(INTERNAL_TRANSFER),
      addressBits(from),
      addressBits(from),
      coinBits(NOTIFIED_COINS),
      '1',
    ]
    const notification = [...start(NOTIFICATION), addressBits(from), '1']
    const step = (target: string, value: bigint, bits: readonly string[], next: Step[]): Step => ({
      to: target,
      value,
      body: messageBody({ bits: bits.join(''), refs: [note] }),
      next,
    })
    const notified = step(to, NOTIFIED_COINS, notification, [])
    const excess = step(from, EXCESS_COINS, [uintBits(EXCESSES, 32), uintBits(0, 64)], [])
    const target = this.walletOf({ master, owner: to })
    const received = step(target, INTERNAL_COINS, internal, [notified, excess])
    if (isRefused === true) received.isRefused = true
    const request = this.walletOf({ master, owner: from })
    return { to: request, value: REQUEST_COINS, body: messageBody(body), next: [received] }
  }

  /** Runs a get-method. @returns the stack as API v3 writes it; `undefined` for a contract without the method */
  run(
    address: string,
    method: string,
    [argument]: readonly { value: string }[],
  ): StackEntry[] | undefined {
    const isMaster = Object.values(JETTONS).includes(address)
    if (method === 'get_wallet_address' && isMaster && argument !== undefined) {
      return [cell(this.walletOf({ master: address, owner: readAddress(argument.value) }))]
    }
    const owned = this.ownedBy(address)
    if (method !== 'get_wallet_data' || owned === undefined) return undefined
    return [{ type: 'num', value: '0x0' }, cell(owned.owner), cell(owned.master), cell(owned.owner)]
  }
}

/** Returns the body of the payer's message. */
export function bodyOf({ from, to, rawAmount, reference }: JettonPayment): Cell {
  const facts = { rawAmount, recipientAddr: to, senderAddr: from, queryId: 0n }
  return jettonTransferCell(facts, commentCell(reference))
}

function cell(address: string): StackEntry {
  return { type: 'cell', value: writeBoc({ bits: addressBits(address), refs: [] }) }
}

/** Returns the address in a bag of one cell. */
function readAddress(boc: string): string {
  const bytes = Buffer.from(boc, 'base64')
  const start = bytes.indexOf(Buffer.of(0, 2 * Math.floor(ADDRESS_BITS / 8) + 1)) + 2
  const bits = [...bytes.subarray(start, start + 34)]
    .map((byte) => uintBits(byte, 8))
    .join('')
    .slice(11, ADDRESS_BITS)
  return `0:${BigInt(`0b${bits}`).toString(16).padStart(64, '0')}`
}
