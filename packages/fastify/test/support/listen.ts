import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'

/** An app that listens. */
export interface ListeningApp {
  url: string
  port: number
  /** Closes the app and its connections. */
  close(): Promise<void>
}

/** Serves an app on a free port until the test ends. */
export async function listen(app: FastifyInstance): Promise<ListeningApp> {
  const listening = await startApp(app)
  onTestFinished(() => listening.close())
  return listening
}

/** Serves an app on a free port. */
export async function startApp(app: FastifyInstance): Promise<ListeningApp> {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    port: Number(new URL(url).port),
    async close() {
      const closed = app.close()
      // Servers of HTTP/2 close their own sessions.
      if ('closeAllConnections' in app.server) app.server.closeAllConnections()
      await closed
    },
  }
}
