import type { Command } from 'commander'
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
    .addOption(jsonLinesOption())
    .action(async ({ url, secretFile, apiKeyFile, header, port, chain }: DevFlags) => {
      const [secret] = readSecrets(secretFile === undefined ? [] : [secretFile])
      checkSecret(secret)
      await dev({
        url: readUrl(url),
        secret,
        apiKey: readApiKey(apiKeyFile),
        header,
        port,
        hasChain: chain,
        print: printDev(isJson),
      })
    })
}
