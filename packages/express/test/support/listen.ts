import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server that listens. */
export interface ListeningServer {
  server: Server
  port: number
  url: string
  /** Returns the bytes that closed connections have received. */
  bytesRead(): number
  /** Resolves when no connection is open any more. */
  allClosed(): Promise<void>
  /** Ends the server and its connections. */
  close(): Promise<void>
}

/** Serves an app on a free port until the test ends. */
export async function listen(
  app: RequestListener,
  options: ServerOptions = {},
): Promise<ListeningServer> {
  const server = await startServer(app, options)
  onTestFinished(() => server.close())
  return server
}

/** Serves an app on a free port. */
export async function startServer(
  app: RequestListener,
  options: ServerOptions = {},
): Promise<ListeningServer> {
  const server = createServer({ keepAliveTimeout: 60_000, ...options }, app)
  let openCount = 0
  let bytesRead = 0
  server.on('connection', (socket: Socket) => {
    openCount += 1
    socket.once('close', () => {
      bytesRead += socket.bytesRead
      openCount -= 1
      server.emit('connectionClosed')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  return {
    server,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    bytesRead: () => bytesRead,
    async allClosed() {
      while (openCount > 0) await once(server, 'connectionClosed')
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
