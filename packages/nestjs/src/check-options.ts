import type { ConfigurableModuleAsyncOptions } from '@nestjs/common'
import { parseOptions } from '@tonplug/core'
import type { PaymentsOptions, PaymentWatcherOptions } from '@tonplug/core'
import { z } from 'zod'
import type {
  TonplugOptions,
  TonplugPaymentsOptions,
  TonplugStaticOptions,
  TonplugWatcherOptions,
  TonplugWebhookOptions,
  VerifyOnChainOptions,
} from './tonplug.options.js'

/** An option that core or Nest validates. */
const PASSED_ON = z.unknown().optional()

/** An option in the wrong place. */
function misplaced(fix: string) {
  return z.custom<never>(() => false, `is not an option here: ${fix}`).optional()
}

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

const PAYMENTS = {
  orders: PASSED_ON,
  inbox: PASSED_ON,
  wallets: PASSED_ON,
  acceptAmount: PASSED_ON,
  rules: PASSED_ON,
  verifyOnChain: PASSED_ON,
  queue: PASSED_ON,
  handlerConcurrency: PASSED_ON,
  handlerRetry: PASSED_ON,
  handlerTimeoutMs: PASSED_ON,
  retentionMs: PASSED_ON,
  drainTimeoutMs: PASSED_ON,
  clock: PASSED_ON,
  logger: PASSED_ON,
} satisfies Record<keyof TonplugPaymentsOptions, z.ZodType>

const WEBHOOK = {
  secrets: PASSED_ON,
  unsupportedEvent: PASSED_ON,
  maxAgeMs: PASSED_ON,
  staleDelivery: PASSED_ON,
  signatureHeaders: PASSED_ON,
  signatureEncoding: PASSED_ON,
  maxBodyBytes: PASSED_ON,
  deadlineMs: PASSED_ON,
  drainTimeoutMs: PASSED_ON,
} satisfies Record<keyof TonplugWebhookOptions, z.ZodType>

const WATCHER = {
  matchBy: PASSED_ON,
  commentOf: PASSED_ON,
  overlapMs: PASSED_ON,
  minEveryMs: PASSED_ON,
  maxEveryMs: PASSED_ON,
  fullEveryMs: PASSED_ON,
  maxRunMs: PASSED_ON,
  drainTimeoutMs: PASSED_ON,
  lookupsPerRun: PASSED_ON,
  cursor: PASSED_ON,
  maxOrderAgeMs: PASSED_ON,
  maxOpenOrders: PASSED_ON,
} satisfies Record<keyof TonplugWatcherOptions, z.ZodType>

const ALL_OPTIONS = z.strictObject({ ...STATIC, ...INSTANCE })

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

const INSTANCE_OPTIONS = z.strictObject({
  ...misplacedAll(STATIC, 'pass it to forRootAsync, next to useFactory'),
  ...INSTANCE,
  payments: z
    .strictObject({
      ...PAYMENTS,
      name: misplaced('pass it to the module'),
      instrumentation: misplaced('pass it to the module'),
      autoStart: misplaced('the module starts its payments'),
      onPaid: misplaced(`${HANDLER} @OnTransferPaid()`),
      onFailed: misplaced(`${HANDLER} @OnTransferFailed()`),
      onMismatch: misplaced(`${HANDLER} @OnTransferMismatch()`),
      onExtraPayment: misplaced(`${HANDLER} @OnExtraPayment()`),
      onUnknownOrder: misplaced(`${HANDLER} @OnUnknownOrder()`),
      onUnverified: misplaced(`${HANDLER} @OnTransferUnverified()`),
    } satisfies Record<keyof PaymentsOptions, z.ZodType>)
    .optional(),
  webhook: z
    .strictObject({
      ...misplacedAll(PAYMENTS, 'pass it to payments'),
      ...misplacedAll(STATIC, 'pass it to the module'),
      payments: misplaced('the module sets it'),
      ...WEBHOOK,
    })
    .optional(),
})

const WATCHER_OPTIONS = z.strictObject({
  ...WATCHER,
  payments: misplaced('the module sets it'),
  v3: misplaced('the module sets it'),
  transfers: misplaced('pass gateway to the module'),
  orders: misplaced('pass them to payments'),
} satisfies Record<keyof PaymentWatcherOptions, z.ZodType> & { orders: z.ZodType })

const PROOF_OPTIONS = z.strictObject(
  {
    deadlineMs: PASSED_ON,
    feeAllowance: PASSED_ON,
    v3: misplaced('the module sets it'),
  } satisfies Record<keyof VerifyOnChainOptions | 'v3', z.ZodType>,
  'must be a boolean, options of the proof, or a proof',
)

/** @throws {ConfigurationError} for an unknown or invalid option of `forRoot`. */
export function checkModuleOptions(options: object): void {
  parseOptions(ALL_OPTIONS, options)
}

/** @throws {ConfigurationError} for an unknown, invalid or misplaced option of `forRootAsync`. */
export function checkAsyncOptions(options: object): void {
  parseOptions(ASYNC_OPTIONS, options)
}

/** @throws {ConfigurationError} for an unknown or misplaced option of an instance or of one of its parts. */
export function checkInstanceOptions(options: TonplugOptions): void {
  parseOptions(INSTANCE_OPTIONS, options)
  const { watcher } = options
  if (watcher === undefined || typeof watcher === 'boolean') return
  parseOptions(WATCHER_OPTIONS, watcher, { path: 'watcher' })
}

/** @throws {ConfigurationError} for an unknown or misplaced option of the proof. */
export function checkProofOptions(options: unknown): void {
  parseOptions(PROOF_OPTIONS, options, { path: 'verifyOnChain' })
}

function misplacedAll<Name extends string>(options: Record<Name, z.ZodType>, fix: string) {
  const entries = Object.keys(options).map((name) => [name, misplaced(fix)])
  // The same names as those of `options`.
  return Object.fromEntries(entries) as Record<Name, ReturnType<typeof misplaced>>
}
