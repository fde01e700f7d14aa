import { TonplugError } from '../../shared/tonplug-error.js'

/** The order repository or the inbox failed, or broke its contract. The delivery is answered 503 and tried again. */
export class RepositoryError extends TonplugError<{ operation: string }> {
  override readonly name = 'RepositoryError'
  readonly code = 'ERR_TONPLUG_REPOSITORY'
  override readonly retryable = true

  constructor(facts: { operation: string; problem: string; cause?: unknown }) {
    super({
      message: `${facts.operation}: ${facts.problem}`,
      details: { operation: facts.operation },
      cause: facts.cause,
    })
  }
}

/** One thing that is wrong with a payload; `path` is where, as in `data.rawAmount`. */
export interface PayloadIssue {
  path: string
  problem: string
}

/** An authentic body is not JSON, or not the shape of a webhook payload. */
export class PayloadError extends TonplugError<{ issues: readonly PayloadIssue[] }> {
  override readonly name = 'PayloadError'
  readonly code = 'ERR_TONPLUG_PAYLOAD'

  constructor(facts: { issues: readonly PayloadIssue[]; cause?: unknown }) {
    const list = facts.issues.map(({ path, problem }) =>
      path === '' ? problem : `${path}: ${problem}`,
    )
    super({
      message: `The webhook payload cannot be read: ${list.join('; ')}`,
      details: { issues: facts.issues },
      cause: facts.cause,
    })
  }
}

/** A rule given in the options threw. The delivery stays in the inbox and is decided again later. */
export class RuleError extends TonplugError<{ rule: string; reference: string }> {
  override readonly name = 'RuleError'
  readonly code = 'ERR_TONPLUG_RULE'

  constructor(facts: { rule: string; reference: string; cause: unknown }) {
    super({
      message: `The rule ${facts.rule} gave no verdict on the delivery for order ${JSON.stringify(facts.reference)}; see cause. Rules are pure and synchronous, and must not throw`,
      details: { rule: facts.rule, reference: facts.reference },
      cause: facts.cause,
    })
  }
}
