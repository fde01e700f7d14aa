import type { INestApplication, NestApplicationOptions } from '@nestjs/common'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { Test } from '@nestjs/testing'
import { memoryOrderRepository } from '@tonplug/core'
import { describeWebhookAdapter, createTestLogger } from '@tonplug/testing'
import type { WebhookAdapterHarness } from '@tonplug/testing'
import { describe, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken } from '../../src/tonplug.tokens.js'
import { closeApp, createAdapter } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'

/** The limit of Nest's own parser is below that of some tests. */
const useLongBodies = (app: INestApplication): unknown =>
  (app as NestExpressApplication).useBodyParser('json', { limit: '1mb' })

const harnesses: Record<string, WebhookAdapterHarness> = {
  express: { ...harness('express', {}, useLongBodies), isParsedFirst: true },
  'express, bodyParser: false': harness('express', { bodyParser: false }),
  fastify: harness('fastify'),
}

for (const [name, given] of Object.entries(harnesses)) {
  const title = `Nest ${process.env['NEST_MAJOR']} on ${name}`
  describeWebhookAdapter(title, () => given, { describe, it })
}

function harness(
  platform: Platform,
  options: NestApplicationOptions = {},
  prepare: (app: INestApplication) => unknown = () => undefined,
): WebhookAdapterHarness {
  return {
    async start(receiver, clock) {
      const module = TonplugModule.forRoot({
        path: 'webhooks/ton',
        payments: { orders: memoryOrderRepository(), logger: createTestLogger(), clock },
        webhook: { secrets: 'whsec_overridden' },
      })
      const testingModule = await Test.createTestingModule({ imports: [module] })
        .overrideProvider(getReceiverToken())
        // The suite closes its receivers with its own clock.
        .useValue({ ...receiver, close: async () => undefined })
        .compile()
      const app = testingModule.createNestApplication(createAdapter(platform), {
        forceCloseConnections: true,
        logger: false,
        ...options,
      })
      prepare(app)
      await app.listen(0, '127.0.0.1')
      return {
        url: `${await app.getUrl()}/webhooks/ton`,
        close: () => closeApp(app),
      }
    },
  }
}
