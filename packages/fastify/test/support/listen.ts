import type { Http2Session } from 'node:http2'
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
  const sessions = new Set<Http2Session>()
  app.server.on('session', (session: Http2Session) => sessions.add(session))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    port: Number(new URL(url).port),
    async close() {
      const closed = app.close()
      if ('closeAllConnections' in app.server) app.server.closeAllConnections()
      // On Node 20, a session of HTTP/2 whose request was refused stays open.
      for (const session of sessions) session.destroy()
      await closed
    },
  }
}
