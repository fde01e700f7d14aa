import type { Command } from 'commander'
import type { WatchedNetwork } from '../dev/network-backend.js'
import { UsageError } from '../failure.js'
import { readAddress, readBaseUrl } from '../network-values.js'
import { jsonLinesOption } from '../options.js'
import { portOption } from '../port.js'
import { readApiKey, readSecrets } from '../secret.js'
import { checkSecret, readUrl } from '../deliveries.js'
import { dev, type Development } from './dev.js'
import { printDev } from './print-dev.js'

interface DevFlags {
  url: string
  secretFile?: string
  apiKeyFile?: string
  header: string
  port: number
  chain: boolean
  v3?: string
  recipient?: string
  sender?: string
}

/** Adds `dev`. */
export function devCommand(program: Command, isJson: boolean): void {
  program
    .command('dev')
    .description('run a local gateway and chain simulator with a web page, until Ctrl-C')
    .requiredOption('-u, --url <url>', 'the webhook route of your shop')
    .option('--secret-file <path>', 'file with the secret, otherwise TONPAY_WEBHOOK_SECRET')
    .option(
      '--api-key-file <path>',
      "file with your shop's API key, otherwise TONPAY_API_KEY; without one every request counts as the merchant's",
    )
    .option('--header <name>', 'name of the signature header', 'x-tonpay-signature')
    .addOption(
      portOption(
        'port of the page on 127.0.0.1; the gateway and the chain use the next two; 0 for free ones',
        4280,
        65_533,
      ),
    )
    .option('--no-chain', 'run the gateway without a chain')
    .option(
      '--v3 <url>',
      'instead of a simulated chain: base URL of the API v3 of a network to watch',
    )
    .option('--recipient <address>', 'with --v3: your wallet on the network')
    .option('--sender <address>', "with --v3: the sender of the page's transfers")
    .addHelpText('after', '\nThe key of API v3 is TONCENTER_API_KEY.')
    .addOption(jsonLinesOption())
    .action((flags: DevFlags) => dev({ ...readFlags(flags), print: printDev(isJson) }))
}

function readFlags(flags: DevFlags): Omit<Development, 'print'> {
  const { url, secretFile, apiKeyFile, header, port, chain: hasChain } = flags
  const network = readNetwork(flags)
  const [secret] = readSecrets(secretFile === undefined ? [] : [secretFile])
  checkSecret(secret)
  return {
    url: readUrl(url),
    secret,
    apiKey: readApiKey(apiKeyFile),
    header,
    port,
    hasChain,
    network,
  }
}

function readNetwork({ v3, recipient, sender, chain }: DevFlags): WatchedNetwork | undefined {
  if (v3 === undefined) {
    if (recipient === undefined && sender === undefined) return undefined
    throw new UsageError(
      '--recipient and --sender require --v3; a simulated chain has its own wallets',
    )
  }
  if (!chain) throw new UsageError('give either --v3 or --no-chain')
  if (recipient === undefined) {
    throw new UsageError(
      '--recipient: give your wallet on the network, which receives the payments',
    )
  }
  const merchant = readAddress('--recipient', recipient)
  const buyer = sender === undefined ? merchant : readAddress('--sender', sender)
  return { v3: readBaseUrl('--v3', v3), v3Key: process.env['TONCENTER_API_KEY'], merchant, buyer }
}
