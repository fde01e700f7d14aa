import type { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'
import type { Payments, PaymentWatcher } from '@tonplug/core'
import type { OperatorReader } from '@tonplug/core/operator'
import type { DeskAction, DeskTonConnect } from './api.js'

/** An operator of the desk. */
export interface DeskOperator {
  /** For the records of what is done, for example an email address. */
  operator: string
  /** The actions that the operator may do. @default all that the desk allows */
  may?: readonly DeskAction[] | undefined
}

/** The name of a jetton, for amounts in coins. */
export interface DeskJetton {
  /** The jetton master, in any format. */
  asset: string
  /** For example `USDT`. */
  ticker: string
  decimals: number
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
  /** Allows operators to act, each as far as `may` of `authorize` says. @default false: read-only */
  actions?: boolean | undefined
  /** For its health, and to look at the chain on request. */
  watcher?: Pick<PaymentWatcher, 'checkNow' | 'health'> | undefined
  /** A client of API v3, to propose refunds. */
  v3?: OperatorReader | undefined
  /** For links to an explorer, and for refunds. @default undefined: no links; refunds on mainnet */
  network?: 'mainnet' | 'testnet' | undefined
  /** Jettons that the shop accepts. TON, and USDT on mainnet, are known. Amounts of other jettons have no name or no number. */
  jettons?: readonly DeskJetton[] | undefined
  /**
   * Signs refunds of jettons in the page. The browser of the operator then connects to these bridges, and wallets load the
   * manifest. @default undefined: the page loads nothing else, and the request can be copied
   */
  tonConnect?: DeskTonConnect | undefined
}

/** The part of Payments that the desk uses. */
export type DeskPayments = Pick<Payments, 'name' | 'state' | 'health' | 'internals'>

const NAMES = [
  'payments',
  'authorize',
  'actions',
  'watcher',
  'v3',
  'network',
  'jettons',
  'tonConnect',
]
const MAX_DECIMALS = 255

/** @throws {ConfigurationError} when an option is missing, unknown or invalid. */
export function checkDeskOptions(options: DeskOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw invalid('options', 'must be an object with payments and authorize')
  }
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) {
    throw invalid(unknown, `is not an option; expected one of ${NAMES.join(', ')}`)
  }
  if (!hasMethod(options.payments, 'health')) {
    throw invalid('payments', 'must be the result of createPayments()')
  }
  if (typeof options.authorize !== 'function') {
    const problem = `must be a function; received ${typeof options.authorize}`
    const advice = 'Without it everybody could see your payments. Return { operator } or false'
    throw invalid('authorize', `${problem}. ${advice}`)
  }
  checkOptional(options)
}

function checkOptional(options: DeskOptions): void {
  const { actions, watcher, v3, network, jettons, tonConnect } = options
  if (actions !== undefined && typeof actions !== 'boolean') {
    throw invalid('actions', `must be a boolean; received ${typeof actions}`)
  }
  if (watcher !== undefined && !hasMethod(watcher, 'checkNow')) {
    throw invalid('watcher', 'must be the result of createPaymentWatcher()')
  }
  if (v3 !== undefined && !hasMethod(v3, 'masterchainInfo')) {
    throw invalid('v3', 'must be the result of createV3Client()')
  }
  if (network !== undefined && !['mainnet', 'testnet'].includes(network)) {
    throw invalid('network', "must be 'mainnet' or 'testnet'")
  }
  if (jettons !== undefined && !(Array.isArray(jettons) && jettons.every(isJetton))) {
    throw invalid('jettons', 'must be a list of { asset, ticker, decimals }')
  }
  if (tonConnect !== undefined && !isTonConnect(tonConnect)) {
    const expected = '{ manifestUrl, bridges } with URLs of https, and at least one bridge'
    throw invalid('tonConnect', `must be ${expected}`)
  }
}

function isTonConnect(value: unknown): value is DeskTonConnect {
  if (typeof value !== 'object' || value === null) return false
  const { manifestUrl, bridges } = value as Partial<Record<keyof DeskTonConnect, unknown>>
  if (!isSecureUrl(manifestUrl)) return false
  return Array.isArray(bridges) && bridges.length > 0 && bridges.every(isSecureUrl)
}

/** Servers on the same machine are for tests. */
function isSecureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}

function isJetton(value: unknown): value is DeskJetton {
  if (typeof value !== 'object' || value === null) return false
  const { asset, ticker, decimals } = value as Partial<Record<keyof DeskJetton, unknown>>
  const isNumber =
    Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= MAX_DECIMALS
  return typeof asset === 'string' && typeof ticker === 'string' && ticker !== '' && isNumber
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}

function invalid(option: string, problem: string): ConfigurationError {
  return new ConfigurationError({ option, problem })
}
