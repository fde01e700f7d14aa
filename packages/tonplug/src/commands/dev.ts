import { ConfigurationError } from '@tonplug/core'
import type { AttemptSummary } from '../dev/attempt-log.js'
import { createChainApi, type ChainAddresses, type ShopVariable } from '../dev/chain/chain-api.js'
import { openDevChain, type OpenedChain } from '../dev/chain/dev-chain.js'
import { openChain } from '../dev/chain/open-chain.js'
import { explainedFetch } from '../dev/explained-fetch.js'
import { openGatewayBackend } from '../dev/gateway-backend.js'
import { createGatewayApi, type GatewayEnvironment } from '../dev/gateway-api.js'
import { openNetworkBackend, type WatchedNetwork } from '../dev/network-backend.js'
import { servePage } from '../dev/page-server.js'
import type { PageApi } from '../dev/page-api.js'
import { openSimulatorBackend } from '../dev/simulator-backend.js'
import type { PaymentBackend } from '../dev/payment-backend.js'
import { UsageError } from '../failure.js'
import { explainPort } from '../port.js'
import type { SourcedSecret } from '../secret.js'
import { untilInterrupted } from '../until-interrupted.js'

/** Options of `tonplug dev`. */
export interface Development {
  /** The gateway that signs webhooks; absent without a webhook route. */
  gateway: DevGateway | undefined
  /** The route of the shop that streams the status of an order, with `:reference`. */
  shopRoute: string
  /** Port of the page; the gateway and the chain use the next two. 0 for free ones. */
  port: number
  print: (event: DevEvent) => void
}

/** Settings of the gateway. */
export interface DevGateway {
  /** The webhook route. */
  url: string
  secret: SourcedSecret
  apiKey: SourcedSecret | undefined
  /** Name of the signature header. */
  header: string
  hasChain: boolean
  /** The network to watch instead of a simulated chain. */
  network: WatchedNetwork | undefined
}

/** The addresses of the running servers, and the sources of the secrets. */
export interface DevStart {
  page: string
  chain: DevChainStart | null
  gateway: DevGatewayStart | null
}

/** The simulated chain, and what points a shop at it. */
export interface DevChainStart {
  url: string
  environment: ShopVariable[]
  shopRoute: string
}

/** The gateway, and what it signs with. */
export interface DevGatewayStart extends Omit<GatewayEnvironment, 'tickers'> {
  secret: { source: string }
  apiKey: { source: string } | null
}

/** Callbacks for the output. */
export type DevEvent = { start: DevStart } | { attempt: AttemptSummary }

/** The operations of the page, and the servers behind it. */
interface Running {
  api: PageApi
  start: () => Omit<DevStart, 'page'>
  close(): Promise<void>
}

/**
 * Runs a simulated chain, and with a webhook route a mock gateway, with a web page until it is interrupted.
 * @throws {CommandError} when a port is in use.
 * @throws {UsageError} when an option is invalid.
 */
export async function dev(development: Development): Promise<void> {
  const { port, print } = development
  const served = { url: '' }
  const running = await start({ ...development, pageUrl: () => served.url })
  try {
    const page = await servePage(running.api, port).catch((error: unknown) => {
      throw explainPort(port, error)
    })
    served.url = page.url
    print({ start: { page: page.url, ...running.start() } })
    await untilInterrupted()
    await page.close()
  } finally {
    await running.close()
  }
}

async function start(development: Development & Pick<ChainAddresses, 'pageUrl'>): Promise<Running> {
  const { gateway, port } = development
  if (gateway === undefined) {
    const opened = await explainingPorts(() => openChain(port === 0 ? 0 : port + 2))
    const chain = await startChain(opened, development)
    return { ...startWith(chain), close: () => chain.close().then(() => opened.chain.close()) }
  }
  const backend = await openBackend(gateway, port)
  const chain = backend.opened && (await startChain(backend.opened, development))
  const close = async (): Promise<void> => {
    await chain?.close()
    await backend.close()
  }
  return { ...startWith(chain, startGateway(backend, gateway, development)), close }
}

function startWith(
  chain: StartedChain | undefined,
  gateway?: StartedGateway,
): Omit<Running, 'close'> {
  return {
    api: { chain: chain?.api, gateway: gateway?.api },
    start: () => ({ chain: chain?.start() ?? null, gateway: gateway?.start ?? null }),
  }
}

interface StartedChain {
  api: NonNullable<PageApi['chain']>
  start: () => DevChainStart
  close(): Promise<void>
}

async function startChain(
  opened: OpenedChain,
  { shopRoute, pageUrl }: ChainAddresses,
): Promise<StartedChain> {
  const devChain = await openDevChain(opened)
  const api = createChainApi(devChain, { shopRoute, pageUrl })
  return {
    api,
    start: () => ({ url: opened.chain.url, environment: api.environment(), shopRoute }),
    async close() {
      devChain.stop()
      api.close()
    },
  }
}

interface StartedGateway {
  api: NonNullable<PageApi['gateway']>
  start: DevGatewayStart
}

function startGateway(
  backend: PaymentBackend,
  { url, header, secret, apiKey }: DevGateway,
  { print }: Pick<Development, 'print'>,
): StartedGateway {
  const { gatewayUrl, chainUrl = null, merchant, buyer, isNetwork } = backend
  const environment = { webhookUrl: url, header, gatewayUrl, chainUrl, merchant, buyer, isNetwork }
  const onAttempt = (attempt: AttemptSummary): void => print({ attempt })
  const sources = {
    secret: { source: secret.source },
    apiKey: apiKey === undefined ? null : { source: apiKey.source },
  }
  return {
    api: createGatewayApi(backend, { ...environment, onAttempt }),
    start: { ...environment, ...sources },
  }
}

async function openBackend(gateway: DevGateway, port: number): Promise<PaymentBackend> {
  const { url, header, secret, apiKey, hasChain, network } = gateway
  const keys = { secret: secret.value, apiKey: apiKey?.value }
  const options = { url, header, ...keys, fetch: explainedFetch }
  const ports = port === 0 ? { gateway: 0, chain: 0 } : { gateway: port + 1, chain: port + 2 }
  return explainingPorts(() => {
    if (network !== undefined) return openNetworkBackend(options, ports.gateway, network)
    return hasChain
      ? openSimulatorBackend({ ...options, ports })
      : openGatewayBackend(options, ports.gateway)
  })
}

/** Explains a port in use and an invalid option. */
async function explainingPorts<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message)
    if (isPortError(error)) throw explainPort(error.port, error)
    throw error
  }
}

function isPortError(error: unknown): error is Error & { port: number } {
  return error instanceof Error && 'port' in error && typeof error.port === 'number'
}
