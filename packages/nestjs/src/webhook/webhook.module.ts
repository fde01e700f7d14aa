import { Global, Module } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { WEBHOOK_ENDPOINT, INSTANCES } from '../tonplug.tokens.js'
import { TransferEvents } from '../transfer-events.js'
import { HandlerExplorer } from '../payments/handler-explorer.js'
import { RawBodyKeeper } from './raw-body-keeper.js'
import { WebhookEndpoint } from './webhook-endpoint.js'
import { TonplugInstances } from '../instances.js'
import { WebhookRoutes } from './webhook-routes.js'

/** Providers that all instances of an app share. Global, so that webhook controllers and guards work in every module. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: INSTANCES, useClass: TonplugInstances },
    { provide: WEBHOOK_ENDPOINT, useExisting: WebhookEndpoint },
    WebhookEndpoint,
    WebhookRoutes,
    RawBodyKeeper,
    HandlerExplorer,
    TransferEvents,
  ],
  exports: [INSTANCES, WEBHOOK_ENDPOINT, WebhookRoutes, TransferEvents],
})
export class WebhookModule {}
