import { Global, Module } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { WEBHOOK_ENDPOINT, WEBHOOK_INSTANCES } from '../tonplug.tokens.js'
import { TransferEvents } from '../transfer-events.js'
import { HandlerExplorer } from './handler-explorer.js'
import { RawBodyCapture } from './raw-body-capture.js'
import { WebhookEndpoint } from './webhook-endpoint.js'
import { WebhookInstances } from './webhook-instances.js'
import { WebhookRoutes } from './webhook-routes.js'

/** What the instances of an app share. Global, so that webhook controllers and guards work in every module. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: WEBHOOK_INSTANCES, useClass: WebhookInstances },
    { provide: WEBHOOK_ENDPOINT, useExisting: WebhookEndpoint },
    WebhookEndpoint,
    WebhookRoutes,
    RawBodyCapture,
    HandlerExplorer,
    TransferEvents,
  ],
  exports: [WEBHOOK_INSTANCES, WEBHOOK_ENDPOINT, WebhookRoutes, TransferEvents],
})
export class WebhookModule {}
