import { causeToPlainJson, toPlainJson, type TonplugErrorJson } from './error-json.js'

/** What every error of tonplug is built from. */
export interface TonplugErrorFacts<Details extends object> {
  /** What happened, with which input, and what to do next. */
  message: string
  /** The facts behind the message, as data. */
  details: Details
  /** What was caught, if anything. */
  cause?: unknown
}

/**
 * The root of all errors that tonplug throws. Tell them apart by `code`, which never changes its meaning, or
 * with {@link isTonplugError}; `instanceof` fails where two copies of a package are loaded.
 */
export abstract class TonplugError<Details extends object = object> extends Error {
  /** Stable, starts with `ERR_TONPLUG_`. */
  abstract readonly code: string
  /** Whether the same call can succeed later without a change. */
  readonly retryable: boolean = false
  readonly details: Details

  constructor(facts: TonplugErrorFacts<Details>) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.details = facts.details
  }

  /** The error as plain JSON values, which `JSON.stringify` takes: bigints are texts of their digits. Never throws. */
  toJSON(): TonplugErrorJson {
    const { name, code, message, retryable } = this
    const details = toPlainJson(this.details)
    return { name, code, message, retryable, details, cause: causeToPlainJson(this.cause) }
  }
}

/** The same error as an object of its own, for one of several who get it: callers may add to what they catch. */
export function copyError(error: TonplugError): TonplugError {
  const { message, cause, stack, details } = error
  const copy = new Error(message, cause === undefined ? undefined : { cause })
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error))
  return Object.assign(copy, error, { stack, details: { ...details } })
}

/** Whether `value` is an error of tonplug, whichever copy of the package made it. */
export function isTonplugError(value: unknown): value is TonplugError {
  return (
    value instanceof Error &&
    'code' in value &&
    typeof value.code === 'string' &&
    value.code.startsWith('ERR_TONPLUG_')
  )
}
