import type { IncomingMessage } from 'node:http'
import { Controller, Module, Post } from '@nestjs/common'
import type {
  CanActivate,
  ExecutionContext,
  INestApplication,
  ModuleMetadata,
  Type,
} from '@nestjs/common'
import { createFakeClock, signPayload, transferCompleted } from '@tonplug/testing'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugPaymentsOptions } from '../../src/tonplug.options.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'
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

@WebhookController('webhooks/ton')
class PaymentsController {}

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
    const ended = () => shop.logger.lines.filter(({ message }) => message === 'request refused')
    await expect.poll(ended).toHaveLength(2)
    await clock.advance(60_000)
    await send()
    await expect.poll(() => errorsOf(shop)).toHaveLength(2)
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    const fields = { instance: 'default', path: '/webhooks/ton', status: 201 }
    expect(errors.map((line) => line.fields)).toEqual([
      { ...fields, leftOut: 0 },
      { ...fields, leftOut: 1 },
    ])
    expect(JSON.stringify(shop.logger.lines)).not.toMatch(
      new RegExp(`hidden|${SECRET}|transfer.completed`),
    )
  })

  it.each<[string, number, (tonplug: Type) => ModuleMetadata]>([
    ['imported first', 200, (tonplug) => ({ imports: [tonplug, ProvidersModule] })],
    ['imported last', 201, (tonplug) => ({ imports: [ProvidersModule, tonplug] })],
    [
      'imported, next to a controller of the app',
      201,
      (tonplug) => ({ imports: [tonplug], controllers: [ProvidersController] }),
    ],
    [
      'in a controller of the app, before the other controllers',
      200,
      () => ({ controllers: [PaymentsController, ProvidersController] }),
    ],
  ])('depends on the order of the routes: webhook %s: %i', async (_name, status, metadata) => {
    const shop = createShop()
    const { imports = [], controllers = [] } = metadata(createModule(shop))
    const isImported = imports.length > 0
    const own = isImported ? [] : [TonplugModule.forRoot({ ...optionsOf(shop) })]
    @Module({ imports: [...imports, ...own], controllers })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform: 'express' })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status })
    await app.close()
    expect(await shop.orderStatus()).toBe(status === 200 ? 'completed' : 'pending')
    expect(errorsOf(shop)).toHaveLength(status === 200 ? 0 : 1)
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

/** Sends a delivery that a part of the app holds, and advances the clock to the receiver's deadline. */
async function sendHeld(
  platform: Platform,
  prepare: (app: INestApplication, hold: () => void) => unknown,
) {
  const shop = createShop()
  const clock = createFakeClock()
  let hold = (): void => undefined
  const isHeld = new Promise<void>((resolve) => (hold = resolve))
  const { app, url } = await startApp(createModule(shop, { clock }), {
    platform,
    prepare: (created) => prepare(created, hold),
  })
  const sender = new AbortController()
  const request = { method: 'POST', ...deliveries.valid, signal: sender.signal }
  const answer = fetch(`${url}/webhooks/ton`, request)
  await isHeld
  await clock.advance(8000)
  expect(errorsOf(shop)).toEqual([
    expect.stringMatching(/^delivery not recorded at its deadline: .*req\.rawBody/),
  ])
  const facts = { instance: 'default', path: '/webhooks/ton', leftOut: 0 }
  expect(shop.logger.lines.at(-1)?.fields).toEqual(facts)
  return { shop, app, sender, answer }
}

describe('S59 a delivery that does not reach its route before the deadline is logged as an error', () => {
  it.each([...platforms])('when a guard waits for the stream, %s', async (platform) => {
    const { shop, app, sender, answer } = await sendHeld(platform, (created, hold) => {
      const guard: CanActivate = {
        canActivate: (context: ExecutionContext) =>
          new Promise((resolve) => {
            const http = context.switchToHttp()
            const request = http.getRequest<IncomingMessage & { raw?: IncomingMessage }>()
            ;(request.raw ?? request).on('end', () => resolve(true))
            hold()
          }),
      }
      created.useGlobalGuards(guard)
    })
    sender.abort()
    await expect(answer).rejects.toThrow('abort')
    await app.close()
    expect(errorsOf(shop)).toHaveLength(1)
  })

  it('when a middleware waits for the stream, express', async () => {
    const { shop, app, sender, answer } = await sendHeld('express', (created, hold) =>
      created.use((request: IncomingMessage, _response: unknown, next: () => void) => {
        request.on('end', next)
        hold()
      }),
    )
    sender.abort()
    await expect(answer).rejects.toThrow('abort')
    await app.close()
    expect(errorsOf(shop)).toHaveLength(1)
  })

  it.each([...platforms])('and is recorded when a slow guard continues, %s', async (platform) => {
    let resume = (): void => undefined
    const { shop, answer } = await sendHeld(platform, (created, hold) => {
      created.useGlobalGuards({
        canActivate: () =>
          new Promise<boolean>((resolve) => {
            resume = () => resolve(true)
            hold()
          }),
      })
    })
    resume()
    expect((await answer).status).toBe(408)
    await expect.poll(() => shop.orderStatus()).toBe('completed')
  })
})
