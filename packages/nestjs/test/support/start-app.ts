import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import type { DynamicModule, INestApplication, NestApplicationOptions, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { AbstractHttpAdapter } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { onTestFinished } from 'vitest'

export const platforms = ['express', 'fastify'] as const
export type Platform = (typeof platforms)[number]

/** An app of Nest that listens until the test ends. */
export interface RunningApp {
  app: INestApplication
  port: number
  url: string
}

export interface StartOptions {
  platform: Platform
  /** For `NestFactory.create`. */
  options?: NestApplicationOptions
  /** What the user's main.ts does between creating the app and listening. */
  prepare?: (app: INestApplication) => unknown
  adapter?: AbstractHttpAdapter
}

export function createAdapter(platform: Platform): AbstractHttpAdapter {
  return platform === 'express' ? new ExpressAdapter() : new FastifyAdapter()
}

/** Creates an app as a main.ts does, and lets it listen. */
export async function startApp(
  module: Type | DynamicModule,
  { platform, options = {}, prepare, adapter }: StartOptions,
): Promise<RunningApp> {
  const app = await NestFactory.create(module, adapter ?? createAdapter(platform), {
    logger: false,
    abortOnError: false,
    forceCloseConnections: true,
    ...options,
  })
  await prepare?.(app)
  return listen(app)
}

/** Lets an app listen on a port of its own until the test ends. */
export async function listen(app: INestApplication): Promise<RunningApp> {
  await app.listen(0, '127.0.0.1')
  onTestFinished(() => close(app))
  // Node's server, by which HTTP platforms work.
  const server = app.getHttpServer() as Server
  // It listens on TCP.
  const { port } = server.address() as AddressInfo
  return { app, port, url: `http://127.0.0.1:${port}` }
}

async function close(app: INestApplication): Promise<void> {
  // As above.
  const server = app.getHttpServer() as Server
  server.closeAllConnections()
  await app.close()
}
