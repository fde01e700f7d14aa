import type { ConfigurableModuleAsyncOptions } from '@nestjs/common'
import { checkOptionNames, ConfigurationError } from '@tonplug/core'
import type { WebhookReceiverOptions } from '@tonplug/core'
import type {
  ReconcileOptions,
  TonplugOptions,
  TonplugStaticOptions,
  VerifyOnChainOptions,
  WebhookOptions,
} from './tonplug.options.js'

const STATIC: Record<keyof TonplugStaticOptions, true> = { name: true, path: true, isGlobal: true }

const FACTORY: Record<keyof ConfigurableModuleAsyncOptions<TonplugOptions>, true> = {
  useFactory: true,
  useClass: true,
  useExisting: true,
  inject: true,
  imports: true,
  provideInjectionTokensFrom: true,
}

const OPTIONS: Record<keyof TonplugOptions, true> = {
  webhook: true,
  network: true,
  baseUrl: true,
  apiKey: true,
  gateway: true,
  jsonRpc: true,
  rps: true,
  limiter: true,
  retry: true,
  timeoutMs: true,
  deadlineMs: true,
  maxBodyBytes: true,
  fetch: true,
  clock: true,
  random: true,
  hooks: true,
  instrumentation: true,
}

const WEBHOOK: Record<keyof WebhookOptions, true> = {
  secrets: true,
  orders: true,
  inbox: true,
  jobs: true,
  recipients: true,
  acceptAmount: true,
  rules: true,
  verifyOnChain: true,
  reconcile: true,
  unsupportedEvent: true,
  maxAgeMs: true,
  staleDelivery: true,
  signatureHeaders: true,
  signatureEncoding: true,
  maxBodyBytes: true,
  deadlineMs: true,
  handlerRetry: true,
  retentionMs: true,
  handlerTimeoutMs: true,
  drainTimeoutMs: true,
  clock: true,
  logger: true,
}

const VERIFY_ON_CHAIN: Record<keyof VerifyOnChainOptions, true> = {
  deadlineMs: true,
  feeAllowance: true,
}

const RECONCILE: Record<keyof ReconcileOptions, true> = {
  matchBy: true,
  commentOf: true,
  minAgeMs: true,
  overlapMs: true,
  everyMs: true,
  fullEveryMs: true,
  maxRunMs: true,
  drainTimeoutMs: true,
  lookupsPerRun: true,
  cursor: true,
}

const HANDLER = 'decorate a method of a provider with'

/** What core's receiver takes and the option `webhook` does not, and what to do in its place. */
const BESIDE_WEBHOOK: Record<
  Exclude<keyof WebhookReceiverOptions, keyof WebhookOptions>,
  string
> = {
  name: 'give it to the module',
  instrumentation: 'give it to the module',
  autoStart: 'the module starts the receiver',
  onPaid: `${HANDLER} @OnTransferPaid()`,
  onFailed: `${HANDLER} @OnTransferFailed()`,
  onMismatched: `${HANDLER} @OnTransferMismatched()`,
  onUnmatched: `${HANDLER} @OnTransferUnmatched()`,
  onExtraPayment: `${HANDLER} @OnExtraPayment()`,
  onUnverified: `${HANDLER} @OnTransferUnverified()`,
  onLostWebhook: `${HANDLER} @OnLostWebhook()`,
  onUnderpaid: `${HANDLER} @OnUnderpaid()`,
  onOverpaid: `${HANDLER} @OnOverpaid()`,
  onPaidTwice: `${HANDLER} @OnPaidTwice()`,
  onPaidLate: `${HANDLER} @OnPaidLate()`,
  onPaidEarly: `${HANDLER} @OnPaidEarly()`,
  onWrongAsset: `${HANDLER} @OnWrongAsset()`,
}

/** What belongs into what a factory returns. */
const BESIDE_STATIC = sameFix(OPTIONS, 'return it from the factory')

/** What has to be known before a factory runs. */
const BESIDE_FACTORY = sameFix(STATIC, 'give it to forRootAsync, beside useFactory')

/** The options of a reconciler that every instance has itself, and where they are given. */
const BESIDE_RECONCILE = {
  receiver: 'it is that of the module',
  orders: 'give them to webhook',
  v3: 'it is that of the module',
  transfers: 'give gateway to the module',
  jobs: 'give them to webhook',
  clock: 'give it to webhook',
  logger: 'give it to webhook',
}

/** @throws {ConfigurationError} for a name that `forRoot` does not know. */
export function checkModuleNames(options: object): void {
  checkOptionNames(options, Object.keys({ ...STATIC, ...OPTIONS }))
}

/** @throws {ConfigurationError} for a name that `forRootAsync` does not know. */
export function checkAsyncNames(options: object): void {
  refuseElsewhere(options, BESIDE_STATIC)
  checkOptionNames(options, Object.keys({ ...STATIC, ...FACTORY }))
}

/** @throws {ConfigurationError} for a name that an instance does not know, or its option `webhook`. */
export function checkInstanceNames(options: TonplugOptions): void {
  refuseElsewhere(options, BESIDE_FACTORY)
  checkOptionNames(options, Object.keys(OPTIONS))
  if (options.webhook === undefined) return
  refuseElsewhere(options.webhook, BESIDE_WEBHOOK, 'webhook.')
  checkOptionNames(options.webhook, Object.keys(WEBHOOK), 'webhook.')
}

/** @throws {ConfigurationError} for a name that the options of the proof do not have. */
export function checkProofNames(options: VerifyOnChainOptions): void {
  refuseElsewhere(options, { v3: 'it is that of the module' }, 'verifyOnChain.')
  checkOptionNames(options, Object.keys(VERIFY_ON_CHAIN), 'verifyOnChain.')
}

/** @throws {ConfigurationError} for a name that the options of the reconciler do not have. */
export function checkReconcileNames(options: ReconcileOptions): void {
  refuseElsewhere(options, BESIDE_RECONCILE, 'reconcile.')
  checkOptionNames(options, Object.keys(RECONCILE), 'reconcile.')
}

/** @throws {ConfigurationError} when the value of an option is no object; it is not printed, and may be a secret. */
export function checkObject(
  option: string,
  value: unknown,
  wanted = 'an object',
): asserts value is object {
  if (typeof value === 'object' && value !== null) return
  const found = value === null ? 'null' : `a ${typeof value}`
  throw new ConfigurationError({ option, problem: `is ${found}; give ${wanted}` })
}

function refuseElsewhere(
  options: object,
  elsewhere: Readonly<Record<string, string>>,
  inside = '',
): void {
  checkObject(inside === '' ? 'options' : inside.slice(0, -1), options)
  for (const [name, value] of Object.entries(options)) {
    const fix = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined
    if (value === undefined || fix === undefined) continue
    throw new ConfigurationError({
      option: inside + name,
      problem: `is no option here: ${fix}`,
    })
  }
}

function sameFix(names: object, fix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, fix]))
}
