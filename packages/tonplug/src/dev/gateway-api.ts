import { isTonplugError, toUnits } from '@tonplug/core'
import type { MockGateway } from '@tonplug/testing'
import {
  type AttemptDetail,
  type AttemptLog,
  type AttemptSummary,
  keepAttempts,
} from './attempt-log.js'
import { type JsonFields, readChoice, readText } from './json-fields.js'
import {
  beginAction,
  createActions,
  type PageActions,
  refusing,
  type RunningAction,
} from './page-actions.js'
import { PageRequestError } from './page-request-error.js'
import type { BackendWallet } from './backend-wallet.js'
import type { BackendAsset, PaymentBackend } from './payment-backend.js'

const SHOWN_TRANSFERS = 100

/** The static data of the gateway on the page. It contains no secret. */
export interface GatewayEnvironment {
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

type ListedTransfer = ReturnType<MockGateway['transfers']>[number]

/** The state of the gateway on the page. */
export interface GatewayState extends GatewayEnvironment {
  wallets: BackendWallet[]
  /** The transfers, newest first. On a network with a link that opens a wallet app. */
  transfers: (ListedTransfer & { walletLink?: string })[]
  /** Number of older transfers. */
  hiddenTransfers: number
  runningActions: RunningAction[]
  /** The attempts, newest first. */
  attempts: AttemptSummary[]
  /** Errors of actions. */
  problems: PageActions['problems']
}

/** The operations of the page on the gateway. */
export interface GatewayApi {
  state(): Promise<GatewayState>
  attempt(id: number): AttemptDetail | undefined
  /** Creates a transfer of `amount` in whole coins, with `reference` or a random one. @throws {PageRequestError} when it is rejected. */
  create(fields: JsonFields): { reference: string }
  /**
   * Starts an action: a payment, a failure, or another delivery of the webhook. Its result is part of the state.
   * @throws {PageRequestError} when it cannot be started.
   */
  begin(reference: string, outcome: string, fields: JsonFields): void
  /** Calls `listener` after each change. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** Creates the operations. @param onAttempt called after each request to the shop. */
export function createGatewayApi(
  backend: PaymentBackend,
  {
    onAttempt,
    ...environment
  }: Omit<GatewayEnvironment, 'tickers'> & { onAttempt: (attempt: AttemptSummary) => void },
): GatewayApi {
  const listeners = new Set<() => void>()
  const notify = (): void => listeners.forEach((listener) => listener())
  const actions = createActions(backend, notify)
  const attempts: AttemptLog = keepAttempts(backend.gateway, (attempt) => {
    onAttempt(attempt)
    notify()
  })
  return {
    state: async () => ({
      ...environment,
      tickers: backend.assets.map(({ ticker }) => ticker),
      wallets: await backend.wallets(),
      ...listTransfers(backend),
      runningActions: [...actions.running],
      attempts: attempts.list(),
      problems: [...actions.problems],
    }),
    attempt: (id) => attempts.find(id),
    create(fields) {
      const created = create(backend, fields)
      notify()
      return created
    },
    begin: (reference, outcome, fields) => beginAction(actions, { reference, outcome, fields }),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function listTransfers(
  backend: PaymentBackend,
): Pick<GatewayState, 'transfers' | 'hiddenTransfers'> {
  const transfers = backend.gateway.transfers().reverse()
  const shown = transfers.slice(0, SHOWN_TRANSFERS)
  return {
    transfers: backend.isNetwork ? shown.map((one) => withLink(backend, one)) : shown,
    hiddenTransfers: transfers.length - shown.length,
  }
}

function create(backend: PaymentBackend, fields: JsonFields): { reference: string } {
  const tickers = backend.assets.map(({ ticker }) => ticker)
  const ticker = readChoice(fields, 'ticker', tickers)
  // `readChoice` returns one of the tickers.
  const { asset, decimals } = backend.assets.find((one) => one.ticker === ticker) as BackendAsset
  const rawAmount = toRawAmount(readText(fields, 'amount').trim(), decimals)
  const comment = readText(fields, 'comment').trim() || undefined
  const reference = readText(fields, 'reference').trim() || undefined
  const { buyer: senderAddr } = backend
  const comments = { commentToSender: comment, commentToRecipient: comment }
  return refusing(() =>
    backend.gateway.createTransfer({ rawAmount, asset, senderAddr, reference, ...comments }),
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
  transfer: ListedTransfer,
): GatewayState['transfers'][0] {
  const { address, amount, payload } = gateway.message(transfer.reference)
  const body = payload.replaceAll('+', '-').replaceAll('/', '_')
  return { ...transfer, walletLink: `ton://transfer/${address}?amount=${amount}&bin=${body}` }
}
