import {
  Catch,
  HttpException,
  Inject,
  Injectable,
  Module,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common'
import type {
  ArgumentsHost,
  CallHandler,
  CanActivate,
  ExceptionFilter,
  ExecutionContext,
  INestApplication,
  NestApplicationOptions,
  NestInterceptor,
} from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import type { AbstractHttpAdapter } from '@nestjs/core'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler'
import express from 'express'
import { catchError, map, throwError, type Observable } from 'rxjs'
import type { PaidTransfer } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { OnTransferPaid } from '../../src/webhook/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'
import { complaintsOf, createShop, deliver, deliveries, webhookOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const SHOP = 'shop'

@WebhookController('webhooks/ton')
class PaymentsController {
  constructor(@Inject(SHOP) private readonly shop: Shop) {}

  @OnTransferPaid()
  paid({ order }: PaidTransfer): void {
    this.shop.handled.push({ by: 'paid', reference: order.reference })
  }
}

@WebhookController({ path: 'webhooks/ton', version: '2' })
class VersionedController extends PaymentsController {}

interface SetUp {
  platforms?: readonly Platform[]
  options?: NestApplicationOptions
  prepare?: (app: INestApplication, seen: unknown[]) => unknown
  adapter?: () => AbstractHttpAdapter
  controller?: typeof PaymentsController
  path?: string
  headers?: Record<string, string>
}

/** Sees every exception, as an error tracker does, and passes it on. */
@Catch()
class TrackingFilter implements ExceptionFilter {
  constructor(private readonly seen: unknown[]) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.seen.push(error)
    const status = error instanceof HttpException ? error.getStatus() : 500
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: string): void } }>()
    response.status(status).send('tracked')
  }
}

class TrackingInterceptor implements NestInterceptor {
  constructor(private readonly seen: unknown[]) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        this.seen.push(error)
        return throwError(() => error)
      }),
      map((data: unknown) => data),
    )
  }
}

/** Looks into the body, as guards for logins do. */
@Injectable()
class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<{ body: { event?: unknown } }>()
    return body.event === 'transfer.completed' || body.event === undefined
  }
}

const setUps: Record<string, SetUp> = {
  'default options': {},
  'rawBody: true': { options: { rawBody: true } },
  'bodyParser: false': { options: { bodyParser: false } },
  'cors: true': { options: { cors: true } },
  'express.json() by hand': {
    platforms: ['express'],
    prepare: (app) => app.use(express.json()),
  },
  'express.json() by hand, without that of Nest': {
    platforms: ['express'],
    options: { bodyParser: false },
    prepare: (app) => app.use(express.json(), express.urlencoded({ extended: false })),
  },
  'an express app that has its parser already': {
    platforms: ['express'],
    adapter: () => new ExpressAdapter(express().use(express.json())),
  },
  'parsers for everything, with limits that are too low': {
    platforms: ['express'],
    prepare: (app: INestApplication) => {
      const nest = app as NestExpressApplication
      nest.useBodyParser('text', { type: '*/*', limit: 10 })
      nest.useBodyParser('json', { limit: 10 })
    },
  },
  'a body limit that is too low': {
    platforms: ['fastify'],
    adapter: () => new FastifyAdapter({ bodyLimit: 10 }),
  },
  'parsers of its own': {
    platforms: ['fastify'],
    prepare: (app: INestApplication) => {
      const nest = app as NestFastifyApplication
      nest.useBodyParser('text/plain')
      nest.useBodyParser('application/cloudevents+json', { bodyLimit: 10 })
    },
  },
  'a global prefix': {
    prepare: (app) => app.setGlobalPrefix('api/shop'),
    path: '/api/shop/webhooks/ton',
  },
  'a global prefix that leaves it out': {
    prepare: (app) => app.setGlobalPrefix('api', { exclude: ['webhooks/ton'] }),
  },
  'URI versions': { prepare: (app) => app.enableVersioning({ type: VersioningType.URI }) },
  'URI versions with a default': {
    prepare: (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
  },
  'URI versions, prefix and a version of its own': {
    prepare: (app) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI }),
    controller: VersionedController,
    path: '/api/v2/webhooks/ton',
  },
  'header versions with a default': {
    prepare: (app) =>
      app.enableVersioning({
        type: VersioningType.HEADER,
        header: 'x-version',
        defaultVersion: '1',
      }),
  },
  'header versions and a version of its own': {
    prepare: (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' }),
    controller: VersionedController,
    headers: { 'x-version': '2' },
  },
  'media type versions with a default': {
    prepare: (app) =>
      app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: '1' }),
  },
  'a whitelist pipe': {
    prepare: (app) =>
      app.useGlobalPipes(
        new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
      ),
  },
  'a global guard that looks into the body': {
    prepare: (app) => app.useGlobalGuards(new BodyGuard()),
  },
  'an error tracker': {
    prepare: (app, seen) =>
      app
        .useGlobalFilters(new TrackingFilter(seen))
        .useGlobalInterceptors(new TrackingInterceptor(seen)),
  },
}

