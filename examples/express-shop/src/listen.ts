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
  /** As `http://127.0.0.1:3000`. */
  url: string
  /** Takes no new connections, drains what is running, then closes the others. */
  close(): Promise<void>
}

/** Serves a shop on the loopback interface. Port 0 takes a free one. */
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
      // Clients keep their connections open for a while; close each as soon as its last answer is out, and after a
      // while those too whose request never becomes complete.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
      const end = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      await closed
      clearInterval(sweep)
      clearTimeout(end)
    },
  }
}
