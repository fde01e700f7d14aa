import { canonicalAddress } from '@tonplug/core'
import { parseTrace, type TraceMessage, type V3Client } from '@tonplug/core/toncenter'
import type { SimulatedFailure, SimulatedPayment, TransferStatus } from './transfer.js'

type Told = Awaited<ReturnType<V3Client['traces']>>

/** The outcome of a transfer on a network. */
export type NetworkPayment =
  { kind: 'paid'; payment: SimulatedPayment } | { kind: 'failed'; failure: SimulatedFailure }

/**
 * Finds the payment of a transfer in a trace by the hash of its body.
 * @returns `undefined` while the trace is not final, or when it contains no payment
 */
export function readNetworkPayment(
  { traces: [trace], metadata }: Pick<Told, 'traces' | 'metadata'>,
  transfer: TransferStatus,
): NetworkPayment | undefined {
  if (trace === undefined) return undefined
  const { isComplete, isFinal, messages, transfers, traceId } = parseTrace(trace, { metadata })
  if (!isComplete || !isFinal) return undefined
  const message = messages.find(
    ({ bodyHash, isBounced }) => !isBounced && bodyHash === transfer.bodyBase64Hash,
  )
  if (message?.receivedIn === undefined) return undefined
  const senderAddr = spell(message.sender, transfer.senderAddr)
  const hashes = { txHash: message.receivedIn, traceId }
  if (transfer.asset === 'TON') {
    if (message.outcome === 'bounced') return fail(message, { transfer, hashes })
    const recipientAddr = spell(message.recipient, transfer.recipientAddr)
    const rawAmount = message.value
    return { kind: 'paid', payment: { ...hashes, rawAmount, senderAddr, recipientAddr } }
  }
  const jetton = transfers.find((one) => one.kind === 'jetton' && one.hash === message.hash)
  if (jetton?.kind !== 'jetton' || jetton.recipient === undefined) {
    return message.outcome === 'bounced' ? fail(message, { transfer, hashes }) : undefined
  }
  if (jetton.outcome !== 'arrived') return fail({ ...message, ...jetton }, { transfer, hashes })
  // Without the master the asset is unknown.
  if (jetton.jetton === undefined) return undefined
  const payment = {
    ...hashes,
    senderAddr,
    rawAmount: jetton.amount,
    asset: spell(jetton.jetton, transfer.asset),
    recipientAddr: spell(jetton.recipient, transfer.recipientAddr),
  }
  return { kind: 'paid', payment }
}

/** Returns an account in the format of the transfer, if it is the same account. */
function spell(account: string, known: string): string {
  const isKnown = canonicalAddress(account) === canonicalAddress(known)
  return isKnown ? known : canonicalAddress(account)
}

/** Only an attempt of the buyer counts as a failed payment. */
function fail(
  { sender, reason = 'the message bounced' }: Pick<TraceMessage, 'sender' | 'reason'>,
  { transfer, hashes }: { transfer: TransferStatus; hashes: SimulatedFailure },
): NetworkPayment | undefined {
  if (canonicalAddress(sender) !== canonicalAddress(transfer.senderAddr)) return undefined
  return { kind: 'failed', failure: { ...hashes, errorCode: 0, errorMessage: reason } }
}
