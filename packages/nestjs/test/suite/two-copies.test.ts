import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { createShop, optionsOf } from '../support/shop.js'

/** Loads the copy of `@nestjs/core` of another major. */
async function loadOtherCore(): Promise<typeof import('@nestjs/core')> {
  const other = process.env['NEST_MAJOR'] === '10' ? 'nest-11' : 'nest-10'
  const folder = createRequire(resolve(import.meta.dirname, `../${other}/package.json`))
  return import(pathToFileURL(folder.resolve('@nestjs/core')).href) as never
}

it('names npm ls @nestjs/core when the app has another copy of it', async () => {
  const { NestFactory } = await loadOtherCore()
  const shop = createShop()
  const start = NestFactory.createApplicationContext(
    TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop) }),
    { logger: false, abortOnError: false },
  )
  await expect(start).rejects.toThrow(/^@nestjs\/core: .*npm ls @nestjs\/core/)
})
