import { fastify as fastify5, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { fastify as fastify4 } from 'fastify4'

type CreateApp = (options?: FastifyServerOptions) => FastifyInstance

/** Both majors with the types of the newer one; `check:consumers` checks each with its own types. */
export const fastifyVersions: readonly (readonly [name: string, createApp: CreateApp])[] = [
  // The API that the tests use is the same in both.
  ['Fastify 4', fastify4 as unknown as CreateApp],
  ['Fastify 5', fastify5 as CreateApp],
]

export type { CreateApp }
