import type { Network } from '@tonplug/core/toncenter'
import type { SourcedSecret } from '../secret.js'

/** The settings of the server that is diagnosed. */
export interface DoctorSettings {
  /** The folder of the app, where its packages are installed. */
  folder: string
  nodeVersion: string
  /** The URL of the webhook route. */
  url: string | undefined
  secret: SourcedSecret | undefined
  wallet: string | undefined
  network: Network
  /** Base URLs of API v3. */
  servers: Readonly<Record<Network, string>>
  apiKey: string | undefined
  /** Requests per second that the server makes with the key. */
  rps: number
  /** The master of the jetton that the shop accepts. */
  jetton: string | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  timeoutMs: number
}
