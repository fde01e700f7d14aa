import { createChain, type Chain } from './chain.js'
import type { RunningServer } from './http-server.js'
import { startV2Server } from './v2/server.js'
import { startV3Server, type V3Server } from './v3/server.js'

/** A chain behind both APIs. */
export interface ServedChain {
  chain: Chain
  v2Server: RunningServer
  v3Server: V3Server
  /** Closes both servers. */
  close(): Promise<void>
}

/** Begins a chain and serves it on two local ports. */
export async function serveChain(
  options?: Parameters<typeof createChain>[0],
): Promise<ServedChain> {
  const chain = await createChain(options)
  const v2Server = await startV2Server(chain)
  const v3Server = await startV3Server(chain)
  return {
    chain,
    v2Server,
    v3Server,
    async close() {
      await v2Server.close()
      await v3Server.close()
    },
  }
}
