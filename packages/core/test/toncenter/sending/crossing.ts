import { Address, beginCell, external, storeMessage } from '@ton/core'
import { normalizedHash } from '../../../src/toncenter/chain/normalized-hash.js'
import type { SendClients } from '../../../src/toncenter/chain/send-and-wait.js'
import type { TransportOptions } from '../../../src/toncenter/transport/options.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { startMockNetwork, type MockNetwork } from './mock-network.js'
import { createDrivenClock, type DrivenClock } from './driven-clock.js'

/** A message from outside, as a wallet's owner signs one. */
export const boc = beginCell()
  .store(
    storeMessage(
      external({
        to: new Address(0, Buffer.alloc(32, 7)),
        body: beginCell().storeUint(0x7369676e, 32).storeUint(160, 32).endCell(),
      }),
    ),
  )
  .endCell()
  .toBoc()
  .toString('base64')

/** Clients, and the chain that they talk to. */
export interface Crossing extends DrivenClock {
  clients: SendClients
  chain: MockNetwork
  /** The normalized hash of the message. */
  hash: string
}

/** @param options of the transport of both clients */
export async function startCrossing(options: TransportOptions = {}): Promise<Crossing> {
  const driven = createDrivenClock(() => chain.hanging)
  const { clock } = driven
  const hash = await normalizedHash(boc)
  const chain = await startMockNetwork(clock, hash)
  const transport = createTransport({
    baseUrl: chain.baseUrl,
    clock,
    rps: Infinity,
    random: () => 0.5,
    fetch: driven.fetch,
    ...options,
  })
  const clients = { v2: createV2Client({ transport }), v3: createV3Client({ transport }) }
  return { ...driven, clients, chain, hash }
}
