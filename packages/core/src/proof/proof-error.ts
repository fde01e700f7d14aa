import { TonplugError } from '../shared/tonplug-error.js'

/** Reason of a {@link ProofError}. */
export type ProofProblem =
  /** Bytes that are not a bag of cells in its only allowed form, or an answer over a limit. */
  | 'malformed'
  /** A value that is not what the network's schema says. */
  | 'unexpected_data'
  /** A hash, depth, logical time or identifier differs from the proven one. */
  | 'mismatch'
  /** The proof withholds a part that is needed: this is not a proof that the part does not exist. */
  | 'not_covered'
  /** The newest block is too old, or in the future: the server is behind, or the clock is wrong. */
  | 'stale'
  /** Two signed blocks have one number: more than a third of the validators' weight has lied. */
  | 'forked'

/** Data that prove nothing: they are invalid, incomplete, or prove something else. Ask another server. */
export class ProofError extends TonplugError<{ problem: ProofProblem }> {
  override readonly name = 'ProofError'
  readonly code = 'ERR_TONPLUG_PROOF'

  constructor(problem: ProofProblem, message: string, cause?: unknown) {
    super({ message, details: { problem }, cause })
  }
}

/** Throws a {@link ProofError} unless the condition holds. */
export function demand(
  condition: boolean,
  problem: ProofProblem,
  message: string,
): asserts condition {
  if (!condition) throw new ProofError(problem, message)
}
