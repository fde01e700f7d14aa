import type { ConfigurableModuleAsyncOptions } from '@nestjs/common'
import type {
  HandlerEvent,
  Inbox,
  Logger,
  Order,
  TransferClientOptions,
  TransportOptions,
  WebhookReceiverOptions,
} from '@tonplug/core'

/**
 * The options of core's receiver. Handlers are methods of your providers, see {@link OnTransferPaid}; the name is the
 * instance's; the logger is Nest's own unless you give another.
 */
export type WebhookOptions<O extends Order = Order> = Omit<
  WebhookReceiverOptions<O>,
  HandlerEvent | 'autoStart' | 'name'
>

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
   * Of the client of the payment gateway, which has an API key of its own. Beside `baseUrl` it names the network or the
   * address of the gateway. @default that of `network`, without a key
   */
  gateway?: TransferClientOptions | undefined
}

/** The webhook options with what this package fills in. */
export type ResolvedWebhookOptions = WebhookOptions & { inbox: Inbox; logger: Logger }

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
