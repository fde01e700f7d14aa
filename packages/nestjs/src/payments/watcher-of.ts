import { ConfigurationError, createPaymentWatcher } from '@tonplug/core'
import type { PaymentWatcher, PaymentWatcherOptions } from '@tonplug/core'
import type { TonplugOptions } from '../tonplug.options.js'

/**
 * Returns the watcher of an instance; `undefined` without the option.
 * @throws {ConfigurationError} for an invalid option, and when chain and gateway belong to two networks.
 */
export function watcherOf(
  options: TonplugOptions,
  parts: Pick<PaymentWatcherOptions, 'payments' | 'v3' | 'transfers'>,
): PaymentWatcher | undefined {
  const { watcher = false } = options
  if (watcher === false) return undefined
  rejectTwoNetworks(options)
  return createPaymentWatcher({ ...(watcher === true ? {} : watcher), ...parts })
}

/** The gateway of one network does not know payments on another network's chain. */
function rejectTwoNetworks({ network = 'mainnet', baseUrl, gateway }: TonplugOptions): void {
  const gatewayNetwork = gateway?.network
  if (gatewayNetwork === undefined || baseUrl !== undefined || gatewayNetwork === network) return
  throw new ConfigurationError({
    option: 'watcher',
    problem: `must use one network; received ${network} for the chain and ${gatewayNetwork} for the gateway`,
  })
}
