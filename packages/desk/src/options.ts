import type { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'
import type { Payments, PaymentWatcher, proposeRefund } from '@tonplug/core'

/** An operator of the desk. */
export interface DeskOperator {
  /** For the records of what is done, for example an email address. */
  operator: string
}

/** A request of Node, or of Express. */
export interface DeskNodeRequest extends IncomingMessage {
  originalUrl?: string | undefined
  /** Set by a parser that has read the body. */
  body?: unknown
}

/** Options of {@link createDesk}. */
export interface DeskOptions {
  payments: DeskPayments
  /**
   * Decides who may use the desk, for every request: returns `false`, or the operator. Read the session of your app from the
   * headers, or from `incoming`: the request of Node or Express with what your middleware has set, for example `user`; absent
   * with `createDesk`. A request that is rejected gets 403; a function that throws, 500.
   */
  authorize: (
    request: Request,
    incoming?: DeskNodeRequest,
  ) => false | DeskOperator | Promise<false | DeskOperator>
  /** Allows operators to decide again, to run handlers again, to attach and to refund. @default false: read-only */
  actions?: boolean | undefined
  /** For its health, and to look at the chain on request. */
  watcher?: Pick<PaymentWatcher, 'lookNow' | 'health'> | undefined
  /** A client of API v3, to propose refunds. */
  v3?: Parameters<typeof proposeRefund>[0]['v3'] | undefined
  /** For links to an explorer, and for refunds. @default undefined: no links; refunds on mainnet */
  network?: 'mainnet' | 'testnet' | undefined
}

/** The methods of Payments that the desk calls. */
export type DeskPayments = Pick<
  Payments,
  | 'name'
  | 'orders'
  | 'inbox'
  | 'clock'
  | 'logger'
  | 'state'
  | 'list'
  | 'explain'
  | 'redecide'
  | 'retry'
  | 'attach'
  | 'health'
>

const NAMES = ['payments', 'authorize', 'actions', 'watcher', 'v3', 'network']

/** @throws {ConfigurationError} when an option is missing, unknown or invalid. */
export function checkDeskOptions(options: DeskOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw invalid('options', 'must be an object with payments and authorize')
  }
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) {
    throw invalid(unknown, `is not an option; expected one of ${NAMES.join(', ')}`)
  }
  if (!hasMethod(options.payments, 'explain')) {
    throw invalid('payments', 'must be the result of createPayments()')
  }
  if (typeof options.authorize !== 'function') {
    const problem = `must be a function; received ${typeof options.authorize}`
    const advice = 'Without it everybody could see your payments. Return { operator } or false'
    throw invalid('authorize', `${problem}. ${advice}`)
  }
  checkOptional(options)
}

function checkOptional({ actions, watcher, v3, network }: DeskOptions): void {
  if (actions !== undefined && typeof actions !== 'boolean') {
    throw invalid('actions', `must be a boolean; received ${typeof actions}`)
  }
  if (watcher !== undefined && !hasMethod(watcher, 'lookNow')) {
    throw invalid('watcher', 'must be the result of createPaymentWatcher()')
  }
  if (v3 !== undefined && !hasMethod(v3, 'masterchainInfo')) {
    throw invalid('v3', 'must be the result of createV3Client()')
  }
  if (network !== undefined && !['mainnet', 'testnet'].includes(network)) {
    throw invalid('network', "must be 'mainnet' or 'testnet'")
  }
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}

function invalid(option: string, problem: string): ConfigurationError {
  return new ConfigurationError({ option, problem })
}
