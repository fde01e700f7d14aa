import type { StackItem } from '../endpoint/stack.js'
import { ApiError } from './api.js'
import { describeCall, type CallFacts } from './http.js'

/** What a {@link GetMethodError} knows. */
export interface GetMethodErrorDetails extends CallFacts {
  /** Never 0 or 1, which are success. */
  exitCode: number
  /** What lay on the virtual machine's stack when it ended, if that can be read; no result. `error.stack` is JavaScript's. */
  stack: StackItem[]
  /** Gas units; 0 when the server does not tell. */
  gasUsed: number
}

/** A get-method ended with another exit code than 0 and 1. The contract's own codes begin at 100, by custom. */
export class GetMethodError extends ApiError<GetMethodErrorDetails> {
  override readonly name = 'GetMethodError'
  readonly code = 'ERR_TONPLUG_GET_METHOD'

  constructor(facts: GetMethodErrorDetails) {
    const hint = HINTS[facts.exitCode]
    const what = hint === undefined ? '' : ` (${hint})`
    super({
      message: `${describeCall(facts)}: the get-method ended with exit code ${facts.exitCode}${what}`,
      details: facts,
    })
  }

  /** Never 0 or 1. */
  get exitCode(): number {
    return this.details.exitCode
  }
}

const HINTS: Readonly<Record<number, string | undefined>> = {
  2: 'an argument is missing',
  7: 'an argument has the wrong type',
  11: 'the contract has no such method',
  [-13]: 'there is no contract at this address',
  [-14]: 'out of gas',
}
