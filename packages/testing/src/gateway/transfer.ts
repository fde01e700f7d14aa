import { randomBytes, randomUUID } from 'node:crypto'
import { canonicalAddress } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { formatAmount } from './amount.js'
import type { StandInAsset } from './assets.js'
import { type TransferMessage, writeMessage } from './message.js'
import { badRequest } from './stand-in-error.js'

/** What a transfer is created from. */
export interface NewTransfer {
  /** Base units. */
  rawAmount: bigint
  /** `'TON'` or a jetton master, in any spelling. @default 'TON' */
  asset?: string | undefined
  /** The buyer's wallet. @default that of the payload builders */
  senderAddr?: string | undefined
  /** @default the stand-in's option */
  recipientAddr?: string | undefined
  /** For jettons. @default 0n */
  queryId?: bigint | undefined
  commentToSender?: string | undefined
  commentToRecipient?: string | undefined
  /** For tests that know it ahead. @default a random UUID */
  reference?: string | undefined
}

/** What the gateway answers when a transfer is created. */
export interface CreatedTransfer {
  message: TransferMessage
  /** The hash of the message's body. */
  bodyBase64Hash: string
  reference: string
}

/** What a transfer is about. Names and values as on the wire. */
interface TransferFacts {
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

/** What the status endpoint tells of a transfer. What only a payment brings is absent before. */
export interface TransferStatus extends TransferFacts {
  /** `error` is what webhooks call `failed`. */
  status: 'pending' | 'success' | 'error'
  txHash?: string
  traceId?: string
  /** When it was paid, or failed; ISO 8601. */
  date?: string
  errorCode?: number
  errorMessage?: string
}

/** What happens on the chain to a transfer; what is left out is as it was asked for. */
export interface SimulatedPayment {
  /** What arrives, base units. */
  rawAmount?: bigint | undefined
  /** What is paid with: `'TON'` or a jetton master, in any spelling. */
  asset?: string | undefined
  senderAddr?: string | undefined
  recipientAddr?: string | undefined
  /** @default random */
  txHash?: string | undefined
  /** @default random */
  traceId?: string | undefined
}

/** Why a transfer fails. */
export interface SimulatedFailure extends Pick<SimulatedPayment, 'txHash' | 'traceId'> {
  /** @default 36 */
  errorCode?: number | undefined
  /** @default 'Not enough TON' */
  errorMessage?: string | undefined
}

const OF_TRANSFER: Record<keyof NewTransfer, true> = {
  rawAmount: true,
  asset: true,
  senderAddr: true,
  recipientAddr: true,
  queryId: true,
  commentToSender: true,
  commentToRecipient: true,
  reference: true,
}
const OF_PAYMENT: Record<keyof SimulatedPayment, true> = {
  rawAmount: true,
  asset: true,
  senderAddr: true,
  recipientAddr: true,
  txHash: true,
  traceId: true,
}
const OF_FAILURE: Record<keyof SimulatedFailure, true> = {
  errorCode: true,
  errorMessage: true,
  txHash: true,
  traceId: true,
}

/** What the stand-in's methods take, beside `delivery`. */
export const TRANSFER_OPTIONS: readonly string[] = Object.keys(OF_TRANSFER)
export const PAYMENT_OPTIONS: readonly string[] = Object.keys(OF_PAYMENT)
export const FAILURE_OPTIONS: readonly string[] = Object.keys(OF_FAILURE)

/** A transfer as the stand-in keeps it. */
export interface Transfer {
  created: CreatedTransfer
  asked: TransferFacts
  status: TransferStatus
  /** Whether it was created with the merchant's key: only then webhooks are sent. */
  isMerchants: boolean
  /** The last webhook's body. */
  webhook?: string
}

const sample = transferCompleted().data

/** Draws up a transfer. @throws {GatewayStandInError} when an address, an amount or the query id cannot be. */
export function drawUpTransfer(
  request: NewTransfer & { recipientAddr: string },
  { asset, ticker, decimals }: StandInAsset,
): Pick<Transfer, 'created' | 'asked'> {
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
    asked: {
      amount: formatAmount(rawAmount, decimals),
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
 * What is known of a transfer once it was paid, or failed.
 * @throws {GatewayStandInError} when the amount or an address cannot be.
 */
export function settle(
  asked: TransferFacts,
  payment: SimulatedPayment,
  { nowMs, paidWith }: { nowMs: number; paidWith: StandInAsset },
): TransferFacts & Required<Pick<TransferStatus, 'txHash' | 'traceId' | 'date'>> {
  const { rawAmount = BigInt(asked.rawAmount) } = payment
  const { senderAddr = asked.senderAddr, recipientAddr = asked.recipientAddr } = payment
  checkAmount(rawAmount)
  checkAddress('senderAddr', senderAddr)
  checkAddress('recipientAddr', recipientAddr)
  return {
    ...asked,
    amount: formatAmount(rawAmount, paidWith.decimals),
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
    // Core tells what is wrong with the text.
    throw badRequest(`${name}: ${(error as Error).message}`)
  }
}
