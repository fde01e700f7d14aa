import { z } from 'zod'
import { randomBytes, randomUUID } from 'node:crypto'
import { canonicalAddress, formatUnits } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import type { MockGatewayAsset } from './assets.js'
import { type TransferMessage, writeMessage } from './message.js'
import { badRequest } from './mock-gateway-error.js'

/** Fields of a new transfer. */
export interface NewTransfer {
  /** Base units. */
  rawAmount: bigint
  /** `'TON'` or a jetton master, in any address format. @default 'TON' */
  asset?: string | undefined
  /** The buyer's wallet. @default that of `transferCompleted` */
  senderAddr?: string | undefined
  /** @default the option of the mock gateway */
  recipientAddr?: string | undefined
  /** For jettons. @default 0n */
  queryId?: bigint | undefined
  commentToSender?: string | undefined
  commentToRecipient?: string | undefined
  /** For tests with a fixed reference. @default a random UUID */
  reference?: string | undefined
}

/** The response to the creation of a transfer. */
export interface CreatedTransfer {
  message: TransferMessage
  /** The hash of the message's body. */
  bodyBase64Hash: string
  reference: string
}

/** Fields of a transfer. Names and values as on the wire. */
export interface TransferFacts {
  /** Whole coins, in decimal digits. */
  amount: string
  /** Base units, in decimal digits. */
  rawAmount: string
  senderAddr: string
  recipientAddr: string
  asset: string
  assetTicker: string
  reference: string
  bodyBase64Hash: string
  commentToSender?: string
  commentToRecipient?: string
}

/** The response of the status endpoint. Fields of the payment are absent before it. */
export interface TransferStatus extends TransferFacts {
  /** Webhooks use `failed` for `error`. */
  status: 'pending' | 'success' | 'error'
  txHash?: string
  traceId?: string
  /** When it was paid, or failed; ISO 8601. */
  date?: string
  errorCode?: number
  errorMessage?: string
}

/** A simulated payment; omitted fields are as in the transfer. */
export interface SimulatedPayment {
  /** The received amount, base units. */
  rawAmount?: bigint | undefined
  /** `'TON'` or a jetton master, in any address format. */
  asset?: string | undefined
  senderAddr?: string | undefined
  recipientAddr?: string | undefined
  /** @default random */
  txHash?: string | undefined
  /** @default random */
  traceId?: string | undefined
}

/** A simulated failure. */
export interface SimulatedFailure extends Pick<SimulatedPayment, 'txHash' | 'traceId'> {
  /** @default 36 */
  errorCode?: number | undefined
  /** @default 'Not enough TON' */
  errorMessage?: string | undefined
}

// buildTransfer and settle check the values.
const field = z.any().optional()

export const TRANSFER_OPTIONS = z.strictObject({
  rawAmount: field,
  asset: field,
  senderAddr: field,
  recipientAddr: field,
  queryId: field,
  commentToSender: field,
  commentToRecipient: field,
  reference: field,
} satisfies Record<keyof NewTransfer, z.ZodType>)

const facts = { txHash: field, traceId: field, delivery: field }

/** Options of `pay`. */
export const PAYMENT_OPTIONS = z.strictObject({
  rawAmount: field,
  asset: field,
  senderAddr: field,
  recipientAddr: field,
  ...facts,
} satisfies Record<keyof SimulatedPayment | 'delivery', z.ZodType>)

/** Options of `fail`. */
export const FAILURE_OPTIONS = z.strictObject({
  errorCode: field,
  errorMessage: field,
  ...facts,
} satisfies Record<keyof SimulatedFailure | 'delivery', z.ZodType>)

/** A stored transfer. */
export interface Transfer {
  created: CreatedTransfer
  requested: TransferFacts
  status: TransferStatus
  /** True when it was created with the merchant's key; otherwise no webhooks are sent. */
  isMerchants: boolean
  /** The body of the last webhook. */
  webhook?: string
}

const sample = transferCompleted().data

/** Creates a transfer. @throws {MockGatewayError} when an address, an amount or the query id is invalid. */
export function buildTransfer(
  request: NewTransfer & { recipientAddr: string },
  { asset, ticker, decimals }: MockGatewayAsset,
): Pick<Transfer, 'created' | 'requested'> {
  const { rawAmount, recipientAddr, commentToSender, commentToRecipient } = request
  const { senderAddr = sample.senderAddr, queryId = 0n, reference = randomUUID() } = request
  checkAmount(rawAmount)
  checkAddress('senderAddr', senderAddr)
  checkAddress('recipientAddr', recipientAddr)
  if (queryId < 0n || queryId >= 2n ** 64n) {
    throw badRequest(`queryId is ${queryId}; give a number from 0 to 2^64 - 1`)
  }
  if (reference === '') throw badRequest('reference is empty')
  const facts = { reference, rawAmount, asset, senderAddr, recipientAddr, commentToRecipient }
  const { message, bodyBase64Hash } = writeMessage({ ...facts, queryId })
  return {
    created: { message, bodyBase64Hash, reference },
    requested: {
      amount: formatUnits(rawAmount, decimals),
      rawAmount: rawAmount.toString(),
      senderAddr,
      recipientAddr,
      asset,
      assetTicker: ticker,
      reference,
      bodyBase64Hash,
      ...(commentToSender !== undefined && { commentToSender }),
      ...(commentToRecipient !== undefined && { commentToRecipient }),
    },
  }
}

/**
 * Returns the fields of a transfer after its payment or failure.
 * @throws {MockGatewayError} when the amount or an address is invalid.
 */
export function settle(
  requested: TransferFacts,
  payment: SimulatedPayment,
  { nowMs, paidWith }: { nowMs: number; paidWith: MockGatewayAsset },
): TransferFacts & Required<Pick<TransferStatus, 'txHash' | 'traceId' | 'date'>> {
  const { rawAmount = BigInt(requested.rawAmount) } = payment
  const { senderAddr = requested.senderAddr, recipientAddr = requested.recipientAddr } = payment
  checkAmount(rawAmount)
  checkAddress('senderAddr', senderAddr)
  checkAddress('recipientAddr', recipientAddr)
  return {
    ...requested,
    amount: formatUnits(rawAmount, paidWith.decimals),
    rawAmount: rawAmount.toString(),
    senderAddr,
    recipientAddr,
    asset: paidWith.asset,
    assetTicker: paidWith.ticker,
    txHash: payment.txHash ?? randomBytes(32).toString('hex'),
    traceId: payment.traceId ?? randomBytes(32).toString('hex'),
    date: new Date(nowMs).toISOString(),
  }
}

/** Amounts of coins and jettons have at most 120 bits. */
function checkAmount(rawAmount: bigint): void {
  if (typeof rawAmount !== 'bigint') {
    throw badRequest(
      `rawAmount is ${rawAmount === undefined ? 'missing' : `a ${typeof rawAmount}`}; give base units as a bigint, such as 10_500_000_000n`,
    )
  }
  if (rawAmount > 0n && rawAmount < 2n ** 120n) return
  throw badRequest(`the amount is ${rawAmount} base units; it is from 1 to 2^120 - 1`)
}

function checkAddress(name: string, address: string): void {
  try {
    canonicalAddress(address)
  } catch (error) {
    // The error of core states the problem of the address.
    throw badRequest(`${name}: ${(error as Error).message}`)
  }
}
