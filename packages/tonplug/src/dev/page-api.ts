import { isTonplugError, toUnits } from '@tonplug/core'
import { type DeliveryReport, MockGatewayError, type TransferStatus } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { onOneLine } from '../table.js'
import {
  type AttemptDetail,
  type AttemptLog,
  type AttemptSummary,
  keepAttempts,
} from './attempt-log.js'
import { type FaultKind, readFault } from './fault.js'
import { type JsonFields, readChoice, readText } from './json-fields.js'
import { PageRequestError } from './page-request-error.js'
import type {
  PaymentBackend,
  BackendAsset,
  BackendPayment,
  BackendWallet,
} from './payment-backend.js'

const SHOWN_TRANSFERS = 100
const SHOWN_PROBLEMS = 5
const VARIANTS = ['whole', 'half', 'twice', 'misdirected', 'unnoticed'] as const
const NO_WEBHOOK =
  "the gateway sent no webhook. It does not recognize the payment as this transfer's, or the transfer was created without the API key."
const OUTCOMES = ['pay', 'fail', 'resend'] as const

type Variant = (typeof VARIANTS)[number]
type Outcome = (typeof OUTCOMES)[number]

/** The static data of the page. It contains no secret. */
export interface PageEnvironment {
  webhookUrl: string
  header: string
  gatewayUrl: string
  /** Null without a chain. */
  chainUrl: string | null
  merchant: string
  buyer: string
  /** True on a network, where only real wallets pay. */
  isNetwork: boolean
  tickers: string[]
}

/** A running action. */
interface RunningAction {
  id: number
  reference: string
  outcome: Outcome
  variant: Variant | null
  fault: FaultKind
  sinceMs: number
}

/** The state of the page. */
interface PageState extends PageEnvironment {
  wallets: BackendWallet[]
  /** The transfers, newest first. On a network with a link that opens a wallet app. */
  transfers: (TransferStatus & { walletLink?: string })[]
  /** Number of older transfers. */
  hiddenTransfers: number
  runningActions: RunningAction[]
  /** The attempts, newest first. */
  attempts: AttemptSummary[]
  /** Errors of actions. */
  problems: { id: number; text: string }[]
}

