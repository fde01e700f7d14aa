import { type DeliveryReport, MockGatewayError } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { onOneLine } from '../table.js'
import { type FaultKind, readFault } from './fault.js'
import { type JsonFields, readChoice } from './json-fields.js'
import { PageRequestError } from './page-request-error.js'
import type { BackendPayment, PaymentBackend } from './payment-backend.js'

const SHOWN_PROBLEMS = 5
const VARIANTS = ['whole', 'half', 'twice', 'misdirected', 'unnoticed'] as const
const NO_WEBHOOK =
  "the gateway sent no webhook. It does not recognize the payment as this transfer's, or the transfer was created without the API key."
const OUTCOMES = ['pay', 'fail', 'resend'] as const

type Variant = (typeof VARIANTS)[number]
type Outcome = (typeof OUTCOMES)[number]

/** A running action. */
export interface RunningAction {
  id: number
  reference: string
  outcome: Outcome
  variant: Variant | null
  fault: FaultKind
  sinceMs: number
}

/** The actions of a page. */
export interface PageActions {
  readonly backend: PaymentBackend
  readonly running: Set<RunningAction>
  /** The newest errors with the ids of their actions, oldest first. */
  readonly problems: { id: number; text: string }[]
  /** Called when an action begins or ends. */
  readonly onChange: () => void
  newestId: number
}

/** Returns the actions of a page before the first one. */
export function createActions(backend: PaymentBackend, onChange: () => void): PageActions {
  return { backend, running: new Set(), problems: [], onChange, newestId: 0 }
}

/** Starts an action. See `GatewayApi.begin`. */
export function beginAction(
  actions: PageActions,
  { reference, outcome, fields }: { reference: string; outcome: string; fields: JsonFields },
): void {
  const { backend } = actions
  const known = OUTCOMES.find((one) => one === outcome)
  if (known === undefined) throw new PageRequestError(404, `The action ${outcome} does not exist.`)
  if (backend.isNetwork && known !== 'resend') {
    throw new PageRequestError(409, 'On a network, a wallet must pay the transfer, or fail to.')
  }
  const variant = known === 'pay' ? readChoice(fields, 'variant', VARIANTS) : null
  const rawAmount = requestedAmount(backend, reference)
  const { kind: fault, delivery } = readFault(fields)
  const id = ++actions.newestId
  const entry = { id, reference, outcome: known, variant, fault, sinceMs: Date.now() }
  void run(actions, entry, async () => {
    if (known === 'fail') return backend.fail(reference, delivery)
    if (known === 'resend') return [await backend.gateway.resend(reference, delivery)]
    return backend.pay(reference, paymentOf(rawAmount, variant ?? 'whole', delivery))
  })
}

/** Returns the requested amount in base units. The amount of a paid transfer is the received one. */
function requestedAmount({ gateway }: PaymentBackend, reference: string): bigint {
  const known = gateway.transfers().find((transfer) => transfer.reference === reference)
  return BigInt(refusing(() => known?.requested ?? gateway.transfer(reference)).rawAmount)
}

async function run(
  actions: PageActions,
  entry: RunningAction,
  action: () => Promise<readonly DeliveryReport[]>,
): Promise<void> {
  const { running, onChange } = actions
  running.add(entry)
  onChange()
  try {
    const reports = await action()
    const isSilent = reports.some(({ attempts }) => attempts.length === 0)
    if (isSilent && entry.variant !== 'unnoticed') addProblem(actions, entry, NO_WEBHOOK)
  } catch (error) {
    addProblem(actions, entry, onOneLine(explainError(error)))
  }
  running.delete(entry)
  onChange()
}

function addProblem({ problems }: PageActions, { id, reference }: RunningAction, text: string) {
  problems.push({ id, text: `${reference}: ${text}` })
  if (problems.length > SHOWN_PROBLEMS) problems.shift()
}

/** Converts errors of the gateway to responses. */
export function refusing<T>(call: () => T): T {
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
