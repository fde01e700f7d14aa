import { type DeliveryReport, GatewayStandInError, type TransferStatus } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { onOneLine } from '../table.js'
import { baseUnits } from './amount.js'
import {
  type AttemptDetail,
  type AttemptLog,
  type AttemptSummary,
  keepAttempts,
} from './attempt-log.js'
import { type FaultKind, readFault } from './fault.js'
import { type JsonFields, readChoice, readText } from './json-fields.js'
import { PageRequestError } from './page-request-error.js'
import type { Stage, StageAsset, StagePayment, StageWallet } from './stage.js'

const SHOWN_TRANSFERS = 100
const SHOWN_PROBLEMS = 5
const WAYS = ['whole', 'half', 'twice', 'misdirected', 'unnoticed'] as const
const NO_WEBHOOK =
  "the gateway sent no webhook. It does not know the payment for this transfer's, or the transfer was created without the API key."
const OUTCOMES = ['pay', 'fail', 'resend'] as const

type Way = (typeof WAYS)[number]
type Outcome = (typeof OUTCOMES)[number]

/** What the page knows from its start. None of it is a secret. */
export interface Surroundings {
  webhookUrl: string
  header: string
  gatewayUrl: string
  /** Null without a chain. */
  chainUrl: string | null
  merchant: string
  buyer: string
  /** Whether a network's wallets pay, and nobody here can. */
  isNetwork: boolean
  tickers: string[]
}

/** Something that was begun and has not ended. */
interface UnderWay {
  id: number
  reference: string
  outcome: Outcome
  way: Way | null
  fault: FaultKind
  sinceMs: number
}

/** All that the page shows. */
interface PlaygroundState extends Surroundings {
  wallets: StageWallet[]
  /** The newest first. On a network, with the link that opens a wallet app. */
  transfers: (TransferStatus & { walletLink?: string })[]
  /** Transfers that are older than those. */
  hiddenTransfers: number
  underWay: UnderWay[]
  /** The newest first. */
  attempts: AttemptSummary[]
  /** What failed after it was begun. */
  problems: { id: number; text: string }[]
}

