import { NATIVE_ASSET } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { createAssets, type FindAsset } from './assets.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'
import type { FindJettonWallet, TimedOptions } from './options.js'
import { createTransferStore, type TransferStore } from './transfer-store.js'
import {
  type CreatedTransfer,
  buildTransfer,
  type NewTransfer,
  settle,
  type SimulatedFailure,
  type SimulatedPayment,
  type Transfer,
  type TransferStatus,
} from './transfer.js'

const sample = transferCompleted().data

/** The webhook of a transfer. */
export interface Webhook {
  body: string
  /** True when the transfer was created with the merchant's key; otherwise nothing is sent. */
  isMerchants: boolean
}

/** The transfers of a mock gateway. Its functions throw a MockGatewayError for what the gateway would refuse. */
export interface TransferService {
  readonly options: TimedOptions
  readonly findAsset: FindAsset
  readonly store: TransferStore
}

/** Creates a service without transfers. @throws {ConfigurationError} when an asset is invalid. */
export function createTransferService(options: TimedOptions): TransferService {
  const { assets = [], maxTransfers = 10_000 } = options
  return { options, findAsset: createAssets(assets), store: createTransferStore(maxTransfers) }
}

/** Creates a transfer with the merchant's key. */
export function createTransfer(service: TransferService, transfer: NewTransfer): CreatedTransfer {
  const built = build(service, transfer, true)
  const wallet = findWallet(service, built)
  if (!(wallet instanceof Promise)) return addTransfer(service, built, wallet)
  wallet.catch(() => undefined)
  const message =
    "only the chain has the buyer's jetton wallet, and returns it later; create the transfer over HTTP"
  throw new MockGatewayError({ status: 409, message })
}

/**
 * Like {@link createTransfer}; asks the chain for the buyer's jetton wallet first.
 * @param isMerchants true when it is created with the merchant's key.
 */
export async function createTransferLater(
  service: TransferService,
  transfer: NewTransfer,
  isMerchants: boolean,
): Promise<CreatedTransfer> {
  const built = build(service, transfer, isMerchants)
  return addTransfer(service, built, await findWallet(service, built))
}

/** Stores the payment of a transfer and returns its webhook. A paid transfer keeps its first status. */
export function payTransfer(
  service: TransferService,
  reference: string,
  payment: SimulatedPayment,
): Webhook {
  const transfer = service.store.byReference(reference)
  const data = { ...settleNow(service, transfer, payment), status: 'success' } as const
  setStatus(transfer, data)
  return keepWebhook(transfer, data)
}

/** Stores the failure of a transfer and returns its webhook. */
export function failTransfer(
  service: TransferService,
  reference: string,
  { errorCode = 36, errorMessage = 'Not enough TON', ...payment }: SimulatedFailure,
): Webhook {
  const transfer = service.store.byReference(reference)
  const data = { ...settleNow(service, transfer, payment), errorCode, errorMessage }
  setStatus(transfer, { ...data, status: 'error' })
  return keepWebhook(transfer, { ...data, status: 'failed' })
}

/** Returns the last webhook of a transfer. */
export function lastWebhook({ store }: TransferService, reference: string): Webhook {
  const { webhook, isMerchants } = store.byReference(reference)
  if (webhook !== undefined) return { body: webhook, isMerchants }
  const text = `the transfer ${JSON.stringify(reference)} has no webhook yet; pay it or have it fail`
  throw badRequest(text)
}

type BuiltTransfer = Pick<Transfer, 'created' | 'requested' | 'isMerchants'>

function build(
  { options, findAsset }: TransferService,
  transfer: NewTransfer,
  isMerchants: boolean,
): BuiltTransfer {
  const { recipientAddr: merchantAddr = sample.recipientAddr } = options
  const recipientAddr = transfer.recipientAddr ?? (isMerchants ? merchantAddr : undefined)
  if (recipientAddr === undefined) {
    throw badRequest("recipientAddr is missing; it is optional only with the merchant's API key")
  }
  const asset = findAsset(transfer.asset ?? sample.asset)
  const senderAddr = transfer.senderAddr ?? options.senderAddr
  return { ...buildTransfer({ ...transfer, senderAddr, recipientAddr }, asset), isMerchants }
}

/** Returns the destination of a jetton transfer's message, if the chain has it. */
function findWallet(
  { options }: TransferService,
  { requested: { asset: master, senderAddr: owner } }: BuiltTransfer,
): ReturnType<FindJettonWallet> {
  return master === NATIVE_ASSET ? undefined : options.jettonWallet?.({ master, owner })
}

function addTransfer(
  { store }: TransferService,
  built: BuiltTransfer,
  jettonWallet: string | undefined,
): CreatedTransfer {
  const { created, requested } = built
  if (jettonWallet !== undefined) created.message.address = jettonWallet
  store.add({ ...built, status: { ...requested, status: 'pending' } })
  return created
}

function settleNow(
  { options, findAsset }: TransferService,
  { requested }: Transfer,
  payment: SimulatedPayment,
): ReturnType<typeof settle> {
  const paidWith = findAsset(payment.asset ?? requested.asset)
  return settle(requested, payment, { nowMs: options.clock.nowMs(), paidWith })
}

/** A paid transfer stays paid. */
function setStatus(transfer: Transfer, status: TransferStatus): void {
  if (transfer.status.status !== 'success') transfer.status = status
}

function keepWebhook(transfer: Transfer, data: { date: string; status: string }): Webhook {
  const payload = { event: 'transfer.completed', timestamp: data.date, data }
  const body = JSON.stringify(payload)
  transfer.webhook = body
  return { body, isMerchants: transfer.isMerchants }
}
