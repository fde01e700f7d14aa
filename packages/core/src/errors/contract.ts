import { TonplugError } from './tonplug-error.js'

/** What a {@link ContractDataError} knows. */
export interface ContractDataErrorDetails {
  /** What was to be read, as in `stack` or `transaction`. */
  subject: string
  /** Where in it, as in `[0].items[2].boc`; empty for it as a whole. */
  path: string
}

/**
 * What the API answered cannot be turned into a type of `@ton/core`: cells that are none, a hash that does not fit its
 * cells, or something that those types have no place for.
 */
export class ContractDataError extends TonplugError<ContractDataErrorDetails> {
  override readonly name = 'ContractDataError'
  readonly code = 'ERR_TONPLUG_CONTRACT_DATA'

  constructor({
    problem,
    cause,
    ...details
  }: ContractDataErrorDetails & { problem: string; cause?: unknown }) {
    const { subject, path } = details
    const isIndex = path === '' || path.startsWith('[')
    super({ message: `${subject}${isIndex ? '' : '.'}${path}: ${problem}`, details, cause })
  }
}
