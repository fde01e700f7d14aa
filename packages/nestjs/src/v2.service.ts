import { createTransport, createV2Client, createV3Client, sendAndWait } from '@tonplug/core'
import type {
  BocLike,
  ConfirmedMessage,
  ResumePoint,
  SendOptions,
  V2Client,
  V2ClientOptions,
} from '@tonplug/core'
import { contractMethods } from './contract-methods.js'

/**
 * The client of API v2 of the instance without a name, for injection by its class: every method of core's
 * {@link V2Client}, with its parameters, results and errors, and {@link V2Service.sendAndWait}. With
 * `import '@tonplug/nestjs/contract'` also `open` and `provider`, for contracts of `@ton/core`.
 * @example
 * ```ts
 * constructor(private readonly v2: V2Service) {}
 * ```
 */
// The constructor assigns what the interface says.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class V2Service {
  /** @param options as core's client takes them. */
  constructor(options: V2ClientOptions) {
    const client = clientOf(options)
    Object.assign(this, client.v2, contractMethods({ v2: this }), {
      sendAndWait: (message: BocLike | ResumePoint, sendOptions?: SendOptions) =>
        sendAndWait({ v2: this, v3: client.v3 }, message, sendOptions),
    })
  }
}

/** The methods of {@link V2Service}. */
export interface V2Service extends V2Client {
  /**
   * Core's `sendAndWait`: sends a message, again while nobody has seen it, and waits with API v3 over the same transport
   * until it has landed.
   * @throws what core's function throws: after a `ConfirmationTimeoutError` go on with its `resume`.
   */
  sendAndWait(message: BocLike | ResumePoint, options?: SendOptions): Promise<ConfirmedMessage>
}

/** Both clients, over one transport. */
function clientOf(options: V2ClientOptions) {
  const { jsonRpc, transport: given, ...own } = options
  const transport = given ?? createTransport(own)
  // Core tells what stands beside a transport and would do nothing.
  const v2 = createV2Client(given === undefined ? { transport, jsonRpc } : options)
  return { v2, v3: createV3Client({ transport }) }
}
