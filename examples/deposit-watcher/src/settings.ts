import { parseAddress } from '@tonplug/core'
import type { TransportOptions } from '@tonplug/core'

/** What the watcher is told from outside. */
export interface Settings {
  /** Addresses that were given to customers, in any spelling. */
  addresses: readonly string[]
  /** The master of the jetton that is credited beside native coin. */
  jettonMaster: string
  /** Deposits since then are credited. */
  watchFrom: Date
  /** The wait between two looks, and before what failed is tried again. */
  pollMs: number
  /** Folder of the database. */
  dataDir: string
  /** Which server is asked, and how often. */
  transport: Pick<TransportOptions, 'network' | 'baseUrl' | 'apiKey' | 'rps'>
}

/** Something in the environment that the watcher cannot work with. */
class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** @throws {SettingsError} when a variable is missing or makes no sense. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const addresses = [...new Set(required(read, 'DEPOSIT_ADDRESSES').split(/[\s,]+/))].filter(
    Boolean,
  )
  for (const address of addresses) checkAddress('DEPOSIT_ADDRESSES', address)
  const jettonMaster = required(read, 'JETTON_MASTER')
  checkAddress('JETTON_MASTER', jettonMaster)
  const rps = read('TONCENTER_RPS')
  return {
    addresses,
    jettonMaster,
    watchFrom: readDate('WATCH_FROM', required(read, 'WATCH_FROM')),
    pollMs: readNumber('POLL_MS', read('POLL_MS') ?? '10000', { least: 1, most: 86_400_000 }),
    dataDir: read('DATA_DIR') ?? './data',
    transport: {
      ...serverOf(read('NETWORK'), read('TONCENTER_URL')),
      apiKey: read('TONCENTER_API_KEY'),
      ...(rps !== undefined && {
        rps: readNumber('TONCENTER_RPS', rps, { least: 0.1, most: 1e6 }),
      }),
    },
  }
}

function serverOf(network = 'mainnet', baseUrl: string | undefined): Settings['transport'] {
  if (baseUrl !== undefined) return { baseUrl }
  if (network === 'mainnet' || network === 'testnet') return { network }
  throw new SettingsError(`NETWORK is ${JSON.stringify(network)}; set it to mainnet or testnet`)
}

function required(read: (name: string) => string | undefined, name: string): string {
  const value = read(name)
  if (value !== undefined) return value
  throw new SettingsError(`Set ${name}: .env.example says what it is`)
}

function checkAddress(name: string, address: string): void {
  try {
    parseAddress(address)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${name} has an entry that is no address: ${problem}`, { cause })
  }
}

function readDate(name: string, text: string): Date {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new SettingsError(
    `${name} is ${JSON.stringify(text)}; set it to a time such as 2026-11-01T00:00:00Z`,
  )
}

function readNumber(name: string, text: string, { least, most }: { least: number; most: number }) {
  const value = Number(text)
  if (value >= least && value <= most) return value
  throw new SettingsError(
    `${name} is ${JSON.stringify(text)}; set it to a number from ${least} to ${most}`,
  )
}
