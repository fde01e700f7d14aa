import { WebSocketServer } from 'ws'
import type { Chain } from '../chain/chain.js'
import type { ApiServer } from '../server/http-server.js'
import { Connections } from './connections.js'
import type { StreamFaults } from './faults.js'
import { serveSse } from './sse-connection.js'
import type { Finality } from './subscription.js'
import { createTraceFeed } from './trace-feed.js'
import { serveWebSocket } from './web-socket-connection.js'

/** The simulated Streaming API, by server-sent events and WebSocket. */
export interface StreamServer {
  /** The number of open connections. */
  readonly connections: number
  /** The number of connections that were opened. */
  readonly opened: number
  /** The number of connections that were refused because of `maxConnections`. */
  readonly refused: number
  /** Its faults; tests set them. */
  readonly faults: StreamFaults
  /**
   * The finality that a trace reaches as soon as it is complete. Tests lower it, and set `v3Server.lagBlocks` accordingly.
   * @default 'finalized'
   */
  finality: Finality
  /** Reports each trace that is complete and not final as final. */
  finalize(): Promise<void>
  /** Resolves when the events of all blocks have been sent. */
  sent(): Promise<void>
  /** Sends the comment that keeps server-sent events alive, which also happens every 15 seconds. */
  keepAlive(): void
  /** Sends any text as an event to all connections. */
  send(text: string): void
  /** Ends all connections abruptly, as a restart of the server does. */
  disconnect(): void
}

const BASE = '/api/streaming/v2'
const MAX_MESSAGE_BYTES = 1_048_576

/** Serves the Streaming API over a chain. */
export function mountStream(http: ApiServer, chain: Chain): StreamServer {
  const connections = new Connections()
  const { all, faults } = connections
  const feed = createTraceFeed(chain, connections)
  const disconnect = (): void => all.forEach((one) => one.destroy())
  serveConnections(http, connections, disconnect)
  return {
    get connections() {
      return all.size
    },
    get opened() {
      return connections.opened
    },
    get refused() {
      return connections.refused
    },
    faults,
    get finality() {
      return feed.finality
    },
    set finality(finality) {
      feed.finality = finality
    },
    finalize: () => feed.finalize(),
    sent: () => feed.sent(),
    keepAlive: () => all.forEach((one) => one.keepAlive()),
    send: (text) => all.forEach((one) => one.sendText(text)),
    disconnect,
  }
}

function serveConnections(http: ApiServer, connections: Connections, close: () => void): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  http.mountConnections(BASE, {
    request(message, response) {
      if (message.url?.split('?')[0] === `${BASE}/sse`) {
        void serveSse(connections, message, response)
      } else response.writeHead(404).end()
    },
    upgrade(message, socket, head) {
      if (message.url?.split('?')[0] !== `${BASE}/ws`) socket.destroy()
      else sockets.handleUpgrade(message, socket, head, (one) => serveWebSocket(connections, one))
    },
    close,
  })
}
