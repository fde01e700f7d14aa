import { ConfigurationError } from '@tonplug/core'
import { createTransferClient } from '@tonplug/core/toncenter'
import type { TransferClient, TransferClientOptions } from '@tonplug/core/toncenter'

/**
 * The payment gateway client of the default instance, for injection by its class. It creates transfers and returns their
 * status, with the parameters, results and errors of core's {@link TransferClient}. Its API key and rate limit are set by the
 * module's option `gateway`.
 * @example
 * ```ts
 * constructor(private readonly transfers: TransferService) {}
 * ```
 */
// The constructor assigns the methods of the interface.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class TransferService {
  /** @param options the options of core's client; if `undefined`, every call throws. */
  constructor(options: TransferClientOptions | undefined) {
    Object.assign(this, options === undefined ? missing : createTransferClient(options))
  }
}

/** The methods of {@link TransferService}. */
export interface TransferService extends TransferClient {}

const missing: TransferClient = {
  create: throwMissing,
  byReference: throwMissing,
  byBodyHash: throwMissing,
}

/** With a `baseUrl` of the data APIs the gateway's network is unknown. */
async function throwMissing(): Promise<never> {
  throw new ConfigurationError({
    option: 'gateway',
    problem:
      "is missing from the options of TonplugModule; with baseUrl set gateway: { network: 'testnet', apiKey } or gateway: { baseUrl }",
  })
}