/** What the page can see and do. */
export interface Playground {
  state(): Promise<PlaygroundState>
  attempt(id: number): AttemptDetail | undefined
  /** Creates a transfer of `amount`, whole coins. @throws {PageRequestError} when it is refused. */
  create(fields: JsonFields): { reference: string }
  /**
   * Has a transfer paid, or fail, or its webhook sent again. What comes of it is in the state.
   * @throws {PageRequestError} when it cannot begin.
   */
  begin(reference: string, outcome: string, fields: JsonFields): void
  /** Calls `listener` when something has changed. Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

/** Lets a page play on a stage. @param onAttempt called with each request to the shop. */
export function createPlayground(
  stage: Stage,
  {
    onAttempt,
    ...surroundings
  }: Omit<Surroundings, 'tickers'> & { onAttempt: (attempt: AttemptSummary) => void },
): Playground {
  const listeners = new Set<() => void>()
  const underWay = new Set<UnderWay>()
  const problems: PlaygroundState['problems'] = []
  /** Base units by references. */
  const asked = new Map<string, string>()
  let newestId = 0
  const tell = (): void => listeners.forEach((listener) => listener())
  const attempts: AttemptLog = keepAttempts(stage.gateway, (attempt) => {
    onAttempt(attempt)
    tell()
  })
  const complain = ({ id, reference }: UnderWay, text: string): void => {
    problems.push({ id, text: `${reference}: ${text}` })
    if (problems.length > SHOWN_PROBLEMS) problems.shift()
  }
  const run = async (
    entry: UnderWay,
    action: () => Promise<readonly DeliveryReport[]>,
  ): Promise<void> => {
    underWay.add(entry)
    tell()
    try {
      const reports = await action()
      const isSilent = reports.some(({ attempts: made }) => made.length === 0)
      if (isSilent && entry.way !== 'unnoticed') complain(entry, NO_WEBHOOK)
    } catch (error) {
      complain(entry, onOneLine(explainError(error)))
    }
    underWay.delete(entry)
    tell()
  }
  const act = (reference: string, outcome: Outcome, way: Way | null, fields: JsonFields): void => {
    const { status, rawAmount } = find(stage, reference)
    // A transfer that was paid tells what arrived.
    if (status === 'pending') asked.set(reference, rawAmount)
    const { kind: fault, delivery } = readFault(fields)
    const entry = { id: ++newestId, reference, outcome, way, fault, sinceMs: Date.now() }
    void run(entry, async () => {
      if (outcome === 'fail') return stage.fail(reference, delivery)
      if (outcome === 'resend') return [await stage.gateway.resend(reference, delivery)]
      const amount = BigInt(asked.get(reference) ?? rawAmount)
      return stage.pay(reference, paymentOf(amount, way ?? 'whole', delivery))
    })
  }

  return {
    async state() {
      const wallets = await stage.wallets()
      const transfers = stage.gateway.transfers().reverse()
      const shown = transfers.slice(0, SHOWN_TRANSFERS)
      return {
        ...surroundings,
        tickers: stage.assets.map(({ ticker }) => ticker),
        wallets,
        transfers: stage.isNetwork ? shown.map((one) => withLink(stage, one)) : shown,
        hiddenTransfers: Math.max(0, transfers.length - SHOWN_TRANSFERS),
        underWay: [...underWay],
        attempts: attempts.list(),
        problems: [...problems],
      }
    },
    attempt: (id) => attempts.find(id),
    create(fields) {
      const created = create(stage, fields)
      tell()
      return created
    },
    begin(reference, outcome, fields) {
      const known = OUTCOMES.find((one) => one === outcome)
      if (known === undefined) throw new PageRequestError(404, `There is no ${outcome}.`)
      if (stage.isNetwork && known !== 'resend') {
        throw new PageRequestError(409, 'A wallet pays it on the network, or fails to.')
      }
      const way = known === 'pay' ? readChoice(fields, 'way', WAYS) : null
      act(reference, known, way, fields)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function create(stage: Stage, fields: JsonFields): { reference: string } {
  const tickers = stage.assets.map(({ ticker }) => ticker)
  const ticker = readChoice(fields, 'ticker', tickers)
  // One of them was chosen.
  const { asset, decimals } = stage.assets.find((one) => one.ticker === ticker) as StageAsset
  const rawAmount = baseUnits(readText(fields, 'amount').trim(), decimals)
  if (rawAmount === undefined || rawAmount === 0n) {
    const text = `The amount is no number above 0 with at most ${decimals} decimals, such as 10.5.`
    throw new PageRequestError(400, text)
  }
  const comment = readText(fields, 'comment').trim() || undefined
  const { buyer: senderAddr } = stage
  const comments = { commentToSender: comment, commentToRecipient: comment }
  return refusing(() => stage.gateway.createTransfer({ rawAmount, asset, senderAddr, ...comments }))
}

/** With the link by which wallet apps are asked to send a message. */
function withLink({ gateway }: Stage, transfer: TransferStatus): PlaygroundState['transfers'][0] {
  const { address, amount, payload } = gateway.message(transfer.reference)
  const body = payload.replaceAll('+', '-').replaceAll('/', '_')
  return { ...transfer, walletLink: `ton://transfer/${address}?amount=${amount}&bin=${body}` }
}

function find({ gateway }: Stage, reference: string): TransferStatus {
  return refusing(() => gateway.transfer(reference))
}

/** What the gateway refuses is refused to the page. */
function refusing<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof GatewayStandInError)) throw error
    throw new PageRequestError(error.status, error.message)
  }
}

function paymentOf(
  askedAmount: bigint,
  way: Way,
  delivery: StagePayment['delivery'],
): StagePayment {
  return {
    rawAmount: way === 'half' ? askedAmount / 2n : undefined,
    times: way === 'twice' ? 2 : 1,
    isMisdirected: way === 'misdirected',
    delivery: way === 'unnoticed' ? 'none' : delivery,
  }
}
