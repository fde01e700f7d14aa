import { causeToPlainJson, toPlainJson } from './error-json.js'

/** Facts of an error. */
export interface TonplugErrorFacts<Details extends object> {
  /** States what happened, with which input, and what to do next. */
  message: string
  /** The facts of the message, as data. */
  details: Details
  /** The caught error, if any. */
  cause?: unknown
}

/**
 * The base class of all errors that tonplug throws. Distinguish them by `code`, which never changes its meaning;
 * `instanceof` fails where two copies of a package are loaded, {@link isTonplugError} does not.
 */
export abstract class TonplugError<Details extends object = object> extends Error {
  /** Stable, starts with `ERR_TONPLUG_`. */
  abstract readonly code: string
  /** True when the same call may succeed later. */
  readonly retryable: boolean = false
  readonly details: Details

  constructor(facts: TonplugErrorFacts<Details>) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.details = facts.details
  }

  /** Returns the error as plain JSON values, for `JSON.stringify`. Never throws. */
  toJSON(): {
    name: string
    code: string
    message: string
    retryable: boolean
    /** A bigint becomes a string of its digits. */
    details: unknown
    /** Name, message, code and cause of the caught error, if any. */
    cause?: unknown
  } {
    const { name, code, message, retryable } = this
    const details = toPlainJson(this.details)
    return { name, code, message, retryable, details, cause: causeToPlainJson(this.cause) }
  }
}

/** Copies an error that several callers receive: each may add properties to its own. */
export function copyError(error: TonplugError): TonplugError {
  const { message, cause, stack, details } = error
  const copy = new Error(message, cause === undefined ? undefined : { cause })
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error))
  return Object.assign(copy, error, { stack, details: { ...details } })
}

/** Returns true for an error of tonplug, from any copy of the package. */
export function isTonplugError(value: unknown): value is TonplugError {
  return (
    value instanceof Error &&
    'code' in value &&
    typeof value.code === 'string' &&
    value.code.startsWith('ERR_TONPLUG_')
  )
}

/** Returns true when a retry may succeed. A server error without a known cause counts as transient, too. */
export function isTransient(error: TonplugError): boolean {
  return error.retryable || error.code === 'ERR_TONPLUG_SERVER'
}