/** The operations of the page. */
export interface PageApi {
  state(): Promise<PageState>
  attempt(id: number): AttemptDetail | undefined
  /** Creates a transfer of `amount` in whole coins. @throws {PageRequestError} when it is rejected. */
  create(fields: JsonFields): { reference: string }
  /**
   * Starts an action: a payment, a failure, or another delivery of the webhook. Its result is part of the state.
   * @throws {PageRequestError} when it cannot be started.
   */
  begin(reference: string, outcome: string, fields: JsonFields): void
  /** Calls `listener` after each change. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** Creates the operations of a page. @param onAttempt called after each request to the shop. */
export function createPageApi(
  backend: PaymentBackend,
  {
    onAttempt,
    ...environment
  }: Omit<PageEnvironment, 'tickers'> & { onAttempt: (attempt: AttemptSummary) => void },
): PageApi {
  const listeners = new Set<() => void>()
  const runningActions = new Set<RunningAction>()
  const problems: PageState['problems'] = []
  /** Requested amounts in base units by reference. */
  const requestedAmounts = new Map<string, string>()
  let newestId = 0
  const notify = (): void => listeners.forEach((listener) => listener())
  const attempts: AttemptLog = keepAttempts(backend.gateway, (attempt) => {
    onAttempt(attempt)
    notify()
  })
  const addProblem = ({ id, reference }: RunningAction, text: string): void => {
    problems.push({ id, text: `${reference}: ${text}` })
    if (problems.length > SHOWN_PROBLEMS) problems.shift()
  }
  const run = async (
    entry: RunningAction,
    action: () => Promise<readonly DeliveryReport[]>,
  ): Promise<void> => {
    runningActions.add(entry)
    notify()
    try {
      const reports = await action()
      const isSilent = reports.some(({ attempts: made }) => made.length === 0)
      if (isSilent && entry.variant !== 'unnoticed') addProblem(entry, NO_WEBHOOK)
    } catch (error) {
      addProblem(entry, onOneLine(explainError(error)))
    }
    runningActions.delete(entry)
    notify()
  }
  const act = (
    reference: string,
    outcome: Outcome,
    variant: Variant | null,
    fields: JsonFields,
  ): void => {
    const { status, rawAmount } = find(backend, reference)
    // The amount of a paid transfer is the received one.
    if (status === 'pending') requestedAmounts.set(reference, rawAmount)
    const { kind: fault, delivery } = readFault(fields)
    const entry = { id: ++newestId, reference, outcome, variant, fault, sinceMs: Date.now() }
    void run(entry, async () => {
      if (outcome === 'fail') return backend.fail(reference, delivery)
      if (outcome === 'resend') return [await backend.gateway.resend(reference, delivery)]
      const amount = BigInt(requestedAmounts.get(reference) ?? rawAmount)
      return backend.pay(reference, paymentOf(amount, variant ?? 'whole', delivery))
    })
  }

  return {
    async state() {
      const wallets = await backend.wallets()
      const transfers = backend.gateway.transfers().reverse()
      const shown = transfers.slice(0, SHOWN_TRANSFERS)
      return {
        ...environment,
        tickers: backend.assets.map(({ ticker }) => ticker),
        wallets,
        transfers: backend.isNetwork ? shown.map((one) => withLink(backend, one)) : shown,
        hiddenTransfers: Math.max(0, transfers.length - SHOWN_TRANSFERS),
        runningActions: [...runningActions],
        attempts: attempts.list(),
        problems: [...problems],
      }
    },
    attempt: (id) => attempts.find(id),
    create(fields) {
      const created = create(backend, fields)
      notify()
      return created
    },
    begin(reference, outcome, fields) {
      const known = OUTCOMES.find((one) => one === outcome)
      if (known === undefined)
        throw new PageRequestError(404, `The action ${outcome} does not exist.`)
      if (backend.isNetwork && known !== 'resend') {
        throw new PageRequestError(409, 'On a network, a wallet must pay the transfer, or fail to.')
      }
      const variant = known === 'pay' ? readChoice(fields, 'variant', VARIANTS) : null
      act(reference, known, variant, fields)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function create(backend: PaymentBackend, fields: JsonFields): { reference: string } {
  const tickers = backend.assets.map(({ ticker }) => ticker)
  const ticker = readChoice(fields, 'ticker', tickers)
  // `readChoice` returns one of the tickers.
  const { asset, decimals } = backend.assets.find((one) => one.ticker === ticker) as BackendAsset
  const rawAmount = toRawAmount(readText(fields, 'amount').trim(), decimals)
  const comment = readText(fields, 'comment').trim() || undefined
  const { buyer: senderAddr } = backend
  const comments = { commentToSender: comment, commentToRecipient: comment }
  return refusing(() =>
    backend.gateway.createTransfer({ rawAmount, asset, senderAddr, ...comments }),
  )
}

function toRawAmount(amount: string, decimals: number): bigint {
  try {
    const rawAmount = toUnits(amount, decimals)
    if (rawAmount > 0n) return rawAmount
  } catch (error) {
    if (!isTonplugError(error)) throw error
  }
  const text = `The amount must be a number above 0 with at most ${decimals} decimals, for example 10.5.`
  throw new PageRequestError(400, text)
}

/** Adds the link that opens a wallet app with the message. */
function withLink(
  { gateway }: PaymentBackend,
  transfer: TransferStatus,
): PageState['transfers'][0] {
  const { address, amount, payload } = gateway.message(transfer.reference)
  const body = payload.replaceAll('+', '-').replaceAll('/', '_')
  return { ...transfer, walletLink: `ton://transfer/${address}?amount=${amount}&bin=${body}` }
}

function find({ gateway }: PaymentBackend, reference: string): TransferStatus {
  return refusing(() => gateway.transfer(reference))
}

/** Converts errors of the gateway to responses. */
function refusing<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof MockGatewayError)) throw error
    throw new PageRequestError(error.status, error.message)
  }
}

function paymentOf(
  askedAmount: bigint,
  variant: Variant,
  delivery: BackendPayment['delivery'],
): BackendPayment {
  return {
    rawAmount: variant === 'half' ? askedAmount / 2n : undefined,
    times: variant === 'twice' ? 2 : 1,
    isMisdirected: variant === 'misdirected',
    delivery: variant === 'unnoticed' ? 'none' : delivery,
  }
}
