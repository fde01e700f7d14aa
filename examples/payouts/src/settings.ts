import type { TransportOptions } from '@tonplug/core'

/** What the worker is told from outside. */
export interface Settings {
  wallet: WalletSettings
  /** Payouts are taken from here, one JSON object per line. */
  payoutsFile: string
  /** The wait between two looks, and before what failed is tried again. */
  pollMs: number
  /** Folder of the database. */
  dataDir: string
  /** Which servers are asked, and how often. */
  transport: Pick<TransportOptions, 'network' | 'baseUrl' | 'apiKey' | 'rps'>
}

/** The wallet that pays. */
export interface WalletSettings {
  /** Never logged. */
  mnemonic: readonly string[]
  version: 'v4' | 'v5'
  /** What the mnemonic must come out at. */
  address: string
  network: 'mainnet' | 'testnet'
}

/** Something in the environment that the worker cannot work with. The message has no value of it that is a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** @throws {SettingsError} when a variable is missing or makes no sense. */
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
    pollMs: readNumber('POLL_MS', read('POLL_MS') ?? '2000', { least: 1, most: 60_000 }),
    dataDir: read('DATA_DIR') ?? './data',
    transport: {
      ...(baseUrl === undefined ? { network } : { baseUrl }),
      apiKey: read('TONCENTER_API_KEY'),
      ...(rps !== undefined && {
        rps: readNumber('TONCENTER_RPS', rps, { least: 0.1, most: 1e6 }),
      }),
    },
  }
}

function required(read: (name: string) => string | undefined, name: string): string {
  const value = read(name)
  if (value !== undefined) return value
  throw new SettingsError(`Set ${name}: .env.example says what it is`)
}

function oneOf<Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text)
  if (word !== undefined) return word
  throw new SettingsError(`${name} is ${JSON.stringify(text)}; set it to ${words.join(' or ')}`)
}

function readNumber(name: string, text: string, { least, most }: { least: number; most: number }) {
  const value = Number(text)
  if (value >= least && value <= most) return value
  throw new SettingsError(
    `${name} is ${JSON.stringify(text)}; set it to a number from ${least} to ${most}`,
  )
}
