import {
  All,
  Get,
  Injectable,
  Module,
  Post,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import type {
  CallHandler,
  CanActivate,
  ExecutionContext,
  NestInterceptor,
  Type,
} from '@nestjs/common'
import { ExpressAdapter } from '@nestjs/platform-express'
import { Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler'
import express from 'express'
import { tap } from 'rxjs'
import type { Observable } from 'rxjs'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugPaymentsOptions, TonplugWebhookOptions } from '../../src/tonplug.options.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { problemsOf, createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const passed: string[] = []

@Injectable()
class NotingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const role: unknown = Reflect.getMetadata('role', context.getClass())
    passed.push(`guard of ${context.getClass().name}.${context.getHandler().name}: ${String(role)}`)
    return true
  }
}

class NotingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap((body) => passed.push(`interceptor: ${JSON.stringify(body)}`)))
  }
}

@UseGuards(NotingGuard)
@WebhookController('webhooks/ton')
@UseInterceptors(NotingInterceptor)
@SetMetadata('role', 'gateway')
class PaymentsController {
  @Get()
  status(): string {
    return 'a route of its own'
  }

  @Get('more')
  more(): string {
    return 'another route'
  }
}

@Throttle({ default: { limit: 1, ttl: 60_000 } })
@UseGuards(ThrottlerGuard)
@WebhookController('webhooks/throttled')
class ThrottledController {}

