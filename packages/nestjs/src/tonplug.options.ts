import type { ConfigurableModuleAsyncOptions } from '@nestjs/common'
import type {
  HandlerEvent,
  Inbox,
  Instrumentation,
  Logger,
  Order,
  PaymentProof,
  PaymentProofOptions,
  ReconcilerOptions,
  TransferClientOptions,
  TransportOptions,
  WebhookReceiverOptions,
} from '@tonplug/core'

/** The options of a proof by the instance's own client of API v3. */
export type VerifyOnChainOptions = Omit<PaymentProofOptions, 'v3'>

/** The options of the instance's reconciler. */
export type ReconcileOptions<O extends Order = Order> = Omit<
  ReconcilerOptions<O>,
  'receiver' | 'orders' | 'v3' | 'transfers' | 'jobs' | 'clock' | 'logger'
>

/**
 * The options of core's receiver. Handlers are methods of your providers, see {@link OnTransferPaid}; the name and the
 * instrumentation are the instance's; the logger is Nest's own unless you give another.
 */
export interface WebhookOptions<O extends Order = Order> extends Omit<
  WebhookReceiverOptions<O>,
  HandlerEvent | 'autoStart' | 'instrumentation' | 'name' | 'verifyOnChain'
> {
  /**
   * Proves each payment on the chain before its order is completed and its handlers run: `true`, or the options of the
   * proof, by the instance's own client of API v3; or a proof of `createPaymentProof`. Needs `recipients`.
   * @default false: what a signed webhook says is taken for true
   */
  verifyOnChain?: boolean | VerifyOnChainOptions | PaymentProof | undefined
  /**
   * Looks each minute for payments whose webhook never came, on one server at a time: `true`, or the options of core's
   * `createReconciler` that the instance does not have itself. It asks the instance's own client of API v3, and the
   * gateway where the module's option `gateway` is given. @default false
   */
  reconcile?: boolean | ReconcileOptions<O> | undefined
}

/**
 * What an instance works with; what a factory of `forRootAsync` returns. Beside `webhook` stand the options of the
 * transport that the instance's clients share.
 */
export interface TonplugOptions<O extends Order = Order> extends TransportOptions {
  /** Without it the instance has its clients alone: no receiver, no route, no handlers. */
  webhook?: WebhookOptions<O> | undefined
  /** Whether the client of API v2 sends all calls through `/jsonRPC`. @default false */
  jsonRpc?: boolean | undefined
  /**
   * Metrics and spans of the receiver and of the clients, as of `openTelemetryInstrumentation` in
   * `@tonplug/core/opentelemetry`.
   */
  instrumentation?: Instrumentation | undefined
  /**
   * Of the client of the payment gateway, which has an API key of its own. Beside `baseUrl` it names the network or the
   * address of the gateway. @default that of `network`, without a key
   */
  gateway?: TransferClientOptions | undefined
}

/** The webhook options with what this package fills in. */
export type ResolvedWebhookOptions = Omit<WebhookOptions, 'verifyOnChain'> & {
  inbox: Inbox
  logger: Logger
  instrumentation: Instrumentation | undefined
  verifyOnChain: PaymentProof | undefined
}

/** What has to be known before any provider exists, and so stands outside of factories. */
export interface TonplugStaticOptions {
  /** Tells instances apart: several merchants, networks, secrets. Keep it across deploys. @default 'default' */
  name?: string | undefined
  /** Adds a ready controller for webhooks at this path. Without it, write one with {@link WebhookController}. */
  path?: string | undefined
  /** Whether every module may inject the instance's receiver and clients without importing it. @default false */
  isGlobal?: boolean | undefined
}

/** The options of `TonplugModule.forRoot`. */
export interface TonplugModuleOptions<O extends Order = Order>
  extends TonplugOptions<O>, TonplugStaticOptions {}

/** A class that makes the options, for `useClass` and `useExisting`. */
export interface TonplugOptionsFactory<O extends Order = Order> {
  createTonplugOptions(): TonplugOptions<O> | Promise<TonplugOptions<O>>
}

/** The options of `TonplugModule.forRootAsync`: one of `useFactory`, `useClass` and `useExisting`. */
export type TonplugModuleAsyncOptions<O extends Order = Order> = TonplugStaticOptions &
  ConfigurableModuleAsyncOptions<TonplugOptions<O>, 'createTonplugOptions'>
