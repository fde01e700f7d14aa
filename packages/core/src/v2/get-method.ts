import type { CallFacts } from '../errors/http.js'
import { GetMethodError } from '../errors/get-method.js'
import type { StackItem } from './stack.js'

/** The answer of `runGetMethod` and of `runGetMethodStd`, as far as it tells whether the get-method succeeded. */
export interface GetMethodOutcome {
  exit_code: number
  gas_used: number
  stack: StackItem[]
}

/**
 * The error of a get-method that failed; `undefined` for the exit codes 0 and 1. On the wire a failure is HTTP 200 and
 * `ok: true`. Source: the v2 servers, runGetMethod.
 */
export function getMethodFailure({
  exit_code,
  gas_used,
  stack,
}: GetMethodOutcome): ((facts: CallFacts) => GetMethodError) | undefined {
  if (exit_code === 0 || exit_code === 1) return undefined
  return (facts) => new GetMethodError({ ...facts, exitCode: exit_code, gasUsed: gas_used, stack })
}
