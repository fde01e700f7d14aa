import type { CallFacts } from './http.js'
import { ApiError } from './api.js'

/** One thing that is wrong with the parameters of a call. */
export interface ParamsIssue {
  /** The parameter, as in `libraries[2]`; empty when it is about several. */
  path: string
  /** As the end of a sentence. */
  problem: string
}

/** What an {@link InvalidParamsError} knows. */
export interface InvalidParamsErrorDetails extends CallFacts {
  issues: readonly ParamsIssue[]
}

/** The parameters of a call cannot be right, so nothing was sent. */
export class InvalidParamsError extends ApiError<InvalidParamsErrorDetails> {
  override readonly name = 'InvalidParamsError'
  readonly code = 'ERR_TONPLUG_INVALID_PARAMS'

  constructor(facts: { endpoint: string; issues: readonly ParamsIssue[] }) {
    const list = facts.issues.map(({ path, problem }) =>
      path === '' ? problem : `${path} ${problem}`,
    )
    super({
      message: `${facts.endpoint}: ${list.join('; ')}`,
      details: { endpoint: facts.endpoint, attempts: 0, issues: facts.issues },
    })
  }
}
