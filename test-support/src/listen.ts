import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens on a free port. */
export interface Listening {
  url: string
  close: () => Promise<void>
}

/** Starts a server on a free port. `close` also ends its connections. */
export async function listen(onRequest: RequestListener): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, onRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has an AddressInfo, not a pipe name.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks/ton`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
