import { ConfigurationError, proposeRefund } from '@tonplug/core'
import type { ActionResult, DeskAction } from '../api.js'
import type { DeskOptions } from '../options.js'
import { DeskRequestError } from '../responses.js'

/** The body of a POST, and who has sent it. */
export interface ActionRequest {
  body: Record<string, unknown>
  /** The operator. */
  by: string
}

type Action = (options: DeskOptions, request: ActionRequest) => Promise<ActionResult>

const ACTIONS: Record<DeskAction, Action> = { redecide, retry, attach, refund, look }
const NAMES: DeskAction[] = ['redecide', 'retry', 'attach', 'refund', 'look']

/** Returns the actions that these options allow. */
export function allowedActions({ actions = false, watcher, v3 }: DeskOptions): DeskAction[] {
  if (!actions) return []
  return NAMES.filter(
    (name) => (name !== 'refund' || v3 !== undefined) && (name !== 'look' || watcher !== undefined),
  )
}

/** Returns true for the name of an action. */
export function isAction(name: string): name is DeskAction {
  return Object.hasOwn(ACTIONS, name)
}

/**
 * Does what an operator asks for, and logs it.
 * @throws {DeskRequestError} for an invalid body, and when Payments rejects it.
 */
export async function act(
  action: DeskAction,
  options: DeskOptions,
  request: ActionRequest,
): Promise<ActionResult> {
  const { logger } = options.payments
  const { by, body } = request
  const facts = { action, by, ...loggedFields(body) }
  logger.info('desk action requested', facts)
  try {
    return await ACTIONS[action](options, request)
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
  'note',
]

function loggedFields(body: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    LOGGED.flatMap((name) => {
      const value = body[name]
      return typeof value === 'string' ? [[name, value.slice(0, 200)]] : []
    }),
  )
}

async function redecide(
  { payments }: DeskOptions,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const reportId = text(body, 'reportId')
  const count = await payments.redecide(reportId, { by, note: optionalText(body, 'note') })
  if (count === 0) {
    const why = 'It does not exist, has paid its order, or is being decided.'
    throw new DeskRequestError(422, 'INVALID', `The report cannot be decided again. ${why}`)
  }
  return { message: 'The report will be decided again within seconds.' }
}

async function retry(
  { payments }: DeskOptions,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const query = { reportId: text(body, 'reportId'), handler: optionalText(body, 'handler') }
  const count = await payments.retry(query, { by, note: optionalText(body, 'note') })
  if (count === 0) {
    throw new DeskRequestError(422, 'INVALID', 'The report has no such handler that is dead.')
  }
  const handlers = count === 1 ? '1 handler runs' : `${count} handlers run`
  return { message: `${handlers} again within seconds.` }
}

async function attach(
  { payments }: DeskOptions,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  const key = { reference: text(body, 'reference'), merchant: optionalText(body, 'merchant') }
  const note = { by, note: optionalText(body, 'note') }
  const decision = await payments.attach(text(body, 'transactionHash'), key, note)
  if (decision === undefined) {
    return { message: 'The attachment is stored, and will be decided within seconds.' }
  }
  return { message: `The decision is ${decision.kind}.`, state: decision.kind }
}

async function refund(
  { payments, v3, network }: DeskOptions,
  { body, by }: ActionRequest,
): Promise<ActionResult> {
  if (v3 === undefined) throw new DeskRequestError(403, 'FORBIDDEN', 'The desk has no API v3.')
  const proposed = await proposeRefund({
    payments,
    v3,
    network,
    transactionHash: text(body, 'transactionHash'),
    merchant: optionalText(body, 'merchant'),
    anyJetton: optionalText(body, 'anyJetton') === 'yes',
    by,
    note: optionalText(body, 'note'),
  })
  const { state } = proposed
  switch (state) {
    case 'proposed':
      return {
        state,
        message: 'Sign this request once, with the wallet that was paid.',
        request: proposed.request,
        reason: proposed.warning && `Warning: ${proposed.warning}.`,
      }
    case 'needs_confirmation':
      return { state, message: 'Nothing was proposed.', reason: `Warning: ${proposed.warning}.` }
    case 'waiting':
    case 'rejected':
      return { state, message: `The refund is ${state}.`, reason: proposed.reason }
    case 'sent':
    case 'refunded':
      return { state, message: `The refund is ${state}, by ${proposed.txHash}.` }
  }
}

async function look({ watcher }: DeskOptions): Promise<ActionResult> {
  await watcher?.lookNow()
  return { message: 'The chain was read.' }
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
