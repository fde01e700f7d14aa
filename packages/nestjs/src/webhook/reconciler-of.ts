import { ConfigurationError, createReconciler } from '@tonplug/core'
import type { Reconciler, ReconcilerOptions } from '@tonplug/core'
import { checkReconcileNames } from '../option-names.js'
import type { ResolvedWebhookOptions, TonplugOptions } from '../tonplug.options.js'

/**
 * The reconciler of an instance; `undefined` without the option.
 * @throws {ConfigurationError} for options that no run could work with, or that would be passed over.
 */
export function reconcilerOf(
  { orders, jobs, clock, logger, reconcile }: ResolvedWebhookOptions,
  sources: Pick<ReconcilerOptions, 'receiver' | 'v3' | 'transfers'>,
  given: TonplugOptions,
): Reconciler | undefined {
  if (reconcile === undefined || reconcile === false) return undefined
  refuseTwoNetworks(given)
  const own = reconcile === true ? {} : reconcile
  checkReconcileNames(own)
  return createReconciler({ ...own, ...sources, orders, jobs, clock, logger })
}

/** What one network's gateway tells is not on the other's chain. */
function refuseTwoNetworks({ network = 'mainnet', baseUrl, gateway }: TonplugOptions): void {
  const asked = gateway?.network
  if (asked === undefined || baseUrl !== undefined || asked === network) return
  throw new ConfigurationError({
    option: 'reconcile',
    problem: `would look for payments on ${network} and ask the gateway of ${asked}; give both one network`,
  })
}