function createModule(
  shop: Shop,
  controllers: Type[],
  webhook: Partial<TonplugWebhookOptions> = {},
  payments: Partial<TonplugPaymentsOptions> = {},
): Type {
  @Module({
    imports: [
      TonplugModule.forRoot(optionsOf(shop, payments, webhook)),
      ThrottlerModule.forRoot([{ limit: 100, ttl: 60_000 }]),
    ],
    controllers,
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('@WebhookController, %s', (platform) => {
  it('S59 is a normal controller for guards, interceptors, metadata and its own routes', async () => {
    passed.length = 0
    const shop = createShop()
    const { url } = await startApp(createModule(shop, [PaymentsController]), { platform })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(passed).toEqual([
      'guard of PaymentsController.receiveWebhook: gateway',
      'interceptor: {"ok":true}',
    ])
    expect((await request(url).get('/webhooks/ton')).text).toBe('a route of its own')
    expect((await request(url).get('/webhooks/ton/more')).text).toBe('another route')
    const put = await request(url).put('/webhooks/ton')
    expect([put.status, put.headers['allow']]).toEqual([405, 'POST'])
  })

  it('S59 is a normal controller for the throttler', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop, [ThrottledController]), { platform })
    const send = async () => (await deliver(`${url}/webhooks/throttled`, deliveries.valid)).status
    expect([await send(), await send()]).toEqual([200, 429])
  })

  it('S63 is a normal controller for the exception filter when a rule of the shop throws', async () => {
    const shop = createShop()
    const rule = (): never => {
      throw new Error('a secret of the shop')
    }
    const { url } = await startApp(
      createModule(shop, [PaymentsController], {}, { rules: [rule] }),
      {
        platform,
      },
    )
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual({
      status: 500,
      body: '{"statusCode":500,"message":"Internal server error"}',
    })
    expect(await shop.orderStatus()).toBe('pending')
  })

  it.each([':merchant/hooks', 'hooks/*any', ''])('works on the path %j', async (path) => {
    const shop = createShop()
    // Express 4 and the router of Fastify support only wildcards without a name.
    const isUnnamed = process.env['NEST_MAJOR'] === '10' || platform === 'fastify'
    class PathController {}
    WebhookController(isUnnamed ? path.replace('*any', '*') : path)(PathController)
    const { url } = await startApp(createModule(shop, [PathController]), { platform })
    const target = `${url}/${path.replace(':merchant', 'one').replace('*any', 'two')}`
    expect(await deliver(target, deliveries.wrongSignature)).toMatchObject({ status: 401 })
    expect(
      await deliver(target, { body: '{}', headers: { 'content-type': 'application/json' } }),
    ).toMatchObject({ status: 401 })
    expect(await deliver(target, deliveries.valid)).toMatchObject({ status: 200 })
    expect(shop.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('S12 leaves no open delivery and logs no error when a guard denies the request', async () => {
    @UseGuards({ canActivate: () => false })
    @WebhookController('webhooks/ton')
    class DenyingController {}
    const shop = createShop()
    const { app, url } = await startApp(createModule(shop, [DenyingController]), { platform })
    for (let round = 0; round < 5; round++) {
      expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 403 })
    }
    await app.close()
    expect(await shop.orderStatus()).toBe('pending')
    expect(shop.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(problemsOf(shop).filter((line) => line.includes('drain'))).toEqual([])
  })
})

it('rejects a class with a method receiveWebhook', () => {
  class Payments {
    receiveWebhook(): void {}
  }
  expect(() => WebhookController('a')(Payments)).toThrow(
    /@WebhookController: must be used once, on a class without a method receiveWebhook/,
  )
})

describe('S59 a method that handles POST at the path of its class', () => {
  class WithPost {
    @Post()
    mine(): unknown {
      return undefined
    }
  }
  class WithAll {
    @All('/')
    mine(): void {}
  }
  class WithSeveral {
    @Post(['more', ''])
    mine(): void {}
  }

  it.each([WithPost, WithAll, WithSeveral])('is rejected: %o', (controller) => {
    expect(() => WebhookController('webhooks/ton')(controller)).toThrow(
      `${controller.name}.mine: has the path of its @WebhookController and would receive the webhooks. Handle payments in a method decorated with @OnPaid()`,
    )
  })

  it('is rejected unless it has another path, or is inherited and therefore follows the webhook', async () => {
    class WithOtherPaths extends WithPost {
      @Post('more')
      more(): string {
        return 'more'
      }
    }
    WebhookController('webhooks/ton')(WithOtherPaths)
    const module = createModule(createShop(), [WithOtherPaths])
    const { url } = await startApp(module, { platform: 'express' })
    const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }
    expect(await deliver(`${url}/webhooks/ton/more`, unsigned)).toMatchObject({ body: 'more' })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  })
})

describe('S21 a body that an outer app has read', () => {
  it('causes a response of 500 and one error line with the fix, and 401 when unsigned', async () => {
    const shop = createShop()
    const inner = express()
    const { app } = await startApp(createModule(shop, [PaymentsController]), {
      platform: 'express',
      adapter: new ExpressAdapter(inner),
    })
    const outer = express().use(express.json()).use('/inner', inner)
    const server = outer.listen(0)
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const url = `http://127.0.0.1:${port}/inner/webhooks/ton`
    const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }
    expect(await deliver(url, unsigned)).toMatchObject({ status: 401 })
    expect(shop.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(await deliver(url, deliveries.valid)).toEqual({ status: 500, body: '{"ok":false}' })
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /the body was parsed.*express\.json\(\{ verify: .*request\.rawBody = bytes/,
      ),
    ])
    server.closeAllConnections()
    server.close()
    await app.close()
  })

  it('causes the same when an Express app with a parser was passed to Nest', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop, [PaymentsController]), {
      platform: 'express',
      adapter: new ExpressAdapter(express().use(express.json())),
    })
    const target = `${url}/webhooks/ton`
    expect(await deliver(target, deliveries.valid)).toEqual({ status: 500, body: '{"ok":false}' })
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('express.json({ verify:'),
    ])
    expect(await shop.orderStatus()).toBe('pending')
  })

  it('is accepted when the outer app kept the bytes', async () => {
    const shop = createShop()
    const inner = express()
    await startApp(createModule(shop, [PaymentsController]), {
      platform: 'express',
      adapter: new ExpressAdapter(inner),
    })
    const keep = (request: object, _response: unknown, bytes: Buffer): void => {
      Object.assign(request, { rawBody: bytes })
    }
    const outer = express()
      .use(express.json({ verify: keep }))
      .use(inner)
    const server = outer.listen(0)
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const url = `http://127.0.0.1:${port}/webhooks/ton`
    expect(await deliver(url, deliveries.wrongSignature)).toMatchObject({ status: 401 })
    // The parser of the outer app comes first.
    const malformed = await deliver(url, deliveries.malformedRightSignature)
    expect(malformed).toMatchObject({ status: 400 })
    expect(await deliver(url, deliveries.valid)).toMatchObject({ status: 200 })
    server.closeAllConnections()
    server.close()
  })
})
