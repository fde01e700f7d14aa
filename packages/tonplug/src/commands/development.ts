import type { Command } from 'commander'
import type { WatchedNetwork } from '../dev/network-backend.js'
import { UsageError } from '../failure.js'
import { readAddress, readBaseUrl } from '../network-values.js'
import { jsonLinesOption } from '../options.js'
import { portOption } from '../port.js'
import { readApiKey, readSecrets } from '../secret.js'
import { checkSecret, readUrl } from '../deliveries.js'
import { dev, type DevGateway, type Development } from './dev.js'
import { printDev } from './print-dev.js'

/** The route that `tonplug init` adds to an app. */
const SHOP_ROUTE = 'http://localhost:3000/payments/orders/:reference/events'

interface DevFlags {
  shop: string
  url?: string
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
    .description('run a simulated chain with a web page that pays orders, until Ctrl-C')
    .option(
      '-s, --shop <url>',
      'the route of your shop that streams the status of an order, with :reference in its place',
      SHOP_ROUTE,
    )
    .option('-u, --url <url>', 'the webhook route of your shop; adds a gateway that signs webhooks')
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
    .option('--no-chain', 'with --url: run the gateway without a chain')
    .option(
      '--v3 <url>',
      'with --url, instead of a simulated chain: base URL of the API v3 of a network to watch',
    )
    .option('--recipient <address>', 'with --v3: your wallet on the network')
    .option('--sender <address>', "with --v3: the sender of the page's transfers")
    .addHelpText('after', '\nThe key of API v3 is TONCENTER_API_KEY.')
    .addOption(jsonLinesOption())
    .action((flags: DevFlags) => dev({ ...readFlags(flags), print: printDev(isJson) }))
}

function readFlags(flags: DevFlags): Omit<Development, 'print'> {
  const { shop, port } = flags
  return { gateway: readGateway(flags), shopRoute: readShopRoute(shop), port }
}

function readGateway(flags: DevFlags): DevGateway | undefined {
  const { url, secretFile, apiKeyFile, header, chain: hasChain } = flags
  const network = readNetwork(flags)
  if (url === undefined) {
    if (hasChain && network === undefined && secretFile === undefined && apiKeyFile === undefined)
      return undefined
    throw new UsageError(
      '--no-chain, --v3, --secret-file and --api-key-file require --url, the webhook route of your shop',
    )
  }
  const [secret] = readSecrets(secretFile === undefined ? [] : [secretFile])
  checkSecret(secret)
  return {
    url: readUrl(url),
    secret,
    apiKey: readApiKey(apiKeyFile),
    header,
    hasChain,
    network,
  }
}

function readShopRoute(text: string): string {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  const [host] = text.split(':reference')
  if (isUrl && text.includes(':reference') && URL.canParse(host ?? '')) return text
  throw new UsageError(
    `--shop: give a URL with :reference in the place of the reference of an order, for example ${SHOP_ROUTE}`,
  )
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
