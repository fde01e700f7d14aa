import { areEqual, toHex } from '../../../shared/bytes.js'
import { hashOf } from '../../../proof/cell.js'
import { hashOfTransfer, readJettonCredit } from '../../../proof/jetton-credit.js'
import type { InternalMessage } from '../../../proof/message.js'
import { ProofError } from '../../../proof/proof-error.js'
import type { ProvenTransaction } from '../../../proof/transaction.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { decodeHex } from '../../../shared/base64.js'
import type { ShownCredit, ShownMessage, WitnessVerdict } from './credit-witness.js'

/** Reads the transaction that received a message, from its cell. Returns a verdict if it cannot. */
export type TransactionReader = (
  claimed: ShownMessage,
) => Promise<{ transaction: ProvenTransaction } | WitnessVerdict>

/** A transaction that a message between accounts caused. */
interface Step {
  transaction: ProvenTransaction
  message: InternalMessage
}

/**
 * Compares a credit that an index shows with the cells of its transactions, the credit first. The transactions before it
 * are read unless the credit's own message proves what the payer sent.
 * @throws what `read` throws.
 */
export async function compareRoute(
  claim: ShownCredit,
  read: TransactionReader,
): Promise<WitnessVerdict> {
  let next: Step | undefined
  for (const claimed of claim.route.toReversed()) {
    const found = await read(claimed)
    if ('kind' in found) return found
    try {
      const step = readStep(found.transaction, claimed)
      if (next === undefined) checkCredit(claim, step)
      else checkSent(step, next)
      if (next === undefined && provesPayer(claim, step)) break
      next = step
    } catch (error) {
      // The cells are the claimed ones: their content is the problem.
      if (error instanceof ProofError) return { kind: 'differs', detail: error.message }
      throw error
    }
  }
  return { kind: 'confirmed' }
}

/** @throws {ProofError} when the cell shows something else than the claim. */
function readStep(transaction: ProvenTransaction, claimed: ShownMessage): Step {
  const { hash } = claimed.transaction
  const { message, account } = transaction
  if (message?.kind !== 'internal') throw differs(`${hash} was not caused by another account`)
  const shown = {
    hash: toHex(transaction.hash),
    account: toHex(account),
    message: toHex(message.hash),
    sender: message.source,
    recipient: message.destination,
    value: message.value,
    body: toHex(hashOf(message.body)),
    isBounced: message.isBounced,
  }
  const wanted: typeof shown = {
    hash,
    account: claimed.recipient.slice(claimed.recipient.indexOf(':') + 1),
    message: claimed.hash,
    sender: claimed.sender,
    recipient: claimed.recipient,
    value: claimed.value,
    body: claimed.bodyHash ?? shown.body,
    isBounced: false,
  }
  for (const name of Object.keys(wanted) as (keyof typeof wanted)[]) {
    if (shown[name] === wanted[name]) continue
    throw differs(
      `${name} of the transaction ${hash} is ${shown[name]} in its cell; the index shows ${wanted[name]}`,
    )
  }
  return { transaction, message }
}

/** The messages of a transaction have the logical times after its own, so a sender and a time name one message. */
function checkSent({ transaction, message }: Step, next: Step): void {
  const { createdLt, source } = next.message
  const isAfter = createdLt > transaction.lt
  const isWithin = createdLt <= transaction.lt + BigInt(transaction.sentCount)
  if (source === message.destination && isAfter && isWithin) return
  throw differs(`the transaction before ${toHex(next.transaction.hash)} did not send its message`)
}

/** @throws {ProofError} when the last transaction is not the claimed credit. */
function checkCredit(
  { account, wallet, asset, rawAmount, utime, route }: ShownCredit,
  { transaction, message }: Step,
): void {
  const { description } = transaction
  if (message.destination !== account) throw differs(`the money went to ${message.destination}`)
  if (transaction.utime !== utime) throw differs(`the time in the cell is ${transaction.utime}`)
  if (description.kind !== 'ordinary') throw differs('the transaction is not an ordinary one')
  if (asset === NATIVE_ASSET) {
    if (wallet !== account) throw differs(`the credited account ${account} is not the wallet`)
    if (description.hasBouncePhase) throw differs('the money was returned')
    if (message.value !== rawAmount) throw differs(`the amount in the cell is ${message.value}`)
    return
  }
  if (!description.isExecuted) throw differs('the jetton wallet did not accept the transfer')
  const { amount, from } = readJettonCredit(message.body)
  const owner = route.at(-2)?.sender
  if (owner !== undefined && from !== owner) {
    throw differs(`the sender in the cell is ${from ?? 'missing'}`)
  }
  if (amount !== rawAmount) throw differs(`the amount in the cell is ${amount}`)
}

/**
 * Returns whether a jetton credit proves the message of its payer. The wallet of the payer copies its content into the
 * credit's message, which the code of the credited wallet accepts from wallets of the same jetton only.
 */
function provesPayer({ asset, wallet, route }: ShownCredit, { message }: Step): boolean {
  const [first, credit] = route
  if (asset === NATIVE_ASSET || route.length !== 2 || credit === undefined) return false
  if (first.bodyHash === undefined || first.recipient !== message.source) return false
  return areEqual(hashOfTransfer(message.body, wallet), decodeHex(first.bodyHash))
}

function differs(detail: string): ProofError {
  return new ProofError('mismatch', detail)
}
