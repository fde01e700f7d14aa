// A shop's server on NestJS. Decorators are applied as the compiler does.
import { createRequire } from 'node:module'
import { OnExtraPayment, OnFailed, OnMismatch, OnPaid, TonplugModule } from '@tonplug/nestjs'
import { noteRun, obey, paymentsOptions, secrets } from './shop-server.mjs'

// The same copy of Nest that @tonplug/nestjs imports.
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
  ['ship', OnPaid()],
  ['mail', OnPaid()],
  ['failed', OnFailed()],
  ['mismatched', OnMismatch()],
  ['extra', OnExtraPayment()],
]) {
  const { prototype } = PaymentHandlers
  decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name))
}

class AppModule {}
Module({
  imports: [
    TonplugModule.forRoot({
      path: 'webhooks/ton',
      payments: paymentsOptions,
      webhook: { secrets },
    }),
  ],
  providers: [PaymentHandlers],
})(AppModule)

const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false })

obey(async () => {
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
})
