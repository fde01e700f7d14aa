import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** `fetch` refuses to connect to it. */
const BLOCKED_BY_FETCH = 10_080

/**
 * Returns a free port, for a server that another program starts, or for none. It is below the range of port 0, from which a server
 * of another test could take it first.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    if (port === BLOCKED_BY_FETCH) continue
    const server = createServer().listen(port)
    try {
      await once(server, 'listening')
    } catch {
      // Another server has it.
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
