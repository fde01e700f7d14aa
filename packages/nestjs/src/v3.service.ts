import { createV3Client, waitForMessage } from '@tonplug/core'
import type {
  BocLike,
  ConfirmedMessage,
  HashLike,
  ResumePoint,
  V3Client,
  V3ClientOptions,
  WaitOptions,
} from '@tonplug/core'
import { contractMethods } from './contract-methods.js'

/**
 * The client of API v3 of the instance without a name, for injection by its class: every method of core's
 * {@link V3Client}, with its parameters, results and errors, and {@link V3Service.waitForMessage}. It shares transport and
 * rate limit with `V2Service`. With `import '@tonplug/nestjs/contract'` also `open` and `provider`, for contracts of
 * `@ton/core`.
 * @example
 * ```ts
 * constructor(private readonly v3: V3Service) {}
 * ```
 */
// The constructor assigns what the interface says.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class V3Service {
  /** @param options as core's client takes them. */
  constructor(options: V3ClientOptions) {
    Object.assign(this, createV3Client(options), contractMethods({ v3: this }), {
      waitForMessage: (message: BocLike | HashLike | ResumePoint, waitOptions?: WaitOptions) =>
        waitForMessage(this, message, waitOptions),
    })
  }
}

/** The methods of {@link V3Service}. */
export interface V3Service extends V3Client {
  /**
   * Core's `waitForMessage`: waits until a message from outside has landed, and all that it caused.
   * @throws what core's function throws: after a `ConfirmationTimeoutError` go on with its `resume`.
   */
  waitForMessage(
    message: BocLike | HashLike | ResumePoint,
    options?: WaitOptions,
  ): Promise<ConfirmedMessage>
}
