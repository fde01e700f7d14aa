import { HttpException, Inject, Injectable, mixin } from '@nestjs/common'
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common'
import { DEFAULT_INSTANCE, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import { toNodeRequest } from './platform-request.js'
import type { PlatformRequest } from './platform-request.js'
import { keepReceived } from './received-deliveries.js'
import type { WebhookEndpoint } from './webhook-endpoint.js'

/**
 * Lets a webhook request through to a `@Post()` of your own after the receiver has taken it to a decision; throws an
 * `HttpException` with the receiver's status when it refuses. `@Transfer()`, `@WebhookOrder()` and
 * `@WebhookDecision()` give the method what was found. What must happen for a payment still belongs into a handler:
 * repetitions come here too. For an instance with a name: `@UseGuards(SignatureGuard.for(name))`.
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

  /** The guard of the instance with this name: one class, so that `overrideGuard` finds it. */
  static for(name: string): Type<SignatureGuard> {
    const guard = SignatureGuard.byName.get(name) ?? createNamedGuard(name)
    SignatureGuard.byName.set(name, guard)
    return guard
  }

  /** The instance whose deliveries it takes. */
  get instanceName(): string {
    return DEFAULT_INSTANCE
  }

  /** @throws {HttpException} with the receiver's answer, when that is not a 2xx. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp()
    const request = http.getRequest<PlatformRequest>()
    const received = await this.endpoint.receive(this.instanceName, request)
    keepReceived(toNodeRequest(request), received)
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

/** The instance of the first {@link SignatureGuard} among guards as `@UseGuards` keeps them. */
export function findGuardedInstance(guards: readonly unknown[]): string | undefined {
  for (const guard of guards) {
    if (guard === SignatureGuard) return DEFAULT_INSTANCE
    const candidate: unknown = typeof guard === 'function' ? guard.prototype : guard
    if (candidate instanceof SignatureGuard) return candidate.instanceName
  }
  return undefined
}
