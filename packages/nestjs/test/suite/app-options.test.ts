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
import type { NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler'
import express from 'express'
import { catchError, map, throwError, type Observable } from 'rxjs'
import type { PaidTransfer } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'
import { problemsOf, createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const SHOP = 'shop'

@WebhookController('webhooks/ton')
class PaymentsController {
  constructor(@Inject(SHOP) private readonly shop: Shop) {}

  @OnPaid()
  paid({ order }: PaidTransfer): void {
    this.shop.handled.push({ by: 'paid', reference: order.reference })
  }
}

@WebhookController({ path: 'webhooks/ton', version: '2' })
class VersionedController extends PaymentsController {}

interface SetUp {
  platforms?: readonly Platform[]
  /** True if the route reads the bodies on Express too, because no parser does. */
  isRead?: boolean
  options?: NestApplicationOptions
  prepare?: (app: INestApplication, seen: unknown[]) => unknown
  adapter?: () => AbstractHttpAdapter
  controller?: typeof PaymentsController
  path?: string
  headers?: Record<string, string>
}

/** Records every exception, as an error tracker does. */
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

/** Reads the body, as authentication guards do. */
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
  'bodyParser: false': { isRead: true, options: { bodyParser: false } },
  'cors: true': { options: { cors: true } },
  'express.json() that keeps the bytes': {
    platforms: ['express'],
    prepare: (app) => app.use(express.json({ verify: keepBytes })),
  },
  'a body parser with a limit': {
    platforms: ['express'],
    prepare: (app) => (app as NestExpressApplication).useBodyParser('json', { limit: 2000 }),
  },
  'a raw parser for all content types': {
    platforms: ['express'],
    isRead: true,
    prepare: (app) => (app as NestExpressApplication).useBodyParser('raw', { type: '*/*' }),
  },
  'a low body limit': {
    platforms: ['fastify'],
    adapter: () => new FastifyAdapter({ bodyLimit: 10 }),
  },
  'custom parsers': {
    platforms: ['fastify'],
    prepare: (app: INestApplication) => {
      const nest = app as NestFastifyApplication
      nest.useBodyParser('text/plain')
      nest.useBodyParser('application/cloudevents+json', { bodyLimit: 10 })
    },
  },
  'parsers of the Fastify app that keep no bytes': {
    platforms: ['fastify'],
    options: { bodyParser: false },
    prepare: (app: INestApplication) => {
      const fastify = (app as NestFastifyApplication).getHttpAdapter().getInstance()
      fastify.removeAllContentTypeParsers()
      fastify.addContentTypeParser(/json/, { parseAs: 'string' }, (_request, _text, done) =>
        done(null, { event: 'transfer.completed' }),
      )
      fastify.addContentTypeParser('*', (_request, _payload, done) => done(null))
    },
  },
  'a global prefix': {
    prepare: (app) => app.setGlobalPrefix('api/shop'),
    path: '/api/shop/webhooks/ton',
  },
  'a global prefix that excludes the webhook': {
    prepare: (app) => app.setGlobalPrefix('api', { exclude: ['webhooks/ton'] }),
  },
  'URI versions': { prepare: (app) => app.enableVersioning({ type: VersioningType.URI }) },
  'URI versions with a default': {
    prepare: (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
  },
  'URI versions, a prefix and a version of the controller': {
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
  'header versions and a version of the controller': {
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
  'a global guard that reads the body': {
    prepare: (app) => app.useGlobalGuards(new BodyGuard()),
  },
  'an error tracker': {
    prepare: (app, seen) =>
      app
        .useGlobalFilters(new TrackingFilter(seen))
        .useGlobalInterceptors(new TrackingInterceptor(seen)),
  },
}

function keepBytes(request: object, _response: unknown, bytes: Buffer): void {
  Object.assign(request, { rawBody: bytes })
}

const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }

const cells = platforms.flatMap((platform) =>
  Object.entries(setUps)
    .filter(([, setUp]) => setUp.platforms?.includes(platform) ?? true)
    .map(([name, setUp]) => ({ cell: `${platform}, ${name}`, platform, setUp })),
)

/** Returns a module with the payments controller. */
function createModule(shop: Shop, controller: typeof PaymentsController = PaymentsController) {
  @Module({
    imports: [TonplugModule.forRoot({ ...optionsOf(shop) })],
    controllers: [controller],
    providers: [{ provide: SHOP, useValue: shop }],
  })
  class AppModule {}
  return AppModule
}

function errorsOf({ logger }: Shop): string[] {
  return logger.lines.filter(({ level }) => level === 'error').map(({ message }) => message)
}

describe('S59 responses to deliveries', () => {
  it.each(cells)(
    'are the same for every configuration of the app: $cell',
    async ({ platform, setUp }) => {
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

      const rejected = { body: '{"ok":false}' }
      expect(await send(deliveries.wrongSignature)).toEqual({ status: 401, ...rejected })
      expect(await send(unsigned)).toEqual({ status: 401, ...rejected })
      const isRead = platform === 'fastify' || setUp.isRead === true
      const malformed = [
        await send(deliveries.malformedWrongSignature),
        await send(deliveries.malformedRightSignature),
      ]
      expect(malformed.map(({ status }) => status)).toEqual([isRead ? 401 : 400, 400])
      const isOfReceiver = malformed.map(({ body }) => body === rejected.body)
      expect(isOfReceiver).toEqual([isRead, isRead])
      expect(await shop.orderStatus()).toBe('pending')
      const ok = { status: 200, body: '{"ok":true}' }
      expect(await send(deliveries.valid)).toEqual(ok)
      expect(await send(deliveries.valid)).toEqual(ok)
      expect(await shop.orderStatus()).toBe('completed')

      await app.close()
      expect(shop.handled).toEqual([{ by: 'paid', reference: 'order-1' }])
      // The app sees the errors of its parsers.
      expect(seen.filter((error) => !(error instanceof HttpException))).toEqual([])
      expect(errorsOf(shop).map((message) => message.startsWith('report not readable'))).toEqual(
        isRead ? [true] : [],
      )
    },
  )
})

describe('the parsers of the app on Express', () => {
  const parsers: Record<string, SetUp> = {
    'a second express.json()': { prepare: (app) => app.use(express.json()) },
    'express.json() instead of the parser of Nest': {
      options: { bodyParser: false },
      prepare: (app) => app.use(express.json(), express.urlencoded({ extended: false })),
    },
  }
  it.each(Object.entries(parsers))(
    'S21 cause a 500 and one error line with the fix: %s',
    async (_name, { options = {}, prepare }) => {
      const shop = createShop()
      const { url } = await startApp(createModule(shop), {
        platform: 'express',
        options,
        prepare: (app) => prepare?.(app, []),
      })
      for (let round = 0; round < 3; round++) {
        expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual({
          status: 500,
          body: '{"ok":false}',
        })
      }
      expect(errorsOf(shop)).toEqual([
        expect.stringMatching(/the body was parsed.*useBodyParser.*rawBody = bytes/),
      ])
      expect(await shop.orderStatus()).toBe('pending')
      expect(await deliver(`${url}/webhooks/ton`, unsigned)).toMatchObject({ status: 401 })
    },
  )

  it('S18 apply their limits before the webhook reads the body', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop), {
      platform: 'express',
      prepare: (app) => (app as NestExpressApplication).useBodyParser('json', { limit: 10 }),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 413 })
    expect(await shop.orderStatus()).toBe('pending')
  })
})

describe.each(platforms)('parts of the app that apply to all routes, %s', (platform) => {
  it('S59 include guards: a denied delivery does not change its order', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop), {
      platform,
      prepare: (app) => app.useGlobalGuards({ canActivate: () => false }),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 403 })
    expect(await shop.orderStatus()).toBe('pending')
    expect(problemsOf(shop)).toEqual([])
  })

  it('S59 include the throttler, which counts deliveries', async () => {
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

  it('S59 include interceptors, which may change the response body but not its status', async () => {
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
