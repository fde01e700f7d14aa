import { ConfigurationError, createTransferClient } from '@tonplug/core'
import type { TransferClient, TransferClientOptions } from '@tonplug/core'

/**
 * The client of the payment gateway of the instance without a name, for injection by its class: creates transfers and
 * tells how they stand, with the parameters, results and errors of core's {@link TransferClient}. It has a key and a rate
 * limit of its own, the module's option `gateway`.
 * @example
 * ```ts
 * constructor(private readonly transfers: TransferService) {}
 * ```
 */
// The constructor assigns what the interface says.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class TransferService {
  /** @param options as core's client takes them; without them every call is an error. */
  constructor(options: TransferClientOptions | undefined) {
    Object.assign(this, options === undefined ? missing : createTransferClient(options))
  }
}

/** The methods of {@link TransferService}. */
export interface TransferService extends TransferClient {}

const missing: TransferClient = { create: refuse, byReference: refuse, byBodyHash: refuse }

/** Own servers of the data APIs do not tell which network's gateway is meant. */
async function refuse(): Promise<never> {
  throw new ConfigurationError({
    option: 'gateway',
    problem:
      "is missing from the options of TonplugModule; beside baseUrl give { gateway: { network: 'testnet', apiKey } }, or a baseUrl of its own",
  })
}
