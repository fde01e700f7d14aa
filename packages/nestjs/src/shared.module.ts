import { Global, Inject, Module } from '@nestjs/common'
import type { NestModule } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { TonplugInstances } from './instances.js'
import { HandlerExplorer } from './payments/handler-explorer.js'
import { INSTANCES, WEBHOOK_ENDPOINT } from './tonplug.tokens.js'
import { RawBodyReader } from './webhook/raw-body-reader.js'
import { WebhookEndpoint } from './webhook/webhook-endpoint.js'

/** Providers that all instances of an app share. Global, so that webhook controllers work in every module. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: INSTANCES, useClass: TonplugInstances },
    { provide: WEBHOOK_ENDPOINT, useClass: WebhookEndpoint },
    RawBodyReader,
    HandlerExplorer,
  ],
  exports: [INSTANCES, WEBHOOK_ENDPOINT],
})
export class SharedModule implements NestModule {
  constructor(@Inject(RawBodyReader) private readonly reader: RawBodyReader) {}

  /** Called before the middleware of any module is registered. */
  configure(): void {
    this.reader.install()
  }
}
