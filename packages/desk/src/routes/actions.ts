import { ConfigurationError } from '@tonplug/core'
import type { Decision, Operator, OperatorNote } from '@tonplug/core/operator'
import type { ActionResult, DeskAction } from '../api.js'
import type { DeskOptions } from '../options.js'
import { DeskRequestError } from '../responses.js'

/** The body of a POST, and who has sent it. */
export interface ActionRequest {
  body: Record<string, unknown>
  /** The operator. */
  by: string
}

/** Input of all actions. */
interface ActionParts {
  options: DeskOptions
  operator: Operator
}

type Action = (parts: ActionParts, request: ActionRequest) => Promise<ActionResult>

const ACTIONS: Record<DeskAction, Action> = { accept, assign, refund, reprocess, retry, look }

/** Everything that an operator may do on a desk. */
export const ACTION_NAMES: readonly DeskAction[] = [
  'accept',
  'assign',
  'refund',
  'reprocess',
  'retry',
  'look',
]

/** Returns the actions that the options of a desk and the rights of an operator allow. */
export function allowedActions(
  { actions = false, watcher, v3 }: DeskOptions,
  may: readonly DeskAction[] = ACTION_NAMES,
): DeskAction[] {
  if (!actions) return []
  return ACTION_NAMES.filter(
    (name) =>
      may.includes(name) &&
      (name !== 'refund' || v3 !== undefined) &&
      (name !== 'look' || watcher !== undefined),
  )
}

/** Returns true for the name of an action. */
export function isActionName(name: unknown): name is DeskAction {
  return typeof name === 'string' && Object.hasOwn(ACTIONS, name)
}

/**
 * Does what an operator asks for, and logs it.
 * @throws {DeskRequestError} for an invalid body, and when Payments rejects it.
 */
export async function act(
  action: DeskAction,
  parts: ActionParts,
  request: ActionRequest,
): Promise<ActionResult> {
  const { logger } = parts.options.payments.internals
  const { by, body } = request
  const facts = { action, by, ...loggedFields(body) }
  logger.info('desk action requested', facts)
  try {
    return await ACTIONS[action](parts, request)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new DeskRequestError(422, 'INVALID', error.message)
  }
}

const LOGGED = [
  'reportId',
  'handler',
  'transactionHash',
  'reference',
  'merchant',
  'anyJetton',
  'reason',
]

function loggedFields(body: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    LOGGED.flatMap((name) => {
      const value = body[name]
      return typeof value === 'string' ? [[name, value.slice(0, 200)]] : []
    }),
  )
}

async function accept(
  { operator }: ActionParts,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const note = { by, reason: text(body, 'reason') }
  const accepted =
    body['reference'] === undefined
      ? { reportId: text(body, 'reportId') }
      : { reference: text(body, 'reference'), merchant: optionalText(body, 'merchant') }
  const result = await operator.accept(accepted, note)
  switch (result.state) {
    case 'decided':
      return outcomeOf(result.decision, 'It was accepted.')
    case 'waiting':
      return { isSuccess: true, message: 'It will be accepted within seconds.' }
    case 'refused':
      return { isSuccess: false, message: `It was not accepted: ${result.reason}.` }
  }
}

async function assign(
  { operator }: ActionParts,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const reference = text(body, 'reference')
  const assignment = {
    transactionHash: text(body, 'transactionHash'),
    reference,
    merchant: optionalText(body, 'merchant'),
  }
  const { decision } = await operator.assign(assignment, noteOf(body, by))
  if (decision === undefined) {
    return { isSuccess: true, message: 'It is assigned, and will be checked within seconds.' }
  }
  return outcomeOf(decision, `It was assigned to order ${reference}.`)
}

