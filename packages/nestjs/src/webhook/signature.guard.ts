import { HttpException, Inject, Injectable, mixin } from '@nestjs/common'
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common'
import { DEFAULT_INSTANCE, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import { toNodeRequest } from './platform-request.js'
import type { PlatformRequest } from './platform-request.js'
import { storeReceived } from './received-deliveries.js'
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

  constructor(@Inject(WEBHOOK_ENDPOINT) private readonly endpoint: WebhookEndpoint) {}

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
    const received = await this.endpoint.receive(this.instanceName, request)
    storeReceived(toNodeRequest(request), received)
    const { answer } = received
    if (answer.status < 300) return true
    const body = this.endpoint.writeHead(http.getResponse(), answer)
    throw new HttpException(body, answer.status)
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

/** Returns the instance of the first {@link SignatureGuard} in the metadata of `@UseGuards`. */
export function findGuardedInstance(guards: readonly unknown[]): string | undefined {
  for (const guard of guards) {
    if (guard === SignatureGuard) return DEFAULT_INSTANCE
    const candidate: unknown = typeof guard === 'function' ? guard.prototype : guard
    if (candidate instanceof SignatureGuard) return candidate.instanceName
  }
  return undefined
}
