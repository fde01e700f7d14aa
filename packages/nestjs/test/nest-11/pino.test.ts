import { Module } from '@nestjs/common'
import { Logger, LoggerModule } from 'nestjs-pino'
import { expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, SECRET } from '../support/shop.js'

/** The stream of the first app; nestjs-pino has one logger per process. */
const records: Record<string, unknown>[] = []

it.each(platforms)(
  'log lines are fields in the records of nestjs-pino, on %s',
  async (platform) => {
    const { orders } = createShop()
    records.length = 0
    const write = (line: string): void => void records.push(JSON.parse(line) as never)
    @Module({
      imports: [
        LoggerModule.forRoot({ pinoHttp: [{ autoLogging: false }, { write }] }),
        TonplugModule.forRoot({
          path: 'webhooks/ton',
          payments: { orders },
          webhook: { secrets: SECRET },
        }),
      ],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, {
      platform,
      options: { bufferLogs: true },
      prepare: (app) => app.useLogger(app.get(Logger)),
    })
    expect(records).toContainEqual(
      expect.objectContaining({
        level: 30,
        context: 'Tonplug',
        msg: 'payments started',
        instance: 'default',
        network: 'mainnet',
        handlers: [],
      }),
    )
    await deliver(`${url}/webhooks/ton`, deliveries.wrongSignature)
    expect(records).toContainEqual(
      expect.objectContaining({
        level: 40,
        context: 'Tonplug',
        msg: expect.stringMatching(/^webhook refused: invalid signature; /),
        kind: 'invalid_signature',
        reason: 'mismatch',
        leftOut: 0,
      }),
    )
    // The order exists, and its delivery is accepted.
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(JSON.stringify(records)).not.toContain(SECRET)
  },
)
