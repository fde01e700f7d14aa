import { HttpException, Inject, Injectable, mixin } from '@nestjs/common'
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common'
import type { TonplugInstances } from '../instances.js'
import { DEFAULT_INSTANCE, INSTANCES, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import type { PlatformRequest } from './raw-body.js'
import type { WebhookEndpoint } from './webhook-endpoint.js'

/**
 * Verifies and decides webhook requests of your own `@Post()` route. Throws an `HttpException` with the receiver's status for
 * a rejected request; for any other, the route runs after the decision, and `@Transfer()`, `@WebhookOrder()` and
 * `@WebhookDecision()` inject the results. Handle payments in a handler instead: the route also runs for repeated deliveries.
 * For a named instance, use `@UseGuards(SignatureGuard.for(name))`.
 * @example
 * ```ts
 * @Post('webhooks/ton')
 * @HttpCode(200)
 * @UseGuards(SignatureGuard)
 * received(@WebhookDecision() decision: Decision) {}
 * ```
 */
@Injectable()
export class SignatureGuard implements CanActivate {
  private static readonly byName = new Map<string, Type<SignatureGuard>>()

  constructor(
    @Inject(WEBHOOK_ENDPOINT) private readonly endpoint: WebhookEndpoint,
    @Inject(INSTANCES) instances: TonplugInstances,
  ) {
    instances.routed.add(this.instanceName)
  }

  /** Returns the guard of a named instance: always the same class, so that `overrideGuard` finds it. */
  static for(name: string): Type<SignatureGuard> {
    const guard = SignatureGuard.byName.get(name) ?? createNamedGuard(name)
    SignatureGuard.byName.set(name, guard)
    return guard
  }

  /** The instance whose deliveries it verifies. */
  get instanceName(): string {
    return DEFAULT_INSTANCE
  }

  /** @throws {HttpException} with the receiver's answer, unless its status is 2xx. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp()
    const request = http.getRequest<PlatformRequest>()
    const { answer } = await this.endpoint.receive(this.instanceName, request)
    if (answer.status < 300) return true
    throw new HttpException(this.endpoint.writeHead(http.getResponse(), answer), answer.status)
  }
}

function createNamedGuard(name: string): Type<SignatureGuard> {
  class NamedSignatureGuard extends SignatureGuard {
    override get instanceName(): string {
      return name
    }
  }
  return mixin(NamedSignatureGuard)
}
