import type { Clock } from '@tonplug/core'
import { transferCompleted } from '../payloads.js'
import { createAssets, type StandInAsset } from './assets.js'
import { readCreateRequest } from './create-request.js'
import { badRequest } from './stand-in-error.js'
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

/** What a desk is told at its start. */
export interface TransferDeskOptions {
  clock: Clock
  recipientAddr?: string | undefined
  assets?: readonly StandInAsset[] | undefined
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
  /** As {@link create}, from the body of a request. */
  createFrom(body: string, isMerchants: boolean): CreatedTransfer
  statusByReference(reference: string): TransferStatus
  statusByBodyHash(bodyHash: string): TransferStatus
  /** The oldest first. */
  list(): TransferStatus[]
  pay(reference: string, payment: SimulatedPayment): Webhook
  fail(reference: string, failure: SimulatedFailure): Webhook
  lastWebhook(reference: string): Webhook
}

/** Creates a desk without transfers. @throws {ConfigurationError} when an asset cannot be. */
export function createTransferDesk(options: TransferDeskOptions): TransferDesk {
  const { clock, recipientAddr = sample.recipientAddr, assets = [] } = options
  const findAsset = createAssets(assets)
  const book = createTransferBook(options.maxTransfers ?? 10_000)

  const create = (transfer: NewTransfer, isMerchants: boolean): CreatedTransfer => {
    const recipient = transfer.recipientAddr ?? (isMerchants ? recipientAddr : undefined)
    if (recipient === undefined) {
      throw badRequest('recipientAddr is missing; only with an API key it may be left out')
    }
    const asset = findAsset(transfer.asset ?? sample.asset)
    const drawnUp = drawUpTransfer({ ...transfer, recipientAddr: recipient }, asset)
    book.add({ ...drawnUp, status: { ...drawnUp.asked, status: 'pending' }, isMerchants })
    return drawnUp.created
  }
  const settleNow = (transfer: Transfer, payment: SimulatedPayment): ReturnType<typeof settle> => {
    const paidWith = findAsset(payment.asset ?? transfer.asked.asset)
    return settle(transfer.asked, payment, { nowMs: clock.nowMs(), paidWith })
  }
  return {
    create,
    createFrom: (body, isMerchants) => create(readCreateRequest(body, findAsset), isMerchants),
    statusByReference: (reference) => ({ ...book.byReference(reference).status }),
    statusByBodyHash: (bodyHash) => ({ ...book.byBodyHash(bodyHash).status }),
    list: () => book.list().map(({ status }) => ({ ...status })),
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
