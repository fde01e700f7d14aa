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
  /** Called between the creation of the app and `listen`, as code of a main.ts. */
  prepare?: (app: INestApplication) => unknown
  adapter?: AbstractHttpAdapter
}

export function createAdapter(platform: Platform): AbstractHttpAdapter {
  return platform === 'express' ? new ExpressAdapter() : new FastifyAdapter()
}

/** Creates an app as a main.ts does, and starts to listen. */
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

/** Makes an app listen on a free port until the test ends. */
export async function listen(app: INestApplication): Promise<RunningApp> {
  await app.listen(0, '127.0.0.1')
  onTestFinished(() => closeApp(app))
  // HTTP platforms use Node's server.
  const server = app.getHttpServer() as Server
  // A server that listens on TCP has a port.
  const { port } = server.address() as AddressInfo
  return { app, port, url: `http://127.0.0.1:${port}` }
}

/** Closes an app and its open connections. */
export async function closeApp(app: INestApplication): Promise<void> {
  // As above; a server of HTTP/2 does not have this method.
  const server = app.getHttpServer() as Partial<Server>
  server.closeAllConnections?.()
  await app.close()
}
