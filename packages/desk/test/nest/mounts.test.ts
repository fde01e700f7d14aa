import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { DynamicModule, INestApplication, NestApplicationOptions } from '@nestjs/common'
import { DeskModule } from '@tonplug/desk/nestjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ADDS_SLASH, exerciseDesk, readRedirect, WORKING } from '../exercise.js'
import { openShop, optionsFor, report } from '../shop.js'

const PLATFORMS = ['express', 'fastify'] as const
type Platform = (typeof PLATFORMS)[number]

describe.each(PLATFORMS)(`Nest ${process.env['NEST_MAJOR']} on %s`, (platform) => {
  it('has a desk at /tonplug', async () => {
    const url = await start(platform, DeskModule.forRoot(await options()))
    expect(await exerciseDesk(`${url}/tonplug`)).toEqual(WORKING)
    expect(await readRedirect(`${url}/tonplug`)).toMatch(ADDS_SLASH)
  })

  it('has a desk at its path below the global prefix', async () => {
    const module = DeskModule.forRoot({ ...(await options()), path: 'admin/desk' })
    const url = await start(platform, module, (app) => app.setGlobalPrefix('shop/v1'))
    expect(await exerciseDesk(`${url}/shop/v1/admin/desk`)).toEqual(WORKING)
    expect(await readRedirect(`${url}/shop/v1/admin/desk`)).toMatch(ADDS_SLASH)
    expect((await fetch(`${url}/admin/desk/`)).status).toBe(404)
  })

  it('takes options from a factory, and two desks', async () => {
    const other = openShop({ name: 'other' })
    const second = DeskModule.forRoot({ ...optionsFor(other.payments), path: 'other' })
    const first = DeskModule.forRootAsync({ useFactory: options, path: 'desk' })
    const url = await start(platform, [first, second])
    expect(await exerciseDesk(`${url}/desk`)).toEqual(WORKING)
    expect(await readRedirect(`${url}/other`)).toMatch(ADDS_SLASH)
  })

  it('works without the parsers of Nest', async () => {
    const module = DeskModule.forRoot(await options())
    const url = await start(platform, module, undefined, { bodyParser: false })
    expect(await exerciseDesk(`${url}/tonplug`)).toEqual(WORKING)
  })

  it('changes nothing about other paths', async () => {
    const url = await start(platform, DeskModule.forRoot(await options()))
    const other = await fetch(`${url}/tonplugs`)
    expect(other.status).toBe(404)
    expect(other.headers.get('content-security-policy')).toBeNull()
  })

  it('does not start without authorize, and at no path', async () => {
    const { authorize: _authorize, ...rest } = await options()
    const unsafe = DeskModule.forRoot(rest as Awaited<ReturnType<typeof options>>)
    await expect(start(platform, unsafe)).rejects.toThrow(/authorize: must be a function/)
    const everywhere = DeskModule.forRoot({ ...(await options()), path: '/' })
    await expect(start(platform, everywhere)).rejects.toThrow(/path: must not be empty/)
  })
})

/** Returns the options of a desk with one transfer that can be decided again. */
async function options() {
  const { payments } = openShop()
  await report(payments, { rawAmount: '7', amount: '0.000000007' })
  return optionsFor(payments, { actions: true })
}

/** The module of an app. */
class App {}

async function start(
  platform: Platform,
  imports: DynamicModule | DynamicModule[],
  prepare?: (app: INestApplication) => unknown,
  settings: NestApplicationOptions = {},
): Promise<string> {
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter()
  const module = { module: App, imports: [imports].flat() }
  const app = await NestFactory.create(module, adapter, {
    logger: false,
    abortOnError: false,
    forceCloseConnections: true,
    ...settings,
  })
  onTestFinished(() => app.close())
  prepare?.(app)
  await app.listen(0, '127.0.0.1')
  return (await app.getUrl()).replace('[::1]', '127.0.0.1')
}
