import { isObject } from '../../shared/is-object.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { CallError, describeCall, type CallFacts } from '../errors/call-error.js'
import { toInt } from '../schema/readers.js'
import { Mismatch } from '../schema/mismatch.js'
import type { StackItem } from './stack.js'

export interface GetMethodErrorDetails extends CallFacts {
  /** Never 0 or 1, which are success. */
  exitCode: number
  /** The virtual machine's stack at the end, if it is readable; not a result. `error.stack` is that of JavaScript. */
  stack: StackItem[]
  /** Gas units; 0 when the server does not report them. */
  gasUsed: number
}

/** A get-method ended with another exit code than 0 and 1. By convention, a contract's own codes begin at 100. */
export class GetMethodError extends CallError<GetMethodErrorDetails> {
  override readonly name = 'GetMethodError'
  readonly code = 'ERR_TONPLUG_GET_METHOD'

  constructor(details: GetMethodErrorDetails) {
    const { exitCode } = details
    const hint = HINTS[exitCode]
    const what = hint === undefined ? '' : ` (${hint})`
    const message = `${describeCall(details)}: the get-method ended with exit code ${exitCode}${what}`
    super({ message, details })
  }

  get exitCode(): number {
    return this.details.exitCode
  }
}

const HINTS: Readonly<Record<number, string | undefined>> = {
  2: 'an argument is missing',
  7: 'an argument has the wrong type',
  11: 'the contract has no such method',
  [-13]: 'the address has no contract',
  [-14]: 'out of gas',
}

/**
 * Returns the error of a failed get-method; `undefined` for the exit codes 0 and 1. In the response, a failure is HTTP 200
 * and `ok: true`, so only the exit code shows it. The stack may then hold anything.
 * Source: the v2 servers, runGetMethod.
 */
export function getMethodFailure(
  readStack: (stack: unknown) => StackItem[],
): (result: unknown) => ((facts: CallFacts) => GetMethodError) | undefined {
  return (result) => {
    if (!isObject(result)) return undefined
    const exitCode = toInt(result['exit_code'])
    if (exitCode === undefined || exitCode === 0 || exitCode === 1) return undefined
    const stack = undefinedOn(Mismatch, () => readStack(result['stack'])) ?? []
    const gasUsed = toInt(result['gas_used']) ?? 0
    return (facts) => new GetMethodError({ ...facts, exitCode, gasUsed, stack })
  }
}
