import {
  createTransport,
  createV2Client,
  createV3Client,
  sendAndWait,
} from '@tonplug/core/toncenter'
import type {
  BocLike,
  ConfirmedMessage,
  SendCheckpoint,
  SendOptions,
  V2Client,
  V2ClientOptions,
} from '@tonplug/core/toncenter'
import { contractMethods } from './contract-methods.js'

/**
 * The client of API v2 of the default instance, for injection by its class. It has every method of core's {@link V2Client},
 * with its parameters, results and errors, and {@link V2Service.sendAndWait}. `import '@tonplug/nestjs/contract'` adds `open`
 * and `provider` for contracts of `@ton/core`.
 * @example
 * ```ts
 * constructor(private readonly v2: V2Service) {}
 * ```
 */
// The constructor assigns the methods of the interface.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class V2Service {
  /** @param options the options of core's client. */
  constructor(options: V2ClientOptions) {
    const { v2, v3 } = clientsOf(options)
    Object.assign(this, v2, contractMethods({ v2: this }), {
      sendAndWait: (message: BocLike | SendCheckpoint, sendOptions?: SendOptions) =>
        sendAndWait({ v2: this, v3 }, message, sendOptions),
    })
  }
}

/** The methods of {@link V2Service}. */
export interface V2Service extends V2Client {
  /**
   * `sendAndWait` of `@tonplug/core` over both APIs and one transport: sends a message, resends it while it is not found, and
   * waits until it was processed.
   * @throws the errors of `sendAndWait`: after a `ConfirmationTimeoutError` continue with its `checkpoint`.
   */
  sendAndWait(message: BocLike | SendCheckpoint, options?: SendOptions): Promise<ConfirmedMessage>
}

/** Returns both clients with one transport. */
function clientsOf(options: V2ClientOptions) {
  const { jsonRpc, transport: sharedTransport, ...transportOptions } = options
  const transport = sharedTransport ?? createTransport(transportOptions)
  // Core rejects transport options next to a transport.
  const v2 = createV2Client(sharedTransport === undefined ? { transport, jsonRpc } : options)
  return { v2, v3: createV3Client({ transport }) }
}
