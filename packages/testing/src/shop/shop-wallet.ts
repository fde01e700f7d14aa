import { canonicalAddress } from '@tonplug/core'
import { byteBits, commentCell } from '../gateway/cell.js'
import { messageBody, type ChainTrace, type SimulatedChain } from './chain.js'
import { JETTON_REQUEST, type JettonWallets } from './jettons.js'

/** A message that an operator has to sign. */
export interface SignedRefund {
  /** The wallet that sends it. */
  from: string
  validUntil: number
  /** The account that receives the message: the payer, or a jetton wallet. */
  address: string
  amount: bigint
  /** A bag of cells in base64. */
  payload: string
}

/** The money that a message sends back. */
export interface SentRefund {
  payer: string
  /** `'TON'` or the master of a jetton. */
  asset: string
  rawAmount: bigint
  trace: ChainTrace
}

/** The parts of a world that a wallet needs. */
interface Sender {
  chain: SimulatedChain
  jettons: JettonWallets
  nowMs: number
  /** Time after which the index shows it. */
  lagMs: number
  /** True for a payer who does not accept it. */
  isRefused: boolean
}

/**
 * Sends a refund as a wallet does, which knows nothing but the message.
 * @throws {RangeError} for a request to an account that is not a jetton wallet of the sender.
 */
export function sendRefund(
  { chain, jettons, nowMs, lagMs, isRefused }: Sender,
  { from, address, amount, payload }: SignedRefund,
): SentRefund {
  const bytes = Buffer.from(payload, 'base64')
  const [reference = ''] = /refund [0-9a-f]{64}/.exec(bytes.toString('latin1')) ?? []
  const to = canonicalAddress(address)
  const request = readRequest(bytes)
  if (request === undefined) {
    const body = messageBody(commentCell(reference))
    const steps = [{ to, value: amount, body, next: [], isRefused }]
    const trace = chain.send({ from, steps, lagsMs: [lagMs] }, nowMs)
    return { payer: to, asset: 'TON', rawAmount: amount, trace }
  }
  const owned = jettons.ownedBy(to)
  if (owned?.owner !== from) throw new RangeError(`${to} is not a jetton wallet of ${from}`)
  const { payer, rawAmount } = request
  const transfer = { master: owned.master, from, to: payer, rawAmount, reference, isRefused }
  const trace = chain.send({ from, steps: [jettons.stepsOf(transfer)], lagsMs: [lagMs] }, nowMs)
  return { payer, asset: owned.master, rawAmount, trace }
}

/** Returns what the body of a jetton transfer requests; `undefined` for another body. Source: TEP-74, `transfer`. */
function readRequest(bytes: Buffer): { payer: string; rawAmount: bigint } | undefined {
  const opcode = Buffer.alloc(4)
  opcode.writeUInt32BE(JETTON_REQUEST)
  const start = bytes.indexOf(opcode)
  if (start === -1) return undefined
  // The opcode and the id of the query.
  const bits = byteBits(bytes.subarray(start + 12))
  const end = 4 + 8 * Number(`0b${bits.slice(0, 4)}`)
  // After the tag, the address has 8 bits for its workchain, and 256 for its hash.
  const hash = BigInt(`0b${bits.slice(end + 11, end + 267)}`)
  return {
    payer: `0:${hash.toString(16).padStart(64, '0')}`,
    rawAmount: BigInt(`0b0${bits.slice(4, end)}`),
  }
}
