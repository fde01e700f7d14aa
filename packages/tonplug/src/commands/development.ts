import type { Command } from 'commander'
import type { StageNetwork } from '../dev/network-stage.js'
import { UsageError } from '../failure.js'
import { readAddress, readBaseUrl } from '../network-values.js'
import { jsonLinesOption } from '../options.js'
import { portOption } from '../port.js'
import { readApiKey, readSecrets } from '../secret.js'
import { checkSecret, readUrl } from '../deliveries.js'
import { dev } from './dev.js'
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
    .description('play the gateway, and the chain, on a page of your own, until Ctrl-C')
    .requiredOption('-u, --url <url>', 'the webhook route of your shop')
    .option('--secret-file <path>', 'file with the secret, otherwise TONPAY_WEBHOOK_SECRET')
    .option(
      '--api-key-file <path>',
      "file with the key that your shop has, otherwise TONPAY_API_KEY; without one every request is the merchant's",
    )
    .option('--header <name>', 'name of the signature header', 'x-tonpay-signature')
    .addOption(
      portOption(
        'of the page on 127.0.0.1; the gateway and the chain take the next two; 0 for free ones',
        4280,
        65_533,
      ),
    )
    .option('--no-chain', 'pay without a chain')
    .option(
      '--v3 <url>',
      'in place of a chain: the base URL of an API v3, whose network is watched',
    )
    .option('--recipient <address>', 'with --v3: your wallet there')
    .option('--sender <address>', "with --v3: the wallet of the page's transfers")
    .addHelpText('after', '\nThe key of API v3 comes from TONCENTER_API_KEY.')
    .addOption(jsonLinesOption())
    .action(async (flags: DevFlags) => {
      const { url, secretFile, apiKeyFile, header, port, chain } = flags
      const network = readNetwork(flags)
      const [secret] = readSecrets(secretFile === undefined ? [] : [secretFile])
      checkSecret(secret)
      await dev({
        url: readUrl(url),
        secret,
        apiKey: readApiKey(apiKeyFile),
        header,
        port,
        hasChain: chain,
        network,
        print: printDev(isJson),
      })
    })
}

function readNetwork({ v3, recipient, sender, chain }: DevFlags): StageNetwork | undefined {
  if (v3 === undefined) {
    if (recipient === undefined && sender === undefined) return undefined
    throw new UsageError(
      '--recipient and --sender go with --v3; a chain of its own has its wallets',
    )
  }
  if (!chain) throw new UsageError('give either --v3 or --no-chain')
  if (recipient === undefined) {
    throw new UsageError('--recipient: name your wallet on the network, which gets the payments')
  }
  const merchant = readAddress('--recipient', recipient)
  const buyer = sender === undefined ? merchant : readAddress('--sender', sender)
  return { v3: readBaseUrl('--v3', v3), v3Key: process.env['TONCENTER_API_KEY'], merchant, buyer }
}
