import type { Server } from 'node:http'
import { Test } from '@nestjs/testing'
import { memoryOrderRepository } from '@tonplug/core'
import { describeWebhookAdapter, createTestLogger } from '@tonplug/testing'
import type { WebhookAdapterHarness } from '@tonplug/testing'
import { describe, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken } from '../../src/tonplug.tokens.js'
import { createAdapter, platforms } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'

for (const platform of platforms) {
  describeWebhookAdapter(
    `Nest ${process.env['NEST_MAJOR']} on ${platform}`,
    () => harness(platform),
    {
      describe,
      it,
    },
  )
}

function harness(platform: Platform): WebhookAdapterHarness {
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
      })
      await app.listen(0, '127.0.0.1')
      return {
        url: `${await app.getUrl()}/webhooks/ton`,
        async close() {
          // HTTP platforms use Node's server.
          const server = app.getHttpServer() as Server
          server.closeAllConnections()
          await app.close()
        },
      }
    },
  }
}
