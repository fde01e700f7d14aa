import { z } from 'zod'
import { toHex } from '../../../shared/bytes.js'
import { hashOf, type ProofCell } from '../../../proof/cell.js'
import { readJettonCredit } from '../../../proof/jetton-credit.js'
import type { InternalMessage } from '../../../proof/message.js'
import { ProofError } from '../../../proof/proof-error.js'
import { readCellTree } from '../../../proof/read-cells.js'
import { readTransaction, type ProvenTransaction } from '../../../proof/transaction.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { decodeBase64, decodeHex } from '../../../shared/base64.js'
import { lazy } from '../../../shared/lazy.js'
import { objectWith, parseOptions, type OptionSchemas } from '../../../shared/options.js'
import { isTonplugError } from '../../../shared/tonplug-error.js'
import type { RequestOptions } from '../../../toncenter/transport/call-options.js'
import type { V2Client } from '../../../toncenter/v2/client.js'
import type { ShownMessage, ShownCredit, CreditWitness, WitnessVerdict } from './credit-witness.js'
import { createJettonWallets, type JettonWallets } from './jetton-wallets.js'

/** The methods of a client of API v2 that checked cells need. */
export type CellReaderClient = Pick<V2Client, 'getTransactions' | 'runGetMethod'>

export interface CheckedCellsOptions {
  /** A client of the network that the shop is paid on; another server than the one of the index. */
  v2: CellReaderClient
}

const SCHEMA = lazy(() =>
  z.strictObject({
    v2: objectWith<CellReaderClient>('the result of createV2Client()', [
      'getTransactions',
      'runGetMethod',
    ]),
  } satisfies OptionSchemas<CheckedCellsOptions>),
)

/**
 * Creates a second source for `createPaymentVerifier`: the cells of a payment's transactions, read by API v2. Each cell must
 * have the hash that the index claims, so its content is the one that the network hashed: account, logical time, time,
 * message, sender, amount and body are read from the cell and compared with the index. A jetton wallet must be named by its
 * master, and name it, at this server too; that is asked once for each jetton and wallet.
 *
 * Makes one request for a payment in the native coin, two for a jetton, and one more for each contract that passes it on.
 * @throws {ConfigurationError} when an option is missing.
 * @example
 * ```ts
 * import { createPaymentVerifier } from '@tonplug/core'
 * import { checkedCells } from '@tonplug/core/proof'
 * import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
 *
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 * const v2 = createV2Client({ baseUrl: 'https://node.example' })
 * const verifyOnChain = createPaymentVerifier({ sources: [v3, checkedCells({ v2 })] })
 * ```
 */
export function checkedCells(options: CheckedCellsOptions): CreditWitness {
  const { v2 } = parseOptions(SCHEMA(), options)
  const jettonWallets = createJettonWallets(v2)
  return {
    async compare(claim, request) {
      try {
        return await compare({ v2, jettonWallets }, claim, request)
      } catch (error) {
        request.signal?.throwIfAborted()
        if (error instanceof ProofError) return verdictOf(error)
        const detail = isTonplugError(error) ? error.message : 'API v2 failed unexpectedly'
        return { kind: 'pending', reason: 'unreachable', detail }
      }
    },
  }
}

function verdictOf({ details: { problem }, message }: ProofError): WitnessVerdict {
  if (problem === 'mismatch') return { kind: 'differs', detail: message }
  return { kind: 'pending', reason: 'incomplete', detail: message }
}

interface Step {
  transaction: ProvenTransaction
  message: InternalMessage
}

async function compare(
  { v2, jettonWallets }: { v2: CellReaderClient; jettonWallets: JettonWallets },
  claim: ShownCredit,
  request: RequestOptions,
): Promise<WitnessVerdict> {
  const steps: Step[] = []
  for (const claimed of claim.route) {
    const cell = await readCellOf(v2, claimed, request)
    if (cell === undefined) {
      const detail = `the server has no transaction ${claimed.transaction.hash}`
      return { kind: 'pending', reason: 'not_found', detail }
    }
    const step = readStep(cell, claimed)
    const before = steps.at(-1)
    if (before !== undefined && !hasSent(before, step)) {
      return differs(`the transaction before ${claimed.transaction.hash} did not send its message`)
    }
    steps.push(step)
  }
  const problem = creditProblem(claim, steps)
  if (problem !== undefined) return differs(problem)
  return claim.asset === NATIVE_ASSET
    ? { kind: 'confirmed' }
    : await compareWallet(jettonWallets, claim, request)
}

