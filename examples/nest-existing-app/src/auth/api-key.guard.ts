import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Inject, Injectable, UnauthorizedException } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { IS_PUBLIC } from './public.decorator'

/** The injection token of the key. */
export const API_KEY = Symbol('API key')

/** Requires the API key on every route that is not public. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(API_KEY) private readonly key: string,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()]
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets)) return true
    const { headers } = context.switchToHttp().getRequest<IncomingMessage>()
    if (isEqual(String(headers['x-api-key'] ?? ''), this.key)) return true
    throw new UnauthorizedException('Send the API key as X-Api-Key')
  }
}

function isEqual(given: string, key: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(key)]
  return one.length === other.length && timingSafeEqual(one, other)
}
