import { createHash } from 'node:crypto'

/** One statement of SQL. */
export interface Statement {
  /** What it does, for error messages. */
  operation: string
  text: string
  /** Names the prepared statement; another text has another name. */
  name: string
  /** After which it is given up. */
  timeoutMs: number
}

/** Less than the deadline of a delivery, so that its connection is free when the gateway tries again. */
const SHORT_MS = 6000
/** For what goes through many rows, and is no part of a delivery. */
export const LONG_MS = 300_000

export function statement(operation: string, text: string, timeoutMs = SHORT_MS): Statement {
  const digest = createHash('sha256').update(text).digest('hex')
  return { operation, text, name: `tonplug_${digest.slice(0, 16)}`, timeoutMs }
}

/** Milliseconds since the Unix epoch in a parameter, as a point in time. */
export function fromMs(parameter: string): string {
  return `to_timestamp(${parameter}::text::float8 / 1000)`
}

/** A point in time as milliseconds since the Unix epoch, in text. */
export function toMs(expression: string): string {
  return `(extract(epoch FROM ${expression}) * 1000)::bigint::text`
}