/** Returns what the rules made of money that an operator has given to an order. */
function outcomeOf(decision: Decision, done: string): ActionResult {
  const { kind } = decision
  const state = kind
  switch (kind) {
    case 'paid':
      return { isSuccess: true, state, message: `${done} The order is paid.` }
    case 'verifying':
      return { isSuccess: true, state, message: `${done} The proof on the chain is pending.` }
    case 'unknown_order':
      return { isSuccess: false, state, message: 'There is no order with this reference.' }
    case 'extra_payment':
    case 'duplicate':
      return { isSuccess: false, state, message: 'The order was already paid.' }
    case 'unverified':
      return {
        isSuccess: false,
        state,
        message:
          decision.reason === 'reused'
            ? 'The money has already paid an order, or is being sent back.'
            : 'The chain does not confirm the payment.',
      }
    case 'rejected':
      return { isSuccess: false, state, message: `The shop does not accept it: ${decision.reason}` }
    default:
      return {
        isSuccess: false,
        state,
        message: `${done} The payment still does not fit the order: see what happened.`,
      }
  }
}

async function refund(
  { operator }: ActionParts,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const request = {
    transactionHash: text(body, 'transactionHash'),
    merchant: optionalText(body, 'merchant'),
    anyJetton: optionalText(body, 'anyJetton') === 'yes',
  }
  const proposed = await operator.refund(request, noteOf(body, by))
  const { state } = proposed
  switch (state) {
    case 'proposed':
      return {
        state,
        isSuccess: true,
        message: 'The refund is open. Sign it once, with the wallet that was paid.',
        reason: proposed.warning && `Warning: ${proposed.warning}.`,
      }
    case 'needs_confirmation':
      return {
        state,
        isSuccess: false,
        message: 'No refund was opened.',
        reason: `Warning: ${proposed.warning}.`,
      }
    case 'waiting':
      return { state, isSuccess: false, message: `No refund was opened: ${proposed.reason}.` }
    case 'rejected':
      return { state, isSuccess: false, message: `It cannot be sent back: ${proposed.reason}.` }
    case 'sent':
      return { state, isSuccess: true, message: 'The refund was sent, and is not final yet.' }
    case 'refunded':
      return { state, isSuccess: true, message: 'The refund has arrived.' }
  }
}

async function reprocess(
  { operator }: ActionParts,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const count = await operator.reprocess({ reportId: text(body, 'reportId') }, noteOf(body, by))
  if (count === 0) {
    const why = 'It does not exist, has paid its order, or is being checked.'
    throw new DeskRequestError(422, 'INVALID', `The payment cannot be checked again. ${why}`)
  }
  return { isSuccess: true, message: 'The payment will be checked again within seconds.' }
}

async function retry(
  { operator }: ActionParts,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const filter = { reportId: text(body, 'reportId'), handler: optionalText(body, 'handler') }
  const count = await operator.retry(filter, noteOf(body, by))
  if (count === 0) {
    throw new DeskRequestError(422, 'INVALID', 'The payment has no such task that has failed.')
  }
  const tasks = count === 1 ? '1 task runs' : `${count} tasks run`
  return { isSuccess: true, message: `${tasks} again within seconds.` }
}

async function look({ options: { watcher } }: ActionParts): Promise<ActionResult> {
  await watcher?.checkNow()
  return { isSuccess: true, message: 'The chain was read.' }
}

/** @throws {DeskRequestError} when the reason is not a string. */
function noteOf(body: Record<string, unknown>, by: string): OperatorNote {
  return { by, reason: optionalText(body, 'reason') }
}

/** @throws {DeskRequestError} when a field is missing. */
function text(body: Record<string, unknown>, name: string): string {
  const value = optionalText(body, name)
  if (value !== undefined && value !== '') return value
  throw new DeskRequestError(400, 'INVALID', `${name} must be a string that is not empty.`)
}

/** @throws {DeskRequestError} when a field is not a string. */
function optionalText(body: Record<string, unknown>, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || typeof value === 'string') return value
  throw new DeskRequestError(400, 'INVALID', `${name} must be a string.`)
}
