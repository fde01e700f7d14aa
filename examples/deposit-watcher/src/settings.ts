import { canonicalAddress } from '@tonplug/core'
import type { TransportOptions } from '@tonplug/core/toncenter'

/** Settings of the watcher. */
export interface Settings {
  /** The customers' deposit addresses, in any format. */
  addresses: readonly string[]
  /** The master of the jetton that is credited in addition to native coin. */
  jettonMaster: string
  /** Start of the watch. */
  watchFrom: Date
  /** Delay between polls and before a retry. */
  pollMs: number
  /** Folder of the database. */
  dataDir: string
  /** Server, API key and request rate. */
  transport: Pick<TransportOptions, 'network' | 'baseUrl' | 'apiKey' | 'rps'>
}

/** Thrown for a missing or invalid environment variable. */
class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads the settings from environment variables.
 * @throws {SettingsError} when a variable is missing or invalid.
 */
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
    pollMs: readNumber('POLL_MS', read('POLL_MS') ?? '10000', { min: 1, max: 86_400_000 }),
    dataDir: read('DATA_DIR') ?? './data',
    transport: {
      ...serverOf(read('NETWORK'), read('TONCENTER_URL')),
      apiKey: read('TONCENTER_API_KEY'),
      ...(rps !== undefined && {
        rps: readNumber('TONCENTER_RPS', rps, { min: 0.1, max: 1e6 }),
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
  throw new SettingsError(`Set ${name}; see .env.example`)
}

function checkAddress(name: string, address: string): void {
  try {
    canonicalAddress(address)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${name} contains an invalid address: ${problem}`, { cause })
  }
}

function readDate(name: string, value: string): Date {
  const date = new Date(value)
  if (!Number.isNaN(date.getTime())) return date
  throw new SettingsError(
    `${name} is ${JSON.stringify(value)}; set it to a time, for example 2026-11-01T00:00:00Z`,
  )
}

function readNumber(name: string, value: string, { min, max }: { min: number; max: number }) {
  const number = Number(value)
  if (number >= min && number <= max) return number
  throw new SettingsError(
    `${name} is ${JSON.stringify(value)}; set it to a number from ${min} to ${max}`,
  )
}
