// A shop's server on NestJS. Decorators are applied by hand, as the compiler would.
import { createRequire } from 'node:module'
import {
  OnExtraPayment,
  OnTransferFailed,
  OnTransferMismatched,
  OnTransferPaid,
  TonplugModule,
} from '@tonplug/nestjs'
import { noteRun, obey, receiverOptions } from './shop-server.mjs'

// The Nest that @tonplug/nestjs has; Nest knows its own classes only.
const require = createRequire(import.meta.resolve('@tonplug/nestjs'))
const { Injectable, Module } = require('@nestjs/common')
const { NestFactory } = require('@nestjs/core')

class PaymentHandlers {
  ship(...event) {
    return noteRun(...event)
  }
  mail(...event) {
    return noteRun(...event)
  }
  failed(...event) {
    return noteRun(...event)
  }
  mismatched(...event) {
    return noteRun(...event)
  }
  extra(...event) {
    return noteRun(...event)
  }
}
Injectable()(PaymentHandlers)
for (const [name, decorate] of [
  ['ship', OnTransferPaid()],
  ['mail', OnTransferPaid()],
  ['failed', OnTransferFailed()],
  ['mismatched', OnTransferMismatched()],
  ['extra', OnExtraPayment()],
]) {
  const { prototype } = PaymentHandlers
  decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name))
}

class AppModule {}
Module({
  imports: [TonplugModule.forRoot({ path: 'webhooks/ton', webhook: receiverOptions })],
  providers: [PaymentHandlers],
})(AppModule)

const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false })

obey(async () => {
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
})
