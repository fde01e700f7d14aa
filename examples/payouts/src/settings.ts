import type { TransportOptions } from '@tonplug/core/toncenter'

/** Settings of the worker. */
export interface Settings {
  wallet: WalletSettings
  /** The file with payouts, one JSON object per line. */
  payoutsFile: string
  /** Delay between polls and before a retry. */
  pollMs: number
  /** Folder of the database. */
  dataDir: string
  /** Server, API key and request rate. */
  transport: Pick<TransportOptions, 'network' | 'baseUrl' | 'apiKey' | 'rps'>
}

/** Settings of the paying wallet. */
export interface WalletSettings {
  /** Never logged. */
  mnemonic: readonly string[]
  version: 'v4' | 'v5'
  /** The address that the mnemonic must derive. */
  address: string
  network: 'mainnet' | 'testnet'
}

/** Thrown for a missing or invalid environment variable. The message contains no secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads the settings from environment variables.
 * @throws {SettingsError} when a variable is missing or invalid.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const network = oneOf('NETWORK', read('NETWORK') ?? 'mainnet', ['mainnet', 'testnet'])
  const mnemonic = required(read, 'MNEMONIC').split(/\s+/)
  if (mnemonic.length !== 24) {
    throw new SettingsError(
      `MNEMONIC has ${mnemonic.length} words; set it to the wallet's 24 words`,
    )
  }
  const baseUrl = read('TONCENTER_URL')
  const rps = read('TONCENTER_RPS')
  return {
    wallet: {
      mnemonic,
      version: oneOf('WALLET_VERSION', read('WALLET_VERSION') ?? 'v5', ['v4', 'v5']),
      address: required(read, 'WALLET_ADDRESS'),
      network,
    },
    payoutsFile: required(read, 'PAYOUTS_FILE'),
    pollMs: readNumber('POLL_MS', read('POLL_MS') ?? '2000', { min: 1, max: 60_000 }),
    dataDir: read('DATA_DIR') ?? './data',
    transport: {
      ...(baseUrl === undefined ? { network } : { baseUrl }),
      apiKey: read('TONCENTER_API_KEY'),
      ...(rps !== undefined && {
        rps: readNumber('TONCENTER_RPS', rps, { min: 0.1, max: 1e6 }),
      }),
    },
  }
}

function required(read: (name: string) => string | undefined, name: string): string {
  const value = read(name)
  if (value !== undefined) return value
  throw new SettingsError(`Set ${name}; see .env.example`)
}

function oneOf<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === value)
  if (choice !== undefined) return choice
  throw new SettingsError(`${name} is ${JSON.stringify(value)}; set it to ${choices.join(' or ')}`)
}

function readNumber(name: string, value: string, { min, max }: { min: number; max: number }) {
  const number = Number(value)
  if (number >= min && number <= max) return number
  throw new SettingsError(
    `${name} is ${JSON.stringify(value)}; set it to a number from ${min} to ${max}`,
  )
}