const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }

const cells = platforms.flatMap((platform) =>
  Object.entries(setUps)
    .filter(([, setUp]) => setUp.platforms?.includes(platform) ?? true)
    .map(([name, setUp]) => ({ cell: `${platform}, ${name}`, platform, setUp })),
)

/** An app with the payments controller. */
function createModule(shop: Shop, controller: typeof PaymentsController = PaymentsController) {
  @Module({
    imports: [TonplugModule.forRoot({ webhook: webhookOf(shop) })],
    controllers: [controller],
    providers: [{ provide: SHOP, useValue: shop }],
  })
  class AppModule {}
  return AppModule
}

describe('S59 whatever the app is set up like', () => {
  it.each(cells)('deliveries get the same answers: $cell', async ({ platform, setUp }) => {
    const shop = createShop()
    const seen: unknown[] = []
    const { app, url } = await startApp(createModule(shop, setUp.controller), {
      platform,
      ...(setUp.options && { options: setUp.options }),
      ...(setUp.adapter && { adapter: setUp.adapter() }),
      prepare: (created) => setUp.prepare?.(created, seen),
    })
    const send = ({ body, headers }: { body: string; headers: Record<string, string> }) =>
      deliver(`${url}${setUp.path ?? '/webhooks/ton'}`, {
        body,
        headers: { ...headers, ...setUp.headers },
      })

    const refused = { body: '{"ok":false}' }
    expect(await send(deliveries.wrongSignature)).toEqual({ status: 401, ...refused })
    expect(await send(deliveries.malformedWrongSignature)).toEqual({ status: 401, ...refused })
    expect(await send(unsigned)).toEqual({ status: 401, ...refused })
    expect(await send(deliveries.malformedRightSignature)).toEqual({ status: 400, ...refused })
    expect(await shop.orderStatus()).toBe('pending')
    const ok = { status: 200, body: '{"ok":true}' }
    expect(await send(deliveries.valid)).toEqual(ok)
    expect(await send(deliveries.valid)).toEqual(ok)
    expect(await shop.orderStatus()).toBe('completed')

    await app.close()
    expect(shop.handled).toEqual([{ by: 'paid', reference: 'order-1' }])
    expect(seen).toEqual([])
    expect(shop.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe.each(platforms)('what the app does to requests on its own, %s', (platform) => {
  it('S59 a guard that says no is heard, and the order stays as it is', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop), {
      platform,
      prepare: (app) => app.useGlobalGuards({ canActivate: () => false }),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 403 })
    expect(await shop.orderStatus()).toBe('pending')
    expect(complaintsOf(shop)).toEqual([])
  })

  it('S59 a throttler counts deliveries like any request', async () => {
    const shop = createShop()
    @Module({
      imports: [createModule(shop), ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }])],
      providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      statuses.push((await deliver(`${url}/webhooks/ton`, deliveries.valid)).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })

  it('S59 an interceptor that wraps bodies changes the body alone', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop), {
      platform,
      prepare: (app) =>
        app.useGlobalInterceptors({
          intercept: (_context, next) => next.handle().pipe(map((data: unknown) => ({ data }))),
        }),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.wrongSignature)).toEqual({
      status: 401,
      body: '{"data":{"ok":false}}',
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual({
      status: 200,
      body: '{"data":{"ok":true}}',
    })
  })
})
