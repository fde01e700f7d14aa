import { randomBytes } from 'node:crypto'
import type { TonplugOptions } from '@tonplug/nestjs'

/** What the shop is told from outside. */
export interface Settings {
  port: number
  /** The webhook secret of the merchant dashboard. */
  webhookSecret: string
  /** The wallet that is paid; any will do without it. */
  wallet?: string | undefined
  /** Where payments are proven before they are shipped, and found whose webhook never came; without it nowhere. */
  chain?: Pick<TonplugOptions, 'network' | 'baseUrl'> | undefined
  /** The key of toncenter.com. */
  apiKey?: string | undefined
  /** Whether order pages offer to simulate payments. */
  isDevelopment: boolean
}

/** Something in the environment that the shop cannot work with. */
class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** @throws {SettingsError} when a variable is missing or makes no sense. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env['PORT'] || 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const given = JSON.stringify(env['PORT'])
    throw new SettingsError(`PORT is ${given}; set it to a number from 0 (any free port) to 65535`)
  }
  const isDevelopment = env['NODE_ENV'] !== 'production'
  const secret = env['TONPAY_WEBHOOK_SECRET'] || undefined
  if (!isDevelopment && secret === undefined) {
    throw new SettingsError(
      'Set TONPAY_WEBHOOK_SECRET to the webhook secret of the merchant dashboard',
    )
  }
  // Without the dashboard's secret nobody but the development gateway of this process can sign.
  return {
    port,
    webhookSecret: secret ?? `whsec_${randomBytes(24).toString('hex')}`,
    wallet: env['SHOP_WALLET'] || undefined,
    chain: readChain(env),
    apiKey: env['TONCENTER_API_KEY'] || undefined,
    isDevelopment,
  }
}

function readChain(env: NodeJS.ProcessEnv): Settings['chain'] {
  const network = env['VERIFY_ON_CHAIN'] || undefined
  if (network === undefined) return undefined
  if (network !== 'mainnet' && network !== 'testnet') {
    const given = JSON.stringify(network)
    throw new SettingsError(
      `VERIFY_ON_CHAIN is ${given}; set it to mainnet or testnet, or leave it out`,
    )
  }
  if (!env['SHOP_WALLET']) {
    throw new SettingsError(
      'Set SHOP_WALLET to the wallet that is paid: the chain shows where money went, not whose it is',
    )
  }
  return { network }
}
