import type { ConfigurableModuleAsyncOptions } from '@nestjs/common'
import { parseOptions } from '@tonplug/core'
import type { PaymentsOptions, PaymentWatcherOptions } from '@tonplug/core'
import { z } from 'zod'
import type { TonplugOptions, TonplugStaticOptions } from './tonplug.options.js'

/** An option that core or Nest validates. */
const PASSED_ON = z.unknown().optional()

const STATIC = {
  name: z.string().min(1).optional(),
  path: z.string().optional(),
  isGlobal: z.boolean().optional(),
} satisfies Record<keyof TonplugStaticOptions, z.ZodType>

const INSTANCE = {
  payments: PASSED_ON,
  webhook: PASSED_ON,
  watcher: PASSED_ON,
  network: PASSED_ON,
  baseUrl: PASSED_ON,
  apiKey: PASSED_ON,
  gateway: PASSED_ON,
  jsonRpc: PASSED_ON,
  rps: PASSED_ON,
  limiter: PASSED_ON,
  retry: PASSED_ON,
  timeoutMs: PASSED_ON,
  deadlineMs: PASSED_ON,
  maxBodyBytes: PASSED_ON,
  fetch: PASSED_ON,
  clock: PASSED_ON,
  random: PASSED_ON,
  hooks: PASSED_ON,
  instrumentation: PASSED_ON,
} satisfies Record<keyof TonplugOptions, z.ZodType>

const MODULE_OPTIONS = z.strictObject({ ...STATIC, ...INSTANCE })

const ASYNC_OPTIONS = z.strictObject({
  ...misplacedAll(INSTANCE, 'return it from the factory'),
  ...STATIC,
  useFactory: PASSED_ON,
  useClass: PASSED_ON,
  useExisting: PASSED_ON,
  inject: PASSED_ON,
  imports: PASSED_ON,
  provideInjectionTokensFrom: PASSED_ON,
} satisfies Record<keyof ConfigurableModuleAsyncOptions<TonplugOptions>, z.ZodType>)

const HANDLER = 'decorate a method of a provider with'
const IN_MODULE = misplaced('pass it to the module')
const SET_BY_MODULE = misplaced('the module sets it')

// Core rejects the options that it does not know.

const PAYMENTS = z.looseObject({
  name: IN_MODULE,
  instrumentation: IN_MODULE,
  autoStart: misplaced('the module starts its payments'),
  onPaid: misplaced(`${HANDLER} @OnTransferPaid()`),
  onFailed: misplaced(`${HANDLER} @OnTransferFailed()`),
  onMismatch: misplaced(`${HANDLER} @OnTransferMismatch()`),
  onExtraPayment: misplaced(`${HANDLER} @OnExtraPayment()`),
  onUnknownOrder: misplaced(`${HANDLER} @OnUnknownOrder()`),
  onUnverified: misplaced(`${HANDLER} @OnTransferUnverified()`),
} satisfies Partial<Record<keyof PaymentsOptions, z.ZodType>>)

const INSTANCE_OPTIONS = z.strictObject({
  ...misplacedAll(STATIC, 'pass it to forRootAsync, next to useFactory'),
  ...INSTANCE,
  payments: PAYMENTS.optional(),
  webhook: z.looseObject({ path: IN_MODULE, payments: SET_BY_MODULE }).optional(),
})

const WATCHER = z.looseObject({
  payments: SET_BY_MODULE,
  v3: SET_BY_MODULE,
  transfers: misplaced('pass gateway to the module'),
} satisfies Partial<Record<keyof PaymentWatcherOptions, z.ZodType>>)

const PROOF = z.looseObject(
  { v3: SET_BY_MODULE },
  'must be a boolean, options of the proof, or a proof',
)

/** @throws {ConfigurationError} for an unknown or invalid option of `forRoot`. */
export function checkModuleOptions(options: object): void {
  parseOptions(MODULE_OPTIONS, options)
}

/** @throws {ConfigurationError} for an unknown, invalid or misplaced option of `forRootAsync`. */
export function checkAsyncOptions(options: object): void {
  parseOptions(ASYNC_OPTIONS, options)
}

/** @throws {ConfigurationError} for an unknown or misplaced option of an instance or of one of its parts. */
export function checkInstanceOptions(options: TonplugOptions): void {
  parseOptions(INSTANCE_OPTIONS, options)
  const { watcher, payments } = options
  checkPart(WATCHER, watcher, 'watcher')
  checkPart(PROOF, payments?.verifyOnChain, 'verifyOnChain')
}

/** `true` means the default options, `false` none. */
function checkPart(schema: z.ZodType, options: unknown, path: string): void {
  if (options !== undefined && typeof options !== 'boolean') parseOptions(schema, options, { path })
}

/** An option in the wrong place. */
function misplaced(fix: string) {
  return z.custom<never>(() => false, `is not an option here: ${fix}`).optional()
}

function misplacedAll<Name extends string>(options: Record<Name, z.ZodType>, fix: string) {
  const entries = Object.keys(options).map((name) => [name, misplaced(fix)])
  // The same names as those of `options`.
  return Object.fromEntries(entries) as Record<Name, ReturnType<typeof misplaced>>
}
