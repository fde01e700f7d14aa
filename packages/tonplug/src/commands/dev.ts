import { ConfigurationError } from '@tonplug/core'
import type { AttemptSummary } from '../dev/attempt-log.js'
import { openGatewayStage } from '../dev/gateway-stage.js'
import { openNetworkStage, type StageNetwork } from '../dev/network-stage.js'
import { servePage } from '../dev/page-server.js'
import { createPlayground, type Surroundings } from '../dev/playground.js'
import { openSimulatorStage } from '../dev/simulator-stage.js'
import type { Stage } from '../dev/stage.js'
import { UsageError } from '../failure.js'
import { explainPort } from '../port.js'
import type { SourcedSecret } from '../secret.js'
import { untilInterrupted } from '../until-interrupted.js'

/** What is played, and where. */
export interface Development {
  /** The webhook route. */
  url: string
  secret: SourcedSecret
  apiKey: SourcedSecret | undefined
  /** Name of the signature header. */
  header: string
  /** Of the page; the gateway and the chain take the next two. 0 for free ones. */
  port: number
  hasChain: boolean
  /** In place of a chain of its own. */
  network: StageNetwork | undefined
  print: (event: DevEvent) => void
}

/** What there is, once all of it listens. Of secrets it says where they are. */
export interface DevStart extends Omit<Surroundings, 'tickers'> {
  page: string
  secret: { source: string }
  apiKey: { source: string } | null
}

/** What is told while it runs. */
export type DevEvent = { start: DevStart } | { attempt: AttemptSummary }

/**
 * Plays the gateway, and the chain, on a page until it is told to end.
 * @throws {CommandError} when a port is taken, or what the chain needs is not installed.
 * @throws {UsageError} when an option cannot work.
 */
export async function dev(development: Development): Promise<void> {
  const { url, header, port, secret, apiKey, print } = development
  const stage = await openStage(development)
  try {
    const surroundings = {
      webhookUrl: url,
      header,
      gatewayUrl: stage.gatewayUrl,
      chainUrl: stage.chainUrl ?? null,
      merchant: stage.merchant,
      buyer: stage.buyer,
      isNetwork: stage.isNetwork,
    }
    const onAttempt = (attempt: AttemptSummary): void => print({ attempt })
    const playground = createPlayground(stage, { ...surroundings, onAttempt })
    const page = await servePage(playground, port).catch((error: unknown) => {
      throw explainPort(port, error)
    })
    const sources = {
      secret: { source: secret.source },
      apiKey: apiKey === undefined ? null : { source: apiKey.source },
    }
    print({ start: { page: page.url, ...surroundings, ...sources } })
    await untilInterrupted()
    await page.close()
  } finally {
    await stage.close()
  }
}

async function openStage(development: Development): Promise<Stage> {
  const { url, header, port, secret, apiKey, hasChain, network } = development
  const options = { url, header, secret: secret.value, apiKey: apiKey?.value }
  const ports = port === 0 ? { gateway: 0, chain: 0 } : { gateway: port + 1, chain: port + 2 }
  try {
    if (network !== undefined) return await openNetworkStage(options, ports.gateway, network)
    return await (hasChain
      ? openSimulatorStage({ ...options, ports })
      : openGatewayStage(options, ports.gateway))
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message)
    if (isPortError(error)) throw explainPort(error.port, error)
    throw error
  }
}

function isPortError(error: unknown): error is Error & { port: number } {
  return error instanceof Error && 'port' in error && typeof error.port === 'number'
}
