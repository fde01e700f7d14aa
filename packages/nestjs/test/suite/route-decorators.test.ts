import { Module, SetMetadata, UseGuards } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import { APP_GUARD, Reflector } from '@nestjs/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { platforms, startApp, type RunningApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'

const Public = () => SetMetadata('isPublic', true)

/** Lets only public routes pass, as the guards of Nest's documentation do. */
class LoginGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    return this.reflector.get<boolean>('isPublic', context.getHandler()) ?? false
  }
}

class CountingGuard implements CanActivate {
  static count = 0

  canActivate(): boolean {
    CountingGuard.count++
    return true
  }
}

describe.each(platforms)('decorators of the route of path, %s', (platform) => {
  async function start(decorators?: MethodDecorator[]): Promise<RunningApp> {
    @Module({
      imports: [
        TonplugModule.forRoot({ path: 'webhooks/ton', decorators, ...optionsOf(createShop()) }),
      ],
      providers: [
        {
          provide: APP_GUARD,
          inject: [Reflector],
          useFactory: (reflector: Reflector) => new LoginGuard(reflector),
        },
      ],
    })
    class AppModule {}
    return startApp(AppModule, { platform })
  }

  it('S59 let it pass a global guard that reads metadata', async () => {
    const { url } = await start([Public()])
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect((await fetch(`${url}/webhooks/ton`)).status).toBe(405)
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })

  it('S59 are absent by default, so that the guard rejects deliveries', async () => {
    const { url } = await start()
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 403 })
  })

  it('run a guard of their own once for each request', async () => {
    CountingGuard.count = 0
    const { url } = await start([Public(), UseGuards(CountingGuard)])
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(CountingGuard.count).toBe(1)
  })
})

describe('the route of path', () => {
  it.each([
    [{ path: '' }, /^path: must be the path of the webhook/],
    [{ path: 5 }, /^path: must be the path/],
    [{ path: null }, /^path: must be the path/],
    [{ path: ['a', 'b'] }, /^path: must be the path/],
    [{ path: 'a', decorators: Public() }, /^decorators: must be a list of decorators/],
    [{ path: 'a', decorators: [5] }, /^decorators: must be a list/],
    [{ path: 'a', decorators: null }, /^decorators: must be a list/],
  ])('is rejected with the options %j', (options, message) => {
    const given = { ...optionsOf(createShop()), ...options }
    expect(() => TonplugModule.forRoot(given as TonplugModuleOptions)).toThrow(message)
  })
})

describe('decorators without path', () => {
  it('are rejected, because no route would have them', () => {
    const options = { decorators: [Public()], ...optionsOf(createShop()) }
    expect(() => TonplugModule.forRoot(options)).toThrow(/^decorators: requires the option path/)
  })
})
