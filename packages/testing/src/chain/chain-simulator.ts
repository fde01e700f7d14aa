import { toNano } from '@ton/core'
import { checkOptionNames, ConfigurationError } from '@tonplug/core'
import { checkPort } from './check-options.js'
import { createChain, type Chain, type ChainOptions } from './chain.js'
import type { ChainSnapshot } from './chain-snapshot.js'
import { startApiServer, type ServedApi } from './http-server.js'
import { deployJetton, type JettonOptions, type SimulatedJetton } from './simulated-jetton.js'
import { openWallet, type SimulatedWallet, type WalletOptions } from './simulated-wallet.js'
import type { V2Dialect } from './v2/question.js'
import { mountV2Api } from './v2/server.js'
import { mountV3Api, type V3Server } from './v3/server.js'

/** How a simulated chain begins. */
export interface ChainSimulatorOptions extends ChainOptions {
  /** Of both APIs on the loopback. @default any free one */
  port?: number
  /** Which of its two servers API v2 is like. @default 'cpp', the newer one */
  dialect?: V2Dialect
}

const NAMES: Record<keyof ChainSimulatorOptions, true> = {
  now: true,
  firstLt: true,
  maxTransactions: true,
  port: true,
  dialect: true,
}

/** A chain in this process, and both APIs of TON Center over it on one local port. */
export interface ChainSimulator extends Chain {
  /** What `createV2Client` and `createV3Client` take for `baseUrl`: `/api/v2`, `/api/v2/jsonRPC` and `/api/v3` are below. */
  readonly url: string
  /** What arrives at API v2, and faults to answer it with. */
  readonly v2Server: ServedApi
  /** What arrives at API v3, faults to answer it with, and how far its index has come. */
  readonly v3Server: V3Server
  /** A wallet with coins from the faucet; its first message deploys it. */
  createWallet(options?: WalletOptions): Promise<SimulatedWallet>
  /** A jetton of which anyone may be given any amount. */
  deployJetton(options?: JettonOptions): Promise<SimulatedJetton>
  /** The jettons that were deployed. */
  readonly jettons: readonly SimulatedJetton[]
  /** Closes the port. */
  close(): Promise<void>
}

/**
 * Begins a chain and serves it on a local port. Any number may run in one process.
 * @throws {ConfigurationError} when an option cannot work.
 */
export async function createChainSimulator(
  given: ChainSimulatorOptions = {},
): Promise<ChainSimulator> {
  checkOptionNames(given, Object.keys(NAMES))
  const { port, dialect = 'cpp', ...options } = given
  checkPort('port', port)
  if (dialect !== 'cpp' && dialect !== 'python') {
    const problem = `it is ${JSON.stringify(dialect)}; give 'cpp' or 'python'`
    throw new ConfigurationError({ option: 'dialect', problem })
  }
  const chain = await createChain(options)
  const server = await startApiServer(port)
  const snapshot = chain.snapshot.bind(chain)
  const restore = chain.restore.bind(chain)
  const reset = chain.reset.bind(chain)
  const then = new WeakMap<
    ChainSnapshot,
    { wallets: number; jettons: readonly SimulatedJetton[] }
  >()
  let wallets = 0
  const jettons: SimulatedJetton[] = []
  return Object.assign(chain, {
    url: server.url,
    v2Server: mountV2Api(server, chain, dialect),
    v3Server: mountV3Api(server, chain),
    async createWallet({
      version = 'v5',
      balance = toNano(100),
      seed = FIRST_SEED + wallets++,
    }: WalletOptions = {}) {
      const wallet = openWallet(chain, version, seed)
      if (balance > 0n) await chain.fund(wallet.address, balance)
      return wallet
    },
    jettons,
    async deployJetton(options: JettonOptions = {}) {
      const jetton = await deployJetton(chain, options)
      jettons.push(jetton)
      return jetton
    },
    // The same calls after it make the same wallets.
    async snapshot() {
      const taken = await snapshot()
      then.set(taken, { wallets, jettons: [...jettons] })
      return taken
    },
    async restore(taken: ChainSnapshot) {
      await restore(taken)
      const was = then.get(taken) ?? { wallets, jettons }
      wallets = was.wallets
      jettons.splice(0, Infinity, ...was.jettons)
    },
    async reset() {
      await reset()
      wallets = 0
      jettons.length = 0
    },
    close: () => server.close(),
  })
}

/** Tests choose small numbers. */
const FIRST_SEED = 1_000_000
