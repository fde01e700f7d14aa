import type { TonplugError } from './tonplug-error.js'

/** Returns true when a retry may succeed. A server error without a known cause counts as transient, too. */
export function isTransient(error: TonplugError): boolean {
  return error.retryable || error.code === 'ERR_TONPLUG_SERVER'
}
