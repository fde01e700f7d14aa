import { canonicalAddress, ConfigurationError } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import type { TonplugOptions } from './tonplug.options.js'

const PARTS = ['payments', 'webhook', 'watcher', 'wallet', 'jsonRpc', 'instrumentation']
const SERVERS = ['network', 'baseUrl', 'apiKey', 'rps', 'limiter', 'retry', 'hooks', 'maxBodyBytes']
const NAMES = [...PARTS, ...SERVERS, 'timeoutMs', 'deadlineMs', 'fetch', 'clock', 'random']

const WATCHER = 'must be true, false or the options of a watcher'
const OBJECT = z.looseObject({}).optional()

/** Core validates the values. */
const OPTIONS = z
  .strictObject(Object.fromEntries(NAMES.map((name) => [name, z.unknown().optional()])))
  .extend({ payments: OBJECT, webhook: OBJECT, watcher: z.union([z.boolean(), OBJECT], WATCHER) })

/**
 * @throws {ConfigurationError} for an unknown option of an instance, for an invalid wallet, and when one of its parts lacks
 * another one.
 */
export function checkInstanceOptions(options: TonplugOptions): void {
  parseOptions(OPTIONS, options)
  const { payments, webhook, watcher = false, wallet } = options
  if (wallet !== undefined) checkWallet(wallet)
  if (payments !== undefined || (webhook === undefined && watcher === false)) return
  const problem = 'is missing; webhook and watcher require it; pass { payments: { orders } }'
  throw new ConfigurationError({ option: 'payments', problem })
}

function checkWallet(wallet: string): void {
  try {
    canonicalAddress(String(wallet))
  } catch (cause) {
    throw new ConfigurationError({ option: 'wallet', problem: 'must be a TON address', cause })
  }
}
