import { createHash } from 'node:crypto'

/** One SQL statement. */
export interface Statement {
  /** Named in error messages. */
  operation: string
  text: string
  /** Name of the prepared statement, a hash of its SQL. */
  name: string
  timeoutMs: number
}

/** Less than the deadline of a delivery, so that its connection is free when the gateway retries. */
const SHORT_MS = 6000
/** For statements that may read many rows. None of them is part of a delivery. */
export const LONG_MS = 300_000

/** The database's time. A function of its own, so that tests can replace it. */
export const NOW = 'tonplug.now()'

export function statement(operation: string, text: string, timeoutMs = SHORT_MS): Statement {
  const digest = createHash('sha256').update(text).digest('hex')
  return { operation, text, name: `tonplug_${digest.slice(0, 16)}`, timeoutMs }
}

/** Converts a parameter with milliseconds since the Unix epoch to a timestamp. */
export function fromMs(parameter: string): string {
  return `to_timestamp(${parameter}::text::float8 / 1000)`
}

/** Converts a timestamp to milliseconds since the Unix epoch, as text. */
export function toMs(expression: string): string {
  return `(extract(epoch FROM ${expression}) * 1000)::bigint::text`
}

/** The timestamp that follows the database's time by the milliseconds of a parameter; null for null. */
export function after(parameter: string): string {
  return `(${NOW} + ${durationOf(parameter)})`
}

/** The timestamp that precedes the database's time by the milliseconds of a parameter; null for null. */
export function before(parameter: string): string {
  return `(${NOW} - ${durationOf(parameter)})`
}

/** Converts an interval to milliseconds, rounded up, as text. */
export function durationMs(interval: string): string {
  return `ceil(extract(epoch FROM ${interval}) * 1000)::bigint::text`
}

function durationOf(parameter: string): string {
  return `${parameter}::text::float8 * interval '1 millisecond'`
}
