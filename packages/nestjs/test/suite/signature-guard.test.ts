import { Body, Controller, HttpCode, Inject, Module, Post, Req, UseGuards } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import type { Decision, Order, SecretResolver, TransferData } from '@tonplug/core'
import { signPayload, transferCompleted, transferRefunded } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { Transfer, WebhookDecision, WebhookOrder } from '../../src/webhook/parameters.decorators.js'
import { SignatureGuard } from '../../src/webhook/signature.guard.js'
import { createAdapter, listen, platforms, startApp } from '../support/start-app.js'
import {
  problemsOf,
  createShop,
  deliver,
  deliveries,
  SECRET,
  optionsOf,
  toOrder,
} from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const SEEN = 'seen'

/** Reads the merchant from the query and returns its secret. */
const merchantOfPath: SecretResolver = ({ url = '' }) => {
  const merchant = new URL(url, 'http://localhost').searchParams.get('merchant') ?? ''
  return { merchant, secrets: `whsec_${merchant}` }
}

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

function createModule(shop: Shop, seen: unknown[], ...others: DynamicModule[]) {
  const options = optionsOf(shop, {}, { unsupportedEvent: 'acknowledge' })
  return moduleWith(options, seen, ...others)
}

function moduleWith(options: TonplugModuleOptions, seen: unknown[], ...others: DynamicModule[]) {
  @Module({
    imports: [TonplugModule.forRoot(options), ...others],
    controllers: others.length > 0 ? [PaymentsController, EurosController] : [PaymentsController],
    providers: [{ provide: SEEN, useValue: seen }],
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('a custom @Post() route with SignatureGuard, %s', (platform) => {
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
      order: await shop.orders.find({ reference: 'order-1' }),
      decision: expect.objectContaining({ kind: 'paid' }),
      body: transferCompleted(),
      type: 'application/json',
      length: String(deliveries.valid.body.length),
      bytes: deliveries.valid.body,
    })
  })

  it('is not called for rejected deliveries, which get the status of the rejection', async () => {
    const shop = createShop()
    const seen: unknown[] = []
    const { url } = await startApp(createModule(shop, seen), { platform })
    const send = async (request: { body: string; headers: Record<string, string> }) =>
      deliver(`${url}/payments/ton`, request)
    const rejected = { body: '{"ok":false}' }
    expect(await send(deliveries.wrongSignature)).toEqual({ status: 401, ...rejected })
    expect(await send(deliveries.malformedWrongSignature)).toEqual({ status: 401, ...rejected })
    expect(await send({ body: '{}', headers: {} })).toEqual({ status: 401, ...rejected })
    expect(await send(deliveries.malformedRightSignature)).toEqual({ status: 400, ...rejected })
    expect(await send(signPayload('x'.repeat(70_000), SECRET))).toEqual({
      status: 413,
      ...rejected,
    })
    expect(seen).toEqual([])
    expect(await shop.orderStatus()).toBe('pending')
  })

  it('gets neither transfer nor order of an unsupported event that is acknowledged', async () => {
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

  it('S65 gets the order of the merchant whose secret signed the delivery', async () => {
    const shop = createShop([])
    for (const merchant of ['north', 'south']) shop.orders.add(toOrder('order-1', merchant))
    const options = optionsOf(shop, {}, { secrets: merchantOfPath })
    const seen: unknown[] = []
    const { url } = await startApp(moduleWith(options, seen), { platform })
    const send = (merchant: string) =>
      deliver(
        `${url}/payments/ton?merchant=${merchant}`,
        signPayload(transferCompleted(), `whsec_${merchant}`),
      )
    expect(await send('south')).toMatchObject({ body: 'paid' })
    expect(await send('north')).toMatchObject({ body: 'paid' })
    expect(seen).toMatchObject([
      { order: { merchant: 'south', status: 'completed' } },
      { order: { merchant: 'north', status: 'completed' } },
    ])
  })

  it('S60 serves the instance of its guard', async () => {
    const shop = createShop()
    const euros = createShop()
    const module = TonplugModule.forRoot({
      name: 'euros',
      ...optionsOf(euros, {}, { secrets: 'whsec_euros' }),
    })
    const { url } = await startApp(createModule(shop, [], module), { platform })
    const inEuros = signPayload(transferCompleted(), 'whsec_euros')
    expect(await deliver(`${url}/euros/ton`, deliveries.valid)).toMatchObject({ status: 401 })
    expect(await deliver(`${url}/euros/ton`, inEuros)).toMatchObject({ body: 'paid' })
    expect(await shop.orderStatus()).toBe('pending')
    expect(problemsOf(euros)).not.toContainEqual(expect.stringContaining('without a route'))
  })

  it('has one guard class per instance, which a test can override', async () => {
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
    const testing = await Test.createTestingModule({
      imports: [TonplugModule.forRoot({ name: 'euros', ...optionsOf(createShop()) })],
      controllers: [OverriddenController],
    })
      .overrideGuard(SignatureGuard.for('euros'))
      .useValue({ canActivate: () => true })
      .compile()
    const { url } = await listen(testing.createNestApplication(createAdapter(platform)))
    const unsigned = { body: '{}', headers: { 'content-type': 'application/json' } }
    expect(await deliver(`${url}/euros/ton`, unsigned)).toEqual({ status: 201, body: 'received' })
  })

  it('throws when a parameter decorator is used without the guard', async () => {
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
    expect(errors.join()).toContain('add @UseGuards(SignatureGuard)')
  })
})