async function readCellOf(
  v2: CellReaderClient,
  { recipient, transaction }: ShownMessage,
  request: RequestOptions,
): Promise<ProofCell | undefined> {
  const { hash, lt } = transaction
  const [found] = await v2.getTransactions({ address: recipient, lt, hash, limit: 1 }, request)
  return found === undefined ? undefined : readCellTree(decodeBase64(found.data))
}

/** @throws {ProofError} `mismatch` when the cell shows something else than the claim. */
function readStep(cell: ProofCell, claimed: ShownMessage): Step {
  const { hash, lt } = claimed.transaction
  const transaction = readTransaction(cell, { hash: decodeHex(hash), lt })
  const { message, account } = transaction
  if (message?.kind !== 'internal') {
    throw new ProofError('mismatch', `the transaction ${hash} was not caused by another account`)
  }
  const shown = {
    account: toHex(account),
    message: toHex(message.hash),
    sender: message.source,
    recipient: message.destination,
    value: message.value,
    body: toHex(hashOf(message.body)),
    isBounced: message.isBounced,
  }
  const wanted: typeof shown = {
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
    const detail = `${name} of the transaction ${hash} is ${shown[name]} in its cell; the index shows ${wanted[name]}`
    throw new ProofError('mismatch', detail)
  }
  return { transaction, message }
}

/** The messages of a transaction have the logical times after its own, so a sender and a time name one message. */
function hasSent({ transaction, message }: Step, next: Step): boolean {
  const { createdLt, source } = next.message
  const isAfter = createdLt > transaction.lt
  const isWithin = createdLt <= transaction.lt + BigInt(transaction.sentCount)
  return source === message.destination && isAfter && isWithin
}

/** Returns why the last transaction is not the claimed credit. */
function creditProblem(
  { account, wallet, asset, rawAmount, utime, route }: ShownCredit,
  steps: readonly Step[],
): string | undefined {
  const { transaction, message } = steps.at(-1) as Step
  const { description } = transaction
  if (message.destination !== account) return `the money went to ${message.destination}`
  if (transaction.utime !== utime) return `the time in the cell is ${transaction.utime}`
  if (description.kind !== 'ordinary') return 'the transaction is not an ordinary one'
  if (asset === NATIVE_ASSET) {
    if (wallet !== account) return `the credited account ${account} is not the wallet`
    if (description.hasBouncePhase) return 'the money was returned'
    return message.value === rawAmount ? undefined : `the amount in the cell is ${message.value}`
  }
  if (!description.isExecuted) return 'the jetton wallet did not accept the transfer'
  const { amount, from } = readJettonCredit(message.body)
  const owner = route.at(-2)?.sender
  if (owner !== undefined && from !== owner) return `the sender in the cell is ${from ?? 'missing'}`
  return amount === rawAmount ? undefined : `the amount in the cell is ${amount}`
}

async function compareWallet(
  jettonWallets: JettonWallets,
  { asset: master, wallet: owner, account }: ShownCredit,
  request: RequestOptions,
): Promise<WitnessVerdict> {
  const named = await jettonWallets.find({ master, owner }, request)
  if (named !== account) {
    return differs(`the jetton master ${master} names ${named ?? 'no wallet'}, not ${account}`)
  }
  const verdict = await jettonWallets.confirm({ master, owner }, account, request)
  if (verdict === 'undeployed') {
    return {
      kind: 'pending',
      reason: 'incomplete',
      detail: `the server has no contract at ${account}`,
    }
  }
  return verdict === 'confirmed'
    ? { kind: 'confirmed' }
    : differs(`the account ${account} is not a wallet of the jetton ${master}`)
}

function differs(detail: string): WitnessVerdict {
  return { kind: 'differs', detail }
}
