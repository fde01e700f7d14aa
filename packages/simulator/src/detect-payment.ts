import { Address, loadMessage, type Cell } from '@ton/core'
import type { SimulatedFailure, SimulatedPayment, TransferStatus } from '@tonplug/testing'
import {
  isAborted,
  isBounced,
  rootOf,
  type RecordedTransaction,
} from './chain/recorded-transaction.js'
import type { SimulatedJetton } from './chain/simulated-jetton.js'
import { base64Hash } from './shared/encodings.js'
import { readJettonInternalTransfer, readJettonTransfer } from './v3/bodies.js'

/** The exit code that nodes report for an account without code. */
const NO_CODE = -13

/** The result of a message with the body of a transfer. */
export type DetectedPayment =
  { kind: 'paid'; payment: SimulatedPayment } | { kind: 'failed'; failure: SimulatedFailure }

/** Returns the body, sender and value of the internal message that a transaction received. */
export function receivedBody(
  one: RecordedTransaction,
): { body: Cell; source: Address; value: bigint } | undefined {
  if (one.inMessage === undefined) return undefined
  const { info, body } = loadMessage(one.inMessage.beginParse())
  if (info.type !== 'internal' || info.bounced) return undefined
  return { body, source: info.src, value: info.value.coins }
}

/**
 * Interprets the transaction that received the body of a transfer, after its trace is complete: the amount, asset,
 * sender and recipient of a payment, or the error of a failed one.
 * @returns `undefined` for an unknown jetton, and for a bounced message of another sender.
 */
export function detectPayment(
  one: RecordedTransaction,
  { transfer, jettons }: { transfer: TransferStatus; jettons: readonly SimulatedJetton[] },
): DetectedPayment | undefined {
  const received = receivedBody(one)
  if (received === undefined) return undefined
  const hashes = {
    txHash: base64Hash(one.transaction.hash()),
    traceId: base64Hash(rootOf(one).transaction.hash()),
  }
  const { source, value, body } = received
  const senderAddr = formatAddress(source, transfer.senderAddr)
  if (transfer.asset === 'TON') {
    if (isBounced(one)) return fail(one, senderAddr === transfer.senderAddr, hashes)
    const recipientAddr = formatAddress(one.address, transfer.recipientAddr)
    return {
      kind: 'paid',
      payment: { ...hashes, asset: 'TON', rawAmount: value, senderAddr, recipientAddr },
    }
  }
  const jetton = jettons.find((known) => known.walletOf(source).equals(one.address))
  if (jetton === undefined) return undefined
  const arrival = one.children.find((child) => {
    const sent = receivedBody(child)
    return sent !== undefined && readJettonInternalTransfer(sent.body) !== undefined
  })
  const failed = [one, arrival].find((step) => step !== undefined && isAborted(step))
  if (failed !== undefined) return fail(failed, senderAddr === transfer.senderAddr, hashes)
  const sent = readJettonTransfer(body)
  if (arrival === undefined || sent === undefined) return undefined
  const payment = {
    ...hashes,
    asset: formatAddress(jetton.master, transfer.asset, true),
    rawAmount: sent.amount,
    senderAddr,
    recipientAddr: formatAddress(sent.destination, transfer.recipientAddr),
  }
  return { kind: 'paid', payment }
}

/** Formats an address as the transfer does, if it is the same one. */
function formatAddress(address: Address, known: string, bounceable = false): string {
  return Address.parse(known).equals(address) ? known : address.toString({ bounceable })
}

/** Returns a failure only if the buyer sent the message. */
function fail(
  { transaction: { description } }: RecordedTransaction,
  isBuyers: boolean,
  hashes: Pick<SimulatedFailure, 'txHash' | 'traceId'>,
): DetectedPayment | undefined {
  if (!isBuyers || description.type !== 'generic') return undefined
  const { computePhase, actionPhase } = description
  const errorCode =
    computePhase.type === 'skipped'
      ? NO_CODE
      : computePhase.success
        ? (actionPhase?.resultCode ?? 0)
        : computePhase.exitCode
  const errorMessage =
    computePhase.type === 'skipped'
      ? `the message bounced: ${computePhase.reason}`
      : `the message bounced: exit code ${errorCode}`
  return { kind: 'failed', failure: { ...hashes, errorCode, errorMessage } }
}
