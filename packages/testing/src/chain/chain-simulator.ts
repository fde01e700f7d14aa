import { toNano } from '@ton/core'
import { createChain, type Chain } from './chain.js'
import { startApiServer, type ServedApi } from './http-server.js'
import { deployJetton, type JettonOptions, type SimulatedJetton } from './simulated-jetton.js'
import { openWallet, type SimulatedWallet, type WalletOptions } from './simulated-wallet.js'
import { mountV2Api } from './v2/server.js'
import { mountV3Api, type V3Server } from './v3/server.js'

/** How a simulated chain begins. */
export interface ChainSimulatorOptions {
  /**
   * Unix seconds: where the chain's time begins, and stands until it is moved; or a function that tells them at each
   * moment. @default the time of this machine
   */
  now?: number | (() => number)
  /** Of both APIs on the loopback. @default any free one */
  port?: number
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

/** Begins a chain and serves it on a local port. Any number may run in one process. */
export async function createChainSimulator({
  port,
  ...options
}: ChainSimulatorOptions = {}): Promise<ChainSimulator> {
  const chain = await createChain(options)
  const server = await startApiServer(port)
  let wallets = 0
  const jettons: SimulatedJetton[] = []
  return Object.assign(chain, {
    url: server.url,
    v2Server: mountV2Api(server, chain),
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
    close: () => server.close(),
  })
}

/** Tests choose small numbers. */
const FIRST_SEED = 1_000_000
