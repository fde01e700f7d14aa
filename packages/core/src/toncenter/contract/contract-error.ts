import { TonplugError } from '../../shared/tonplug-error.js'

export interface ContractDataErrorDetails {
  /** The object that was read, for example `stack` or `transaction`. */
  subject: string
  /** The path in it, for example `[0].items[2].boc`; empty for the whole object. */
  path: string
}

/**
 * Response data that cannot be converted to a type of `@ton/core`: invalid cells, cells with a different hash, or values
 * that those types cannot represent.
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
