import { type Clock, NATIVE_ASSET } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { createAssets, type OtherAssets } from './assets.js'
import { readCreateRequest } from './create-request.js'
import type { TransferMessage } from './message.js'
import { badRequest, GatewayStandInError } from './stand-in-error.js'
import { createTransferBook } from './transfer-book.js'
import {
  type CreatedTransfer,
  drawUpTransfer,
  type NewTransfer,
  settle,
  type SimulatedFailure,
  type SimulatedPayment,
  type Transfer,
  type TransferStatus,
} from './transfer.js'

const sample = transferCompleted().data

/** An owner's wallet for a jetton, in any spelling of an address; `undefined` where the chain has no such jetton. */
export type FindJettonWallet = (jetton: {
  master: string
  owner: string
}) => string | undefined | Promise<string | undefined>

/** What a desk is told at its start. */
export interface TransferDeskOptions {
  clock: Clock
  recipientAddr?: string | undefined
  senderAddr?: string | undefined
  assets?: OtherAssets | undefined
  jettonWallet?: FindJettonWallet | undefined
  maxTransfers?: number | undefined
}

/** What is to be sent for a transfer. */
export interface Webhook {
  body: string
  /** Whether the transfer was created with the merchant's key: otherwise nothing is sent. */
  isMerchants: boolean
}

/** Creates transfers, and knows what became of them. Whatever is refused is a GatewayStandInError. */
export interface TransferDesk {
  /** @param isMerchants whether it is created with the merchant's key. */
  create(transfer: NewTransfer, isMerchants: boolean): CreatedTransfer
  /** As {@link create}, where a chain may be asked for the buyer's jetton wallet first. */
  createLater(transfer: NewTransfer, isMerchants: boolean): Promise<CreatedTransfer>
  /** As {@link createLater}, from the body of a request. */
  createFrom(body: string, isMerchants: boolean): Promise<CreatedTransfer>
  statusByReference(reference: string): TransferStatus
  statusByBodyHash(bodyHash: string): TransferStatus
  /** As {@link statusByBodyHash}, where there need not be one. */
  findByBodyHash(bodyHash: string): TransferStatus | undefined
  /** What the buyer's wallet is asked to send. */
  message(reference: string): TransferMessage
  /** The oldest first. */
  list(): TransferStatus[]
  /** Forgets all transfers. */
  clear(): void
  pay(reference: string, payment: SimulatedPayment): Webhook
  fail(reference: string, failure: SimulatedFailure): Webhook
  lastWebhook(reference: string): Webhook
}

/** Creates a desk without transfers. @throws {ConfigurationError} when an asset cannot be. */
export function createTransferDesk(options: TransferDeskOptions): TransferDesk {
  const { clock, recipientAddr = sample.recipientAddr, assets = [] } = options
  const findAsset = createAssets(assets)
  const book = createTransferBook(options.maxTransfers ?? 10_000)

  const drawUp = (transfer: NewTransfer, isMerchants: boolean): DrawnUp => {
    const recipient = transfer.recipientAddr ?? (isMerchants ? recipientAddr : undefined)
    if (recipient === undefined) {
      throw badRequest('recipientAddr is missing; only with an API key it may be left out')
    }
    const asset = findAsset(transfer.asset ?? sample.asset)
    const senderAddr = transfer.senderAddr ?? options.senderAddr
    const drawnUp = drawUpTransfer({ ...transfer, senderAddr, recipientAddr: recipient }, asset)
    const { asset: master, senderAddr: owner } = drawnUp.asked
    const wallet = master === NATIVE_ASSET ? undefined : options.jettonWallet?.({ master, owner })
    return {
      wallet,
      add(jettonWallet) {
        if (jettonWallet !== undefined) drawnUp.created.message.address = jettonWallet
        book.add({ ...drawnUp, status: { ...drawnUp.asked, status: 'pending' }, isMerchants })
        return drawnUp.created
      },
    }
  }
  const createLater = async (transfer: NewTransfer, isMerchants: boolean) => {
    const { wallet, add } = drawUp(transfer, isMerchants)
    return add(await wallet)
  }
  const settleNow = (transfer: Transfer, payment: SimulatedPayment): ReturnType<typeof settle> => {
    const paidWith = findAsset(payment.asset ?? transfer.asked.asset)
    return settle(transfer.asked, payment, { nowMs: clock.nowMs(), paidWith })
  }
  return {
    create(transfer, isMerchants) {
      const { wallet, add } = drawUp(transfer, isMerchants)
      if (!(wallet instanceof Promise)) return add(wallet)
      wallet.catch(() => undefined)
      const message =
        "only the chain tells the buyer's jetton wallet, later; create the transfer over HTTP"
      throw new GatewayStandInError({ status: 409, message })
    },
    createLater,
    createFrom: async (body, isMerchants) =>
      createLater(readCreateRequest(body, findAsset), isMerchants),
    statusByReference: (reference) => ({ ...book.byReference(reference).status }),
    statusByBodyHash: (bodyHash) => ({ ...book.byBodyHash(bodyHash).status }),
    findByBodyHash(bodyHash) {
      const found = book.findByBodyHash(bodyHash)
      return found && { ...found.status }
    },
    message: (reference) => ({ ...book.byReference(reference).created.message }),
    list: () => book.list().map(({ status }) => ({ ...status })),
    clear: () => book.clear(),
    pay(reference, payment) {
      const transfer = book.byReference(reference)
      const data = { ...settleNow(transfer, payment), status: 'success' } as const
      setStatus(transfer, data)
      return keepWebhook(transfer, data)
    },
    fail(reference, { errorCode = 36, errorMessage = 'Not enough TON', ...payment }) {
      const transfer = book.byReference(reference)
      const data = { ...settleNow(transfer, payment), errorCode, errorMessage }
      setStatus(transfer, { ...data, status: 'error' })
      return keepWebhook(transfer, { ...data, status: 'failed' })
    },
    lastWebhook(reference) {
      const { webhook, isMerchants } = book.byReference(reference)
      if (webhook !== undefined) return { body: webhook, isMerchants }
      const text = `the transfer ${JSON.stringify(reference)} has no webhook yet; pay it or have it fail`
      throw badRequest(text)
    },
  }
}

/** A transfer that is in no book yet. */
interface DrawnUp {
  /** Where its message goes, if a chain tells it. */
  wallet: ReturnType<FindJettonWallet>
  add(jettonWallet: string | undefined): CreatedTransfer
}

/** What was paid stays paid. */
function setStatus(transfer: Transfer, status: TransferStatus): void {
  if (transfer.status.status !== 'success') transfer.status = status
}

function keepWebhook(transfer: Transfer, data: { date: string; status: string }): Webhook {
  const payload = { event: 'transfer.completed', timestamp: data.date, data }
  const body = JSON.stringify(payload)
  transfer.webhook = body
  return { body, isMerchants: transfer.isMerchants }
}
