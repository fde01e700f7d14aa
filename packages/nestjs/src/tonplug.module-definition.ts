import { ConfigurableModuleBuilder } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'
import { ConfigurationError, createWebhookReceiver, memoryInbox } from '@tonplug/core'
import type { WebhookReceiver } from '@tonplug/core'
import { createNestLogger } from './nest-logger.js'
import type {
  ResolvedWebhookOptions,
  TonplugOptions,
  TonplugStaticOptions,
} from './tonplug.options.js'
import {
  DEFAULT_INSTANCE,
  getReceiverToken,
  TONPLUG_OPTIONS,
  WEBHOOK_INSTANCE,
  WEBHOOK_INSTANCES,
  WEBHOOK_OPTIONS,
} from './tonplug.tokens.js'
import { WebhookController } from './webhook/webhook-controller.decorator.js'
import type { WebhookInstance, WebhookInstances } from './webhook/webhook-instances.js'
import { WebhookModule } from './webhook/webhook.module.js'

/** The base of `TonplugModule`: `forRoot` and `forRootAsync` with all that Nest makes of them. */
export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<TonplugOptions>({
  optionsInjectionToken: TONPLUG_OPTIONS,
  // Two imports with equal options are two instances, so that importing twice by mistake is noticed.
  alwaysTransient: true,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createTonplugOptions')
  .setExtras<TonplugStaticOptions>({ name: undefined, path: undefined, isGlobal: false }, define)
  .build()

function define(definition: DynamicModule, given: TonplugStaticOptions): DynamicModule {
  const { name = DEFAULT_INSTANCE, path, isGlobal = false } = given
  const token = getReceiverToken(name)
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), WebhookModule],
    controllers: path === undefined ? [] : [createController(path, name)],
    providers: [
      ...(definition.providers ?? []),
      {
        provide: WEBHOOK_OPTIONS,
        inject: [TONPLUG_OPTIONS],
        useFactory: (options: TonplugOptions) => resolveOptions(options, name),
      },
      {
        provide: token,
        inject: [WEBHOOK_OPTIONS],
        useFactory: (options: ResolvedWebhookOptions) =>
          createWebhookReceiver({ ...options, name, autoStart: false }),
      },
      {
        provide: WEBHOOK_INSTANCE,
        inject: [WEBHOOK_INSTANCES, TONPLUG_OPTIONS, WEBHOOK_OPTIONS, token],
        useFactory: (
          instances: WebhookInstances,
          { network = 'mainnet' }: TonplugOptions,
          options: ResolvedWebhookOptions,
          receiver: WebhookReceiver,
        ): WebhookInstance => instances.add({ name, network, receiver, options, handlers: [] }),
      },
    ],
    exports: [token],
  }
}

/** @throws {ConfigurationError} when a factory returned something else. */
function resolveOptions(options: TonplugOptions | undefined, name: string): ResolvedWebhookOptions {
  if (options?.webhook === undefined) {
    throw new ConfigurationError({
      option: 'webhook',
      problem: `is missing from the options of TonplugModule '${name}'; give { webhook: { secrets, orders } }`,
    })
  }
  const { inbox = memoryInbox(), logger = createNestLogger('Tonplug') } = options.webhook
  return { ...options.webhook, inbox, logger }
}

/** A class of its own for each module: two that share one would share its path too. */
function createController(path: string, name: string): Type {
  class TonplugWebhookController {}
  WebhookController({ path, name })(TonplugWebhookController)
  return TonplugWebhookController
}
