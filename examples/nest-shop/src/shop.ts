import { fileURLToPath } from 'node:url'
import type { NestApplicationOptions } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Settings } from './settings.js'
import { ShopModule } from './shop.module.js'

const publicFolder = fileURLToPath(new URL('../public', import.meta.url))

/** Builds the shop, ready to listen. The webhook needs nothing here: no `rawBody`, no parser order. */
export async function createShop(
  settings: Settings,
  options: NestApplicationOptions = {},
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ShopModule.register(settings),
    new FastifyAdapter(),
    { abortOnError: false, ...options },
  )
  const fastify = app.getHttpAdapter().getInstance()
  fastify.addHook('onRequest', async (_request, reply) => {
    // Pages load from this server alone: no inline script, no foreign origin, no framing.
    reply.headers({
      'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
  })
  app.useStaticAssets({ root: publicFolder, wildcard: false })
  return app
}
