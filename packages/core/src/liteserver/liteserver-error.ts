import { TonplugError } from '../shared/tonplug-error.js'

/** A liteserver returned an error, or cannot be reached. */
export class LiteserverError extends TonplugError<{ code?: number | undefined }> {
  override readonly name = 'LiteserverError'
  readonly code = 'ERR_TONPLUG_LITESERVER'
  override readonly retryable = true

  /** @param code the code of the server's error */
  constructor(message: string, { code, cause }: { code?: number; cause?: unknown } = {}) {
    super({ message, details: { code }, cause })
  }
}
