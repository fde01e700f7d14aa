import { Controller, Module, Post } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import { createFakeClock, signPayload, transferCompleted } from '@tonplug/testing'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugPaymentsOptions } from '../../src/tonplug.options.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, SECRET, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

/** Also matches the path of the webhook. */
@Controller('webhooks')
class ProvidersController {
  @Post(':provider')
  received(): string {
    return 'thank you'
  }
}

@Module({ controllers: [ProvidersController] })
class ProvidersModule {}

function createModule(
  shop: Shop,
  payments: Partial<TonplugPaymentsOptions> = {},
  imports: Type[] = [],
): Type {
  const options = { path: 'webhooks/ton', ...optionsOf(shop, payments) }
  @Module({ imports: [...imports, TonplugModule.forRoot(options)] })
  class AppModule {}
  return AppModule
}

function errorsOf({ logger }: Shop): string[] {
  return logger.lines.filter(({ level }) => level === 'error').map(({ message }) => message)
}

describe('S59 a delivery to which another route responds, express', () => {
  it('is logged as an error with the fix, at most once a minute', async () => {
    const shop = createShop()
    const clock = createFakeClock()
    const module = createModule(shop, { clock }, [ProvidersModule])
    const { url } = await startApp(module, { platform: 'express' })
    const send = () => deliver(`${url}/webhooks/ton?key=hidden`, deliveries.valid)
    expect(await send()).toEqual({ status: 201, body: 'thank you' })
    await expect
      .poll(() => errorsOf(shop))
      .toEqual([
        expect.stringMatching(
          /^delivery not recorded: another route, .* responded first; register the webhook before it/,
        ),
      ])
    expect(await shop.orderStatus()).toBe('pending')
    await send()
    await clock.advance(60_000)
    await send()
    await expect.poll(() => errorsOf(shop)).toHaveLength(2)
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    const fields = { path: '/webhooks/ton', status: 201 }
    expect(errors.map((line) => line.fields)).toEqual([fields, fields])
    expect(JSON.stringify(shop.logger.lines)).not.toMatch(
      new RegExp(`hidden|${SECRET}|transfer.completed`),
    )
  })
})

describe.each(platforms)('S59 a delivery that does not reach its route, %s', (platform) => {
  it('is logged as an error when an interceptor responds with 2xx', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop), {
      platform,
      prepare: (app) => app.useGlobalInterceptors({ intercept: () => of('cached') }),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await expect.poll(() => errorsOf(shop)).toEqual([expect.stringContaining('responded first')])
    expect(await shop.orderStatus()).toBe('pending')
  })

  it('is not logged when it reaches the route of another instance with a similar path', async () => {
    const shop = createShop()
    const euros = createShop()
    const options = optionsOf(euros, {}, { secrets: 'whsec_euros' })
    @WebhookController({ path: 'euros/webhooks/ton', name: 'euros' })
    class EurosController {}
    @Module({
      imports: [createModule(shop), TonplugModule.forRoot({ name: 'euros', ...options })],
      controllers: [EurosController],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    const inEuros = signPayload(transferCompleted(), 'whsec_euros')
    expect(await deliver(`${url}/euros/webhooks/ton`, inEuros)).toMatchObject({ status: 200 })
    await app.close()
    expect(await euros.orderStatus()).toBe('completed')
    expect([...errorsOf(shop), ...errorsOf(euros)]).toEqual([])
  })
})
