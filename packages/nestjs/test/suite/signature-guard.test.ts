import { Body, Controller, HttpCode, Inject, Module, Post, Req, UseGuards } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import type { Decision, Order, OrderRepository, TransferData } from '@tonplug/core'
import { signPayload, transferCompleted, transferRefunded } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { WebhookOptions } from '../../src/tonplug.options.js'
import { Transfer, WebhookDecision, WebhookOrder } from '../../src/webhook/parameters.decorators.js'
import { SignatureGuard } from '../../src/webhook/signature.guard.js'
import { createAdapter, listen, platforms, startApp } from '../support/start-app.js'
import {
  complaintsOf,
  createShop,
  deliver,
  deliveries,
  SECRET,
  webhookOf,
} from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const SEEN = 'seen'

@Controller('payments')
class PaymentsController {
  constructor(@Inject(SEEN) private readonly seen: unknown[]) {}

  @Post('ton')
  @HttpCode(200)
  @UseGuards(SignatureGuard)
  received(
    @Transfer() transfer: TransferData | undefined,
    @WebhookOrder() order: Order | null,
    @WebhookDecision() decision: Decision,
    @Body() body: unknown,
    @Req() { rawBody, headers }: { rawBody: Buffer; headers: Record<string, string> },
  ): string {
    const { 'content-type': type, 'content-length': length } = headers
    this.seen.push({ transfer, order, decision, body, type, length, bytes: rawBody.toString() })
    return decision.kind
  }

  @Post('unguarded')
  unguarded(@Transfer() transfer: TransferData): unknown {
    return transfer
  }
}

@Controller('euros/ton')
@UseGuards(SignatureGuard.for('euros'))
class EurosController {
  @Post()
  received(@WebhookDecision() { kind }: Decision): string {
    return kind
  }
}

