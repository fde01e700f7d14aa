import { ConfigurableModuleBuilder } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'
import type { Order } from '@tonplug/core'
import { clientsOf } from './clients.providers.js'
import { paymentsOf } from './payments/payments.providers.js'
import type { TonplugOptions, TonplugStaticOptions } from './tonplug.options.js'
import {
  DEFAULT_INSTANCE,
  getPaymentsToken,
  getReceiverToken,
  getTransferToken,
  getV2Token,
  getV3Token,
  getWatcherToken,
  TONPLUG_OPTIONS,
} from './tonplug.tokens.js'
import { WebhookController } from './webhook/webhook-controller.decorator.js'
import { WebhookModule } from './webhook/webhook.module.js'

/** The base of `TonplugModule`, with `forRoot` and `forRootAsync`. */
export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<TonplugOptions<Order>>({
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
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), WebhookModule],
    controllers: path === undefined ? [] : [createController(path, name)],
    providers: [...(definition.providers ?? []), ...clientsOf(name), ...paymentsOf(name, path)],
    exports: [
      getPaymentsToken(name),
      getReceiverToken(name),
      getWatcherToken(name),
      getTransferToken(name),
      getV2Token(name),
      getV3Token(name),
    ],
  }
}

/** Creates a class for each module: two modules that share one would share its path too. */
function createController(path: string, name: string): Type {
  class TonplugWebhookController {}
  WebhookController({ path, name })(TonplugWebhookController)
  return TonplugWebhookController
}
