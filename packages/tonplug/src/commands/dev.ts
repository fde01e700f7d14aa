import { ConfigurationError } from '@tonplug/core'
import type { AttemptSummary } from '../dev/attempt-log.js'
import { explainedFetch } from '../dev/explained-fetch.js'
import { openGatewayBackend } from '../dev/gateway-backend.js'
import { openNetworkBackend, type WatchedNetwork } from '../dev/network-backend.js'
import { servePage } from '../dev/page-server.js'
import { createPageApi, type PageEnvironment } from '../dev/page-api.js'
import { openSimulatorBackend } from '../dev/simulator-backend.js'
import type { PaymentBackend } from '../dev/payment-backend.js'
import { UsageError } from '../failure.js'
import { explainPort } from '../port.js'
import type { SourcedSecret } from '../secret.js'
import { untilInterrupted } from '../until-interrupted.js'

/** Options of `tonplug dev`. */
export interface Development {
  /** The webhook route. */
  url: string
  secret: SourcedSecret
  apiKey: SourcedSecret | undefined
  /** Name of the signature header. */
  header: string
  /** Port of the page; the gateway and the chain use the next two. 0 for free ones. */
  port: number
  hasChain: boolean
  /** The network to watch instead of a simulated chain. */
  network: WatchedNetwork | undefined
  print: (event: DevEvent) => void
}

/** The addresses of the running servers, and the sources of the secrets. */
export interface DevStart extends Omit<PageEnvironment, 'tickers'> {
  page: string
  secret: { source: string }
  apiKey: { source: string } | null
}

/** Callbacks for the output. */
export type DevEvent = { start: DevStart } | { attempt: AttemptSummary }

/**
 * Runs a mock gateway, and a simulated chain, with a web page until it is interrupted.
 * @throws {CommandError} when a port is in use.
 * @throws {UsageError} when an option is invalid.
 */
export async function dev(development: Development): Promise<void> {
  const { url, header, port, secret, apiKey, print } = development
  const backend = await openBackend(development)
  try {
    const environment = {
      webhookUrl: url,
      header,
      gatewayUrl: backend.gatewayUrl,
      chainUrl: backend.chainUrl ?? null,
      merchant: backend.merchant,
      buyer: backend.buyer,
      isNetwork: backend.isNetwork,
    }
    const onAttempt = (attempt: AttemptSummary): void => print({ attempt })
    const api = createPageApi(backend, { ...environment, onAttempt })
    const page = await servePage(api, port).catch((error: unknown) => {
      throw explainPort(port, error)
    })
    const sources = {
      secret: { source: secret.source },
      apiKey: apiKey === undefined ? null : { source: apiKey.source },
    }
    print({ start: { page: page.url, ...environment, ...sources } })
    await untilInterrupted()
    await page.close()
  } finally {
    await backend.close()
  }
}

async function openBackend(development: Development): Promise<PaymentBackend> {
  const { url, header, port, secret, apiKey, hasChain, network } = development
  const keys = { secret: secret.value, apiKey: apiKey?.value }
  const options = { url, header, ...keys, fetch: explainedFetch }
  const ports = port === 0 ? { gateway: 0, chain: 0 } : { gateway: port + 1, chain: port + 2 }
  try {
    if (network !== undefined) return await openNetworkBackend(options, ports.gateway, network)
    return await (hasChain
      ? openSimulatorBackend({ ...options, ports })
      : openGatewayBackend(options, ports.gateway))
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message)
    if (isPortError(error)) throw explainPort(error.port, error)
    throw error
  }
}

function isPortError(error: unknown): error is Error & { port: number } {
  return error instanceof Error && 'port' in error && typeof error.port === 'number'
}