function createModule(
  shop: Pick<Shop, 'logger'> & Pick<WebhookOptions, 'orders'> & Partial<WebhookOptions>,
  seen: unknown[],
  ...others: DynamicModule[]
) {
  const { orders, logger, secrets = SECRET } = shop
  const webhook = { orders, logger, secrets, unsupportedEvent: 'acknowledge' as const }
  @Module({
    imports: [TonplugModule.forRoot({ webhook }), ...others],
    controllers: others.length > 0 ? [PaymentsController, EurosController] : [PaymentsController],
    providers: [{ provide: SEEN, useValue: seen }],
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('a @Post() of your own with SignatureGuard, %s', (platform) => {
  it('is called with transfer, order, decision, body and bytes', async () => {
    const shop = createShop()
    const seen: unknown[] = []
    const { url } = await startApp(createModule(shop, seen), { platform })
    expect(await deliver(`${url}/payments/ton`, deliveries.valid)).toEqual({
      status: 200,
      body: 'paid',
    })
    expect(await deliver(`${url}/payments/ton`, deliveries.valid)).toEqual({
      status: 200,
      body: 'duplicate',
    })
    expect(seen[0]).toEqual({
      transfer: transferCompleted().data,
      order: await shop.orders.findByReference('order-1'),
      decision: expect.objectContaining({ kind: 'paid' }),
      body: transferCompleted(),
      type: 'application/json',
      length: String(deliveries.valid.body.length),
      bytes: deliveries.valid.body,
    })
  })

  it('is not called for refusals, which are answered by their status', async () => {
    const shop = createShop()
    const seen: unknown[] = []
    const { url } = await startApp(createModule(shop, seen), { platform })
    const send = async (request: { body: string; headers: Record<string, string> }) =>
      deliver(`${url}/payments/ton`, request)
    const refused = { body: '{"ok":false}' }
    expect(await send(deliveries.wrongSignature)).toEqual({ status: 401, ...refused })
    expect(await send(deliveries.malformedWrongSignature)).toEqual({ status: 401, ...refused })
    expect(await send({ body: '{}', headers: {} })).toEqual({ status: 401, ...refused })
    expect(await send(deliveries.malformedRightSignature)).toEqual({ status: 400, ...refused })
    expect(await send(signPayload('x'.repeat(70_000), SECRET))).toEqual({ status: 413, ...refused })
    expect(seen).toEqual([])
    expect(await shop.orderStatus()).toBe('pending')
  })

  it('knows neither transfer nor order of an event that is acknowledged unread', async () => {
    const seen: unknown[] = []
    const { url } = await startApp(createModule(createShop(), seen), { platform })
    const refund = signPayload(transferRefunded(), SECRET)
    expect(await deliver(`${url}/payments/ton`, refund)).toMatchObject({ status: 200 })
    expect(seen).toEqual([
      expect.objectContaining({
        transfer: undefined,
        order: null,
        decision: { kind: 'unsupported_event', event: 'transfer.refunded' },
      }),
    ])
  })

  it('S10 looks for the order of the merchant whose secret signed', async () => {
    const shop = createShop()
    const signers: string[] = []
    const orders: OrderRepository = {
      ...shop.orders,
      async findByReference(reference, context) {
        signers.push(context?.signedWith ?? 'nobody')
        return context?.signedWith === 'second' ? shop.orders.findByReference(reference) : null
      },
    }
    const secrets = [
      { name: 'first', secret: 'whsec_first' },
      { name: 'second', secret: SECRET },
    ]
    for (const given of [secrets, async () => secrets]) {
      const seen: unknown[] = []
      const options = { orders, secrets: given }
      const { url } = await startApp(createModule({ ...shop, ...options }, seen), { platform })
      await deliver(`${url}/payments/ton`, deliveries.valid)
      expect(seen).toMatchObject([{ order: { reference: 'order-1' } }])
    }
    expect(new Set(signers)).toEqual(new Set(['second']))
  })

  it('S60 serves the instance that the guard names', async () => {
    const shop = createShop()
    const euros = createShop()
    const module = TonplugModule.forRoot({
      name: 'euros',
      webhook: { ...webhookOf(euros), secrets: 'whsec_euros' },
    })
    const { url } = await startApp(createModule(shop, [], module), { platform })
    const inEuros = signPayload(transferCompleted(), 'whsec_euros')
    expect(await deliver(`${url}/euros/ton`, deliveries.valid)).toMatchObject({ status: 401 })
    expect(await deliver(`${url}/euros/ton`, inEuros)).toMatchObject({ body: 'paid' })
    expect(await shop.orderStatus()).toBe('pending')
    expect(complaintsOf(euros)).not.toContainEqual(expect.stringContaining('no route'))
  })

  it('is one class for each name, which a test may override', async () => {
    expect(SignatureGuard.for('euros')).toBe(SignatureGuard.for('euros'))
    expect(SignatureGuard.for('euros')).not.toBe(SignatureGuard.for('rubles'))
    @Controller('euros/ton')
    class OverriddenController {
      @Post()
      @UseGuards(SignatureGuard.for('euros'))
      received(): string {
        return 'received'
      }
    }
    const webhook = webhookOf(createShop())
    const testing = await Test.createTestingModule({
      imports: [TonplugModule.forRoot({ name: 'euros', webhook })],
      controllers: [OverriddenController],
    })
      .overrideGuard(SignatureGuard.for('euros'))
      .useValue({ canActivate: () => true })
      .compile()
    const { url } = await listen(testing.createNestApplication(createAdapter(platform)))
    const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }
    expect(await deliver(`${url}/euros/ton`, unsigned)).toEqual({ status: 201, body: 'received' })
  })

  it('says so when the guard is missing', async () => {
    const errors: unknown[] = []
    const { url } = await startApp(createModule(createShop(), []), {
      platform,
      options: {
        logger: {
          log: () => undefined,
          warn: () => undefined,
          error: (error) => errors.push(String(error)),
        },
      },
    })
    expect(await deliver(`${url}/payments/unguarded`, deliveries.valid)).toMatchObject({
      status: 500,
    })
    expect(errors.join()).toContain('add @UseGuards(SignatureGuard) to it')
  })
})
