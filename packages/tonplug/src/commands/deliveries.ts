import { Argument, Option, type Command } from 'commander'
import { readBody } from '../body-file.js'
import { sendWebhook, type Sending } from '../deliveries.js'
import { UsageError } from '../failure.js'
import { jsonOption, parseCount } from '../options.js'
import type { Deliver } from '../report.js'
import { readSecrets } from '../secret.js'
import { OUTCOMES, trigger, type Outcome, type Triggered } from './trigger.js'
import { triggerAtGateway } from './trigger-at-gateway.js'

interface SendingFlags {
  url: string
  secretFile?: string
  header: string
  retry?: true
}

/** Adds `send`. */
export function sendCommand(program: Command, deliver: Deliver): void {
  const command = program
    .command('send')
    .description('sign a file as the gateway does, and deliver it')
    .argument('<body>', 'file with the body, which is sent unchanged, or - for the standard input')
    .requiredOption('-u, --url <url>', 'the webhook route')
  addSendingOptions(command).action(async (path: string, flags: SendingFlags) => {
    const sending = readSending(flags)
    const body = readBody(path)
    deliver(await sendWebhook(sending, (gateway) => gateway.deliver(body)))
  })
}

interface TriggerFlags extends Omit<SendingFlags, 'url'> {
  url?: string
  gateway?: string
  reference?: string
  rawAmount?: bigint
  asset: string
  decimals?: number
  sender?: string
  recipient?: string
  comment?: string
  txHash?: string
}

/** Adds `trigger`. */
export function triggerCommand(program: Command, deliver: Deliver): void {
  const command = program
    .command('trigger')
    .description('create a transfer, or simulate its payment or failure, without a chain')
    .addArgument(new Argument('<outcome>', 'what happens to the transfer').choices(OUTCOMES))
    .option(
      '--reference <reference>',
      'reference of the order; default: a random one, which no order has',
    )
    .option('-u, --url <url>', 'the webhook route')
    .option('-g, --gateway <url>', 'instead of --url: a running mock gateway')
    .addOption(
      new Option(
        '--raw-amount <amount>',
        'base units; default: 10500000000, or the amount of the transfer',
      ).argParser((text) => BigInt(parseCount(text, 1))),
    )
    .option('--asset <asset>', "'TON' or a jetton master", 'TON')
    .addOption(
      new Option('--decimals <count>', 'of a jetton other than USDT').argParser((text) =>
        Number(parseCount(text, 0, 255)),
      ),
    )
    .option('--sender <address>', "the buyer's wallet")
    .option('--recipient <address>', 'your wallet')
    .option('--comment <text>', 'comment to the sender and the recipient')
    .option('--tx-hash <hash>', 'hash of the transaction; default: a random one')
  addSendingOptions(command).action(async (outcome: Outcome, flags: TriggerFlags) => {
    const { url, gateway } = flags
    const triggered = readTriggered(outcome, flags)
    if ((url === undefined) === (gateway === undefined)) {
      throw new UsageError('give either --url, the webhook route, or --gateway, a mock gateway')
    }
    deliver(
      gateway === undefined
        ? await trigger(triggered, readSending({ ...flags, url: url ?? '' }))
        : await triggerAtGateway(triggered, gateway),
    )
  })
}

function readTriggered(outcome: Outcome, flags: TriggerFlags): Triggered {
  const { reference, rawAmount, asset, decimals, sender, recipient, comment, txHash } = flags
  return {
    outcome,
    txHash,
    rawAmount,
    jetton: decimals === undefined ? undefined : { asset, ticker: 'JETTON', decimals },
    transfer: {
      reference,
      rawAmount: rawAmount ?? 10_500_000_000n,
      asset,
      senderAddr: sender,
      recipientAddr: recipient,
      commentToSender: comment,
      commentToRecipient: comment,
    },
  }
}

function addSendingOptions(command: Command): Command {
  return command
    .option('--secret-file <path>', 'file with the secret, otherwise TONPAY_WEBHOOK_SECRET')
    .option('--header <name>', 'name of the signature header', 'x-tonpay-signature')
    .option('--retry', 'retry after 1, 5 and 15 seconds, as the gateway does')
    .addOption(jsonOption())
}

function readSending({ url, secretFile, header, retry }: SendingFlags): Sending {
  const [secret] = readSecrets(secretFile === undefined ? [] : [secretFile])
  return { url, secret, header, isRetried: retry === true }
}
