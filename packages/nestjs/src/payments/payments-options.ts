import { ConfigurationError, createPaymentProof, memoryInbox } from '@tonplug/core'
import type { PaymentProof } from '@tonplug/core'
import { nameInstance } from '../name-instance.js'
import { createNestLogger } from '../nest-logger.js'
import { checkProofOptions } from '../check-options.js'
import type {
  ResolvedPaymentsOptions,
  TonplugOptions,
  TonplugPaymentsOptions,
} from '../tonplug.options.js'
import type { V3Service } from '../v3.service.js'

/** The instance to which the options belong. */
interface InstanceFacts {
  name: string
  path: string | undefined
  v3: V3Service
}

/**
 * Returns the options of an instance's payments with this package's defaults; `undefined` for an instance that has only
 * clients.
 * @throws {ConfigurationError} when a required part is missing, or a factory returned nothing.
 */
export function resolvePaymentsOptions(
  options: TonplugOptions | undefined,
  { name, path, v3 }: InstanceFacts,
): ResolvedPaymentsOptions | undefined {
  if (options === undefined) throw missing('payments', name, 'pass { payments: { orders } }')
  const { payments, webhook, watcher, instrumentation } = options
  if (path !== undefined && webhook === undefined) {
    const fix = 'pass { payments: { orders }, webhook: { secrets } }, or remove path'
    throw missing('webhook', name, fix)
  }
  if (payments !== undefined) {
    return nameInstance(name, () => ({ ...fillIn(payments, v3), instrumentation }))
  }
  if (webhook === undefined && (watcher ?? false) === false) return undefined
  throw missing('payments', name, 'webhook and watcher require it; pass { payments: { orders } }')
}

/** Returns the error for a missing option. */
export function missing(option: string, name: string, fix: string): ConfigurationError {
  const problem = `is missing from the options of TonplugModule '${name}'; ${fix}`
  return new ConfigurationError({ option, problem })
}

function fillIn(payments: TonplugPaymentsOptions, v3: V3Service): ResolvedPaymentsOptions {
  const { clock, logger = createNestLogger('Tonplug') } = payments
  const { inbox = memoryInbox({ clock }) } = payments

  return { ...payments, inbox, logger, verifyOnChain: resolveProof(payments.verifyOnChain, v3) }
}

function resolveProof(
  given: TonplugPaymentsOptions['verifyOnChain'],
  v3: V3Service,
): PaymentProof | undefined {
  if (given === undefined || given === false) return undefined
  if (given === true) return createPaymentProof({ v3 })
  if (isProof(given)) return given
  checkProofOptions(given)
  return createPaymentProof({ ...given, v3 })
}

function isProof(value: object | null): value is PaymentProof {
  return typeof value === 'object' && value !== null && 'prove' in value
}
