import type { CallFacts } from '../errors/http.js'
import { GetMethodError } from '../errors/get-method.js'
import { toInt } from '../schema/readers.js'
import { entriesOf } from './stack-convert.js'
import type { Conversion, StackItem } from './stack.js'

/**
 * The error of a get-method that failed; `undefined` for the exit codes 0 and 1. On the wire a failure is HTTP 200 and
 * `ok: true`. It is told by the exit code alone: beside it the stack may hold anything.
 * Source: the v2 servers, runGetMethod.
 */
export function getMethodFailure(
  decodeStack: (stack: unknown) => Conversion<StackItem>,
): (result: unknown) => ((facts: CallFacts) => GetMethodError) | undefined {
  return (result) => {
    if (typeof result !== 'object' || result === null) return undefined
    // Whatever an object of JSON holds is unknown.
    const raw = result as Readonly<Record<string, unknown>>
    const exitCode = toInt(raw['exit_code'])
    if (exitCode === undefined || exitCode === 0 || exitCode === 1) return undefined
    const stack = entriesOf(decodeStack(raw['stack'])) ?? []
    const gasUsed = toInt(raw['gas_used']) ?? 0
    return (facts) => new GetMethodError({ ...facts, exitCode, gasUsed, stack })
  }
}
