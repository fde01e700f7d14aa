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
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { WebhookOptions } from '../../src/tonplug.options.js'
import { SignatureGuard } from '../../src/webhook/signature.guard.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { complaintsOf, createShop, deliver, deliveries, webhookOf } from '../support/shop.js'
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
  webhook: Partial<WebhookOptions> = {},
): Type {
  @Module({
    imports: [
      TonplugModule.forRoot({ webhook: { ...webhookOf(shop), ...webhook } }),
      ThrottlerModule.forRoot([{ limit: 100, ttl: 60_000 }]),
    ],
    controllers,
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('@WebhookController is a controller like any other, %s', (platform) => {
  it('S59 to guards, interceptors, metadata and routes of its own', async () => {
    passed.length = 0
    const shop = createShop()
    const { url } = await startApp(createModule(shop, [PaymentsController]), { platform })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(passed).toEqual([
      'guard of PaymentsController.receiveWebhook: gateway',
      'interceptor: {"ok":true}',
    ])
    expect(await (await fetch(`${url}/webhooks/ton`)).text()).toBe('a route of its own')
    expect(await (await fetch(`${url}/webhooks/ton/more`)).text()).toBe('another route')
    const put = await fetch(`${url}/webhooks/ton`, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('S59 to the throttler', async () => {
    const shop = createShop()
    const { url } = await startApp(createModule(shop, [ThrottledController]), { platform })
    const send = async () => (await deliver(`${url}/webhooks/throttled`, deliveries.valid)).status
    expect([await send(), await send()]).toEqual([200, 429])
  })

  it('S63 to the exception filter, when a rule of the shop throws', async () => {
    const shop = createShop()
    const rule = (): never => {
      throw new Error('a secret of the shop')
    }
    const { url } = await startApp(createModule(shop, [PaymentsController], { rules: [rule] }), {
      platform,
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual({
      status: 500,
      body: '{"statusCode":500,"message":"Internal server error"}',
    })
    expect(await shop.orderStatus()).toBe('pending')
  })

  it.each([':merchant/hooks', 'hooks/*any', ''])('works on the path %j', async (path) => {
    const shop = createShop()
    // Express 4 and the router of Fastify know wildcards without a name alone.
    const isUnnamed = process.env['NEST_MAJOR'] === '10' || platform === 'fastify'
    class PathController {}
    WebhookController(isUnnamed ? path.replace('*any', '*') : path)(PathController)
    const { url } = await startApp(createModule(shop, [PathController]), { platform })
    const target = `${url}/${path.replace(':merchant', 'one').replace('*any', 'two')}`
    expect(await deliver(target, deliveries.wrongSignature)).toMatchObject({ status: 401 })
    expect(await deliver(target, deliveries.malformedWrongSignature)).toMatchObject({ status: 401 })
    expect(
      await deliver(target, { body: '{}', headers: { 'content-type': 'application/json' } }),
    ).toMatchObject({ status: 401 })
    expect(await deliver(target, deliveries.valid)).toMatchObject({ status: 200 })
    expect(shop.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('S12 a guard that says no leaves nothing open, and no alarm', async () => {
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
    expect(complaintsOf(shop).filter((line) => line.includes('drain'))).toEqual([])
  })
})

it('a class with a method of the same name is refused', () => {
  class Payments {
    receiveWebhook(): void {}
  }
  expect(() => WebhookController('a')(Payments)).toThrow(
    /the class has a method receiveWebhook already; rename it/,
  )
})

describe('S59 a method at the path of its own class, ahead of the webhook, is an error at start', () => {
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
  const start = (controller: Type) => {
    WebhookController('webhooks/ton')(controller)
    return startApp(createModule(createShop(), [controller]), { platform: 'express' })
  }

  const overtaking = { '@Post()': WithPost, "@All('/')": WithAll, '@Post([…])': WithSeveral }
  it.each(Object.entries(overtaking))('%s', async (_name, controller) => {
    await expect(start(controller)).rejects.toThrow(
      new RegExp(
        `^${controller.name}\\.mine: answers POST /webhooks/ton in place of ${controller.name}\\.receiveWebhook, and nothing would be recorded.*@OnTransferPaid\\(\\)`,
      ),
    )
  })

  it('with SignatureGuard, too: it would take deliveries, and the one of the class none', async () => {
    class WithGuard {
      @Post()
      @UseGuards(SignatureGuard)
      mine(): void {}
    }
    await expect(start(WithGuard)).rejects.toThrow(
      /webhook path of both WithGuard\.mine of 'default' and WithGuard\.receiveWebhook of/,
    )
  })

  it('and not with a path of its own, or inherited, which comes behind the webhook', async () => {
    class Beside extends WithPost {
      @Post('more')
      more(): string {
        return 'more'
      }

      @Post('guarded')
      @UseGuards(SignatureGuard)
      guarded(): string {
        return 'guarded'
      }
    }
    const { url } = await start(Beside)
    const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }
    expect(await deliver(`${url}/webhooks/ton/more`, unsigned)).toMatchObject({ body: 'more' })
    expect(await deliver(`${url}/webhooks/ton/guarded`, deliveries.valid)).toMatchObject({
      body: 'guarded',
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  })
})

describe('S21 a body that something ahead of Nest has eaten', () => {
  it('is answered 500 with one line that names the fix, and 401 when unsigned', async () => {
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
    expect(complaintsOf(shop).filter((line) => line.includes('eaten'))).toEqual([])
    expect(await deliver(url, deliveries.valid)).toEqual({ status: 500, body: '{"ok":false}' })
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/a body parser has read the stream\. .*req\.rawBody.*rawBody: true/),
    ])
    server.closeAllConnections()
    server.close()
    await app.close()
  })

  it('is taken where the outer app kept the bytes', async () => {
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
    expect(await deliver(url, deliveries.valid)).toMatchObject({ status: 200 })
    server.closeAllConnections()
    server.close()
  })
})
