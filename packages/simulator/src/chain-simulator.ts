import { toNano } from '@ton/core'
import { z } from 'zod'
import { port } from './shared/check-options.js'
import { createChain, type Chain, type ChainOptions } from './chain/chain.js'
import type { ChainSnapshot } from './chain/chain-snapshot.js'
import { startApiServer, type ServedApi } from './server/http-server.js'
import { deployJetton, type JettonOptions, type SimulatedJetton } from './chain/simulated-jetton.js'
import { openWallet, type SimulatedWallet, type WalletOptions } from './chain/simulated-wallet.js'
import type { V2Dialect } from './v2/method-call.js'
import { mountStream, type StreamServer } from './stream/server.js'
import { mountV2Api } from './v2/server.js'
import { mountV3Api, type V3Server } from './v3/server.js'
import { parseOptions } from '@tonplug/core/internal'

/** Options of a chain simulator. */
export interface ChainSimulatorOptions extends ChainOptions {
  /** Port of both APIs on the loopback interface. @default 0, a free one */
  port?: number
  /** The simulated server of API v2. @default 'cpp', the newer one */
  dialect?: V2Dialect
}

// The chain checks its values.
const ofChain = z.any().optional()

const OPTIONS = z.strictObject({
  now: ofChain,
  firstLt: ofChain,
  maxTransactions: ofChain,
  port: port.optional(),
  dialect: z.enum(['cpp', 'python']).default('cpp'),
} satisfies Record<keyof ChainSimulatorOptions, z.ZodType>)

/** A simulated chain, with API v2, API v3, the emulation service and the Streaming API of TON Center on one local port. */
export interface ChainSimulator extends Chain {
  /** What `createV2Client` and `createV3Client` take for `baseUrl`: `/api/v2`, `/api/v2/jsonRPC` and `/api/v3` are below. */
  readonly url: string
  /** API v2: its requests and faults. */
  readonly v2Server: ServedApi
  /** API v3: its requests and faults, and the progress of the index. */
  readonly v3Server: V3Server
  /** The emulation service: its requests and faults. */
  readonly emulationServer: ServedApi
  /** The Streaming API, which `createStream` opens with this `url`: its connections and faults. */
  readonly streamServer: StreamServer
  /** Creates a wallet with coins from the faucet. Its first message deploys it. */
  createWallet(options?: WalletOptions): Promise<SimulatedWallet>
  /** Deploys a jetton that can be minted without limit. */
  deployJetton(options?: JettonOptions): Promise<SimulatedJetton>
  /** The deployed jettons. */
  readonly jettons: readonly SimulatedJetton[]
  /** Closes the port. */
  close(): Promise<void>
}

/**
 * Creates a simulated chain and serves it on a local port. A process may run any number of them.
 * @throws {ConfigurationError} when an option is invalid.
 */
export async function createChainSimulator(
  given: ChainSimulatorOptions = {},
): Promise<ChainSimulator> {
  const { port: portNumber, dialect, ...options } = parseOptions(OPTIONS, given)
  const chain = await createChain(options)
  const server = await startApiServer(portNumber)
  const created: CreatedAccounts = { wallets: 0, jettons: [] }
  return Object.assign(chain, {
    url: server.url,
    v2Server: mountV2Api(server, chain, dialect),
    ...mountV3Api(server, chain),
    streamServer: mountStream(server, chain),
    async createWallet({
      version = 'v5',
      balance = toNano(100),
      seed = FIRST_SEED + created.wallets++,
    }: WalletOptions = {}) {
      const wallet = openWallet(chain, version, seed)
      if (balance > 0n) await chain.fund(wallet.address, balance)
      return wallet
    },
    jettons: created.jettons,
    async deployJetton(options: JettonOptions = {}) {
      const jetton = await deployJetton(chain, options)
      created.jettons.push(jetton)
      return jetton
    },
    ...restoreWith(chain, created),
    close: () => server.close(),
  })
}

/** The wallets and jettons that a chain simulator has created. */
interface CreatedAccounts {
  /** Number of wallets without a given seed. */
  wallets: number
  jettons: SimulatedJetton[]
}

/** Restores the created accounts with the chain: after a restore, the same calls create the same wallets. */
function restoreWith(
  chain: Chain,
  created: CreatedAccounts,
): Pick<Chain, 'snapshot' | 'restore' | 'reset'> {
  const snapshot = chain.snapshot.bind(chain)
  const restore = chain.restore.bind(chain)
  const reset = chain.reset.bind(chain)
  const saved = new WeakMap<ChainSnapshot, CreatedAccounts>()
  const setCreated = ({ wallets, jettons }: CreatedAccounts): void => {
    created.wallets = wallets
    created.jettons.splice(0, Infinity, ...jettons)
  }
  return {
    async snapshot() {
      const taken = await snapshot()
      saved.set(taken, { ...created, jettons: [...created.jettons] })
      return taken
    },
    async restore(taken) {
      await restore(taken)
      setCreated(saved.get(taken) ?? created)
    },
    async reset() {
      await reset()
      setCreated({ wallets: 0, jettons: [] })
    },
  }
}

/** Seeds of tests are small numbers. */
const FIRST_SEED = 1_000_000
