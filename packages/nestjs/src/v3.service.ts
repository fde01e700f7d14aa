import { createV3Client, waitForMessage } from '@tonplug/core/toncenter'
import type {
  BocLike,
  ConfirmedMessage,
  HashLike,
  SendCheckpoint,
  V3Client,
  V3ClientOptions,
  WaitOptions,
} from '@tonplug/core/toncenter'
import { contractMethods } from './contract-methods.js'

/**
 * The client of API v3 of the default instance, for injection by its class. It has every method of core's {@link V3Client},
 * with its parameters, results and errors, and {@link V3Service.waitForMessage}. It shares the transport and the rate limit of
 * `V2Service`. `import '@tonplug/nestjs/contract'` adds `open` and `provider` for contracts of `@ton/core`.
 * @example
 * ```ts
 * constructor(private readonly v3: V3Service) {}
 * ```
 */
// The constructor assigns the methods of the interface.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class V3Service {
  /** @param options the options of core's client. */
  constructor(options: V3ClientOptions) {
    Object.assign(this, createV3Client(options), contractMethods({ v3: this }), {
      waitForMessage: (message: BocLike | HashLike | SendCheckpoint, waitOptions?: WaitOptions) =>
        waitForMessage(this, message, waitOptions),
    })
  }
}

/** The methods of {@link V3Service}. */
export interface V3Service extends V3Client {
  /**
   * `waitForMessage` of `@tonplug/core`: waits until an external message and all messages that it caused were processed.
   * @throws the errors of `waitForMessage`: after a `ConfirmationTimeoutError` continue with its `checkpoint`.
   */
  waitForMessage(
    message: BocLike | HashLike | SendCheckpoint,
    options?: WaitOptions,
  ): Promise<ConfirmedMessage>
}
