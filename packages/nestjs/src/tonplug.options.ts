import type { ConfigurableModuleAsyncOptions } from '@nestjs/common'
import type {
  HandlerEvent,
  Order,
  PaymentVerifier,
  PaymentsInstrumentation,
  PaymentsOptions,
  PaymentWatcherOptions,
  WebhookReceiverOptions,
} from '@tonplug/core'
import type { TransportInstrumentation, TransportOptions } from '@tonplug/core/toncenter'

/**
 * Options of core's `createPayments`. Handlers are methods of providers, see {@link OnPaid}; `name` and
 * `instrumentation` are options of the module; the default logger is Nest's.
 */
export interface TonplugPaymentsOptions<O extends Order = Order> extends Omit<
  PaymentsOptions<O>,
  HandlerEvent | 'autoStart' | 'instrumentation' | 'name' | 'verifyOnChain'
> {
  /**
   * Proves each payment on the chain before its order is completed and its handlers run: `true` uses the instance's client
   * of API v3; or a proof of `createPaymentVerifier`. Requires `wallets`.
   * @default false: authenticated reports are trusted
   */
  verifyOnChain?: boolean | PaymentVerifier | undefined
}

/** Options of core's `createWebhookReceiver`. The URL of the route is the module's option `path`. */
export type TonplugWebhookOptions = Omit<WebhookReceiverOptions, 'payments'>

/** Options of core's `createPaymentWatcher`. It uses the instance's client of API v3. */
export type TonplugWatcherOptions<O extends Order = Order> = Omit<
  PaymentWatcherOptions<O>,
  'payments' | 'v3'
>

/** Options of an instance, returned by a factory of `forRootAsync`. Includes the options of the clients' transport. */
export interface TonplugOptions<O extends Order = Order> extends TransportOptions {
  /** Without it, the instance has only its clients: no webhook, watcher or handlers. */
  payments?: TonplugPaymentsOptions<O> | undefined
  /** Receives the gateway's webhooks. Requires `payments`. @default undefined (no webhook) */
  webhook?: TonplugWebhookOptions | undefined
  /** Finds payments on the chain; `true` for the default options. Requires `payments`. @default false */
  watcher?: boolean | TonplugWatcherOptions<O> | undefined
  /** The wallet that invoices of `InvoiceService` are paid to, in any format. @default the first of `payments.wallets` */
  wallet?: string | undefined
  /** Sends all calls of API v2 through `/jsonRPC`. @default false */
  jsonRpc?: boolean | undefined
  /**
   * Metrics and spans of payments and clients, for example `openTelemetryInstrumentation` of
   * `@tonplug/core/opentelemetry`.
   */
  instrumentation?: (PaymentsInstrumentation & TransportInstrumentation) | undefined
}

/** Options that must be known before Nest creates providers, and therefore cannot come from a factory. */
export interface TonplugStaticOptions {
  /** Distinguishes instances; also the `name` of its Payments. Keep it across deploys. @default 'default' */
  name?: string | undefined
  /** Adds a controller for webhooks at this path. Without it, write one with {@link WebhookController}. */
  path?: string | undefined
  /**
   * Decorators of the routes that `path` creates, for example `[Public(), SkipThrottle()]`, so that global guards let them pass.
   * @default []
   */
  decorators?: readonly MethodDecorator[] | undefined
  /** Makes the instance's payments and clients injectable in every module. @default false */
  isGlobal?: boolean | undefined
}

/** Options of `TonplugModule.forRoot`. */
export interface TonplugModuleOptions<O extends Order = Order>
  extends TonplugOptions<O>, TonplugStaticOptions {}

/** A class that creates the options, for `useClass` and `useExisting`. */
export interface TonplugOptionsFactory<O extends Order = Order> {
  createTonplugOptions(): TonplugOptions<O> | Promise<TonplugOptions<O>>
}

/** Options of `TonplugModule.forRootAsync`: one of `useFactory`, `useClass` and `useExisting`. */
export type TonplugModuleAsyncOptions<O extends Order = Order> = TonplugStaticOptions &
  ConfigurableModuleAsyncOptions<TonplugOptions<O>, 'createTonplugOptions'>
