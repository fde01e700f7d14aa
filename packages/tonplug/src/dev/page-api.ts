import type { ChainApi, ChainState } from './chain/chain-api.js'
import type { GatewayApi, GatewayState } from './gateway-api.js'

/** The operations of the page. */
export interface PageApi {
  /** Absent without a simulated chain. */
  chain: ChainApi | undefined
  /** Absent without a webhook route. */
  gateway: GatewayApi | undefined
}

/** The state of the page. */
export interface PageState {
  chain: ChainState | null
  gateway: GatewayState | null
}

/** Returns the state of the page. */
export async function readPageState({ chain, gateway }: PageApi): Promise<PageState> {
  return {
    chain: (await chain?.state()) ?? null,
    gateway: (await gateway?.state()) ?? null,
  }
}
