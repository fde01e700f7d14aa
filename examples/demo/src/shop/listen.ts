import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const IDLE_SWEEP_MS = 50
const GRACE_MS = 2000

/** The part of a shop that a server needs. */
export interface ServedShop {
  app: RequestListener
  close(): Promise<void>
}

/** A shop with a server in front. */
export interface ListeningShop {
  /** For example `http://127.0.0.1:3000`. */
  url: string
  /** Accepts no new connections, waits for running work, then closes the remaining connections. */
  close(): Promise<void>
}

/** Serves a shop on the loopback interface. Port 0 selects a free port. */
export async function listen(shop: ServedShop, port: number): Promise<ListeningShop> {
  const server = createServer(shop.app)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // An address of a listening TCP server is always an object.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await shop.close()
      // Clients keep connections open: close each one when it is idle, and all of them after the grace period.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
      const end = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      await closed
      clearInterval(sweep)
      clearTimeout(end)
    },
  }
}
