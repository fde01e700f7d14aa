import { Global, Module } from '@nestjs/common'
import { TonplugInstances } from './instances.js'
import { nestCoreProvider } from './nest-core.js'
import { HandlerExplorer } from './payments/handler-explorer.js'
import { INSTANCES, WEBHOOK_ENDPOINT } from './tonplug.tokens.js'
import { RawBodies } from './webhook/raw-bodies.js'
import { WebhookEndpoint } from './webhook/webhook-endpoint.js'

/** Providers that all instances of an app share. Global, so that webhook controllers work in every module. */
@Global()
@Module({
  providers: [
    nestCoreProvider,
    { provide: INSTANCES, useClass: TonplugInstances },
    { provide: WEBHOOK_ENDPOINT, useClass: WebhookEndpoint },
    RawBodies,
    HandlerExplorer,
  ],
  exports: [INSTANCES, WEBHOOK_ENDPOINT],
})
export class SharedModule {}
