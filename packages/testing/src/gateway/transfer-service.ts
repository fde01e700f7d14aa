import { type Clock, NATIVE_ASSET } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { createAssets, type OtherAssets } from './assets.js'
import { readCreateRequest } from './create-request.js'
import type { TransferMessage } from './message.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'
import { createTransferStore } from './transfer-store.js'
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

/** Returns an owner's wallet for a jetton, in any address format; `undefined` when the chain does not have the jetton. */
export type FindJettonWallet = (jetton: {
  master: string
  owner: string
}) => string | undefined | Promise<string | undefined>

/** Options of a transfer service. */
export interface TransferServiceOptions {
  clock: Clock
  recipientAddr?: string | undefined
  senderAddr?: string | undefined
  assets?: OtherAssets | undefined
  jettonWallet?: FindJettonWallet | undefined
  maxTransfers?: number | undefined
}

/** The webhook of a transfer. */
export interface Webhook {
  body: string
  /** True when the transfer was created with the merchant's key; otherwise nothing is sent. */
  isMerchants: boolean
}

/** Creates transfers and keeps their status. Refusals are thrown as MockGatewayError. */
export interface TransferService {
  /** @param isMerchants true when it is created with the merchant's key. */
  create(transfer: NewTransfer, isMerchants: boolean): CreatedTransfer
  /** Like {@link create}; asks the chain for the buyer's jetton wallet first. */
  createLater(transfer: NewTransfer, isMerchants: boolean): Promise<CreatedTransfer>
  /** Like {@link createLater}, from the body of a request. */
  createFrom(body: string, isMerchants: boolean): Promise<CreatedTransfer>
  statusByReference(reference: string): TransferStatus
  statusByBodyHash(bodyHash: string): TransferStatus
  /** Like {@link statusByBodyHash}; returns `undefined` when the transfer does not exist. */
  findByBodyHash(bodyHash: string): TransferStatus | undefined
  /** Returns the message that the buyer's wallet must send. */
  message(reference: string): TransferMessage
  /** Oldest first. */
  list(): TransferStatus[]
  /** Deletes all transfers. */
  clear(): void
  pay(reference: string, payment: SimulatedPayment): Webhook
  fail(reference: string, failure: SimulatedFailure): Webhook
  lastWebhook(reference: string): Webhook
}

/** Creates a service without transfers. @throws {ConfigurationError} when an asset is invalid. */
export function createTransferService(options: TransferServiceOptions): TransferService {
  const { clock, recipientAddr = sample.recipientAddr, assets = [] } = options
  const findAsset = createAssets(assets)
  const store = createTransferStore(options.maxTransfers ?? 10_000)

  const build = (transfer: NewTransfer, isMerchants: boolean): BuiltTransfer => {
    const recipient = transfer.recipientAddr ?? (isMerchants ? recipientAddr : undefined)
    if (recipient === undefined) {
      throw badRequest("recipientAddr is missing; it is optional only with the merchant's API key")
    }
    const asset = findAsset(transfer.asset ?? sample.asset)
    const senderAddr = transfer.senderAddr ?? options.senderAddr
    const built = buildTransfer({ ...transfer, senderAddr, recipientAddr: recipient }, asset)
    const { asset: master, senderAddr: owner } = built.requested
    const wallet = master === NATIVE_ASSET ? undefined : options.jettonWallet?.({ master, owner })
    return {
      wallet,
      add(jettonWallet) {
        if (jettonWallet !== undefined) built.created.message.address = jettonWallet
        store.add({ ...built, status: { ...built.requested, status: 'pending' }, isMerchants })
        return built.created
      },
    }
  }
  const createLater = async (transfer: NewTransfer, isMerchants: boolean) => {
    const { wallet, add } = build(transfer, isMerchants)
    return add(await wallet)
  }
  const settleNow = (transfer: Transfer, payment: SimulatedPayment): ReturnType<typeof settle> => {
    const paidWith = findAsset(payment.asset ?? transfer.requested.asset)
    return settle(transfer.requested, payment, { nowMs: clock.nowMs(), paidWith })
  }
  return {
    create(transfer, isMerchants) {
      const { wallet, add } = build(transfer, isMerchants)
      if (!(wallet instanceof Promise)) return add(wallet)
      wallet.catch(() => undefined)
      const message =
        "only the chain has the buyer's jetton wallet, and returns it later; create the transfer over HTTP"
      throw new MockGatewayError({ status: 409, message })
    },
    createLater,
    createFrom: async (body, isMerchants) =>
      createLater(readCreateRequest(body, findAsset), isMerchants),
    statusByReference: (reference) => ({ ...store.byReference(reference).status }),
    statusByBodyHash: (bodyHash) => ({ ...store.byBodyHash(bodyHash).status }),
    findByBodyHash(bodyHash) {
      const found = store.findByBodyHash(bodyHash)
      return found && { ...found.status }
    },
    message: (reference) => ({ ...store.byReference(reference).created.message }),
    list: () => store.list().map(({ status }) => ({ ...status })),
    clear: () => store.clear(),
    pay(reference, payment) {
      const transfer = store.byReference(reference)
      const data = { ...settleNow(transfer, payment), status: 'success' } as const
      setStatus(transfer, data)
      return keepWebhook(transfer, data)
    },
    fail(reference, { errorCode = 36, errorMessage = 'Not enough TON', ...payment }) {
      const transfer = store.byReference(reference)
      const data = { ...settleNow(transfer, payment), errorCode, errorMessage }
      setStatus(transfer, { ...data, status: 'error' })
      return keepWebhook(transfer, { ...data, status: 'failed' })
    },
    lastWebhook(reference) {
      const { webhook, isMerchants } = store.byReference(reference)
      if (webhook !== undefined) return { body: webhook, isMerchants }
      const text = `the transfer ${JSON.stringify(reference)} has no webhook yet; pay it or have it fail`
      throw badRequest(text)
    },
  }
}

/** A transfer that has not been stored. */
interface BuiltTransfer {
  /** Destination of its message, if the chain has returned it. */
  wallet: ReturnType<FindJettonWallet>
  add: (jettonWallet: string | undefined) => CreatedTransfer
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
