import { Address, loadMessage, type Cell } from '@ton/core'
import type { SimulatedFailure, SimulatedPayment, TransferStatus } from '../gateway/transfer.js'
import { rootOf, type RecordedTransaction } from '../chain/recorded-transaction.js'
import type { SimulatedJetton } from '../chain/simulated-jetton.js'
import { base64Hash } from '../chain/spellings.js'

const INTERNAL_TRANSFER = 0x178d4519
/** What nodes say of an account that has no code to run. */
const NO_CODE = -13

/** What became of a message with the body of a transfer. */
export type SeenPayment =
  { kind: 'paid'; payment: SimulatedPayment } | { kind: 'failed'; failure: SimulatedFailure }

/** The body of the message that a transaction received from another account, and that account. */
export function receivedBody(
  one: RecordedTransaction,
): { body: Cell; source: Address; value: bigint } | undefined {
  if (one.inMessage === undefined) return undefined
  const { info, body } = loadMessage(one.inMessage.beginParse())
  if (info.type !== 'internal' || info.bounced) return undefined
  return { body, source: info.src, value: info.value.coins }
}

/**
 * Judges the transaction that received the body of a transfer, once its trace has ended: what arrived, where and of
 * which asset, or why it did not.
 * @returns `undefined` where it is none of the gateway's business: a jetton that it does not know, or a message of
 * somebody else that came back.
 */
export function judgePayment(
  one: RecordedTransaction,
  { transfer, jettons }: { transfer: TransferStatus; jettons: readonly SimulatedJetton[] },
): SeenPayment | undefined {
  const received = receivedBody(one)
  if (received === undefined) return undefined
  const hashes = {
    txHash: base64Hash(one.transaction.hash()),
    traceId: base64Hash(rootOf(one).transaction.hash()),
  }
  const { source, value, body } = received
  const senderAddr = spell(source, transfer.senderAddr)
  if (transfer.asset === 'TON') {
    if (isBounced(one)) return fail(one, senderAddr === transfer.senderAddr, hashes)
    const recipientAddr = spell(one.address, transfer.recipientAddr)
    return {
      kind: 'paid',
      payment: { ...hashes, asset: 'TON', rawAmount: value, senderAddr, recipientAddr },
    }
  }
  const jetton = jettons.find(({ walletOf }) => walletOf(source).equals(one.address))
  if (jetton === undefined) return undefined
  const arrival = one.children.find((child) => isInternalTransfer(child))
  const failed = [one, arrival].find((step) => step !== undefined && isAborted(step))
  if (failed !== undefined) return fail(failed, senderAddr === transfer.senderAddr, hashes)
  if (arrival === undefined) return undefined
  const { amount, to } = readTransfer(body)
  const payment = {
    ...hashes,
    asset: spell(jetton.master, transfer.asset, true),
    rawAmount: amount,
    senderAddr,
    recipientAddr: spell(to, transfer.recipientAddr),
  }
  return { kind: 'paid', payment }
}

/** An order to a jetton wallet. Source: TEP-74. */
function readTransfer(body: Cell): { amount: bigint; to: Address } {
  const slice = body.beginParse().skip(32 + 64)
  return { amount: slice.loadCoins(), to: slice.loadAddress() }
}

/** An address as the transfer spells it, if it is the same one. */
function spell(address: Address, known: string, bounceable = false): string {
  return Address.parse(known).equals(address) ? known : address.toString({ bounceable })
}

function isInternalTransfer(one: RecordedTransaction): boolean {
  const slice = receivedBody(one)?.body.beginParse()
  return slice !== undefined && slice.remainingBits >= 32
    ? slice.loadUint(32) === INTERNAL_TRANSFER
    : false
}

function isAborted({ transaction: { description } }: RecordedTransaction): boolean {
  return description.type === 'generic' && description.aborted
}

/** Money stays at an account without code, unless the message asked for it to come back. */
function isBounced({ transaction: { description } }: RecordedTransaction): boolean {
  return description.type === 'generic' && description.bouncePhase?.type === 'ok'
}

/** Only the buyer's own attempt tells that the buyer's payment failed. */
function fail(
  { transaction: { description } }: RecordedTransaction,
  isBuyers: boolean,
  hashes: Pick<SimulatedFailure, 'txHash' | 'traceId'>,
): SeenPayment | undefined {
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
      ? `the message came back: ${computePhase.reason}`
      : `the message came back: exit code ${errorCode}`
  return { kind: 'failed', failure: { ...hashes, errorCode, errorMessage } }
}
