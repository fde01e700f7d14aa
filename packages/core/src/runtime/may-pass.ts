import type { TonplugError } from '../errors/tonplug-error.js'

/** Whether the same may go well a moment later. A server that failed once for no reason that it knows may well answer then. */
export function mayPass(error: TonplugError): boolean {
  return error.retryable || error.code === 'ERR_TONPLUG_SERVER'
}
