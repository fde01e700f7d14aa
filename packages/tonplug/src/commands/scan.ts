import {
  createPayments,
  createPaymentWatcher,
  type Logger,
  type Payments,
  type PaymentWatcher,
  type TransferReport,
  type WatchReport,
} from '@tonplug/core'
import { createTransferClient, createV3Client, type Network } from '@tonplug/core/toncenter'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { Option, type Command } from 'commander'
import { locateDatabase, type DatabaseLocation } from '../database-location.js'
import { CommandError, UsageError } from '../failure.js'
import { readAddress, readBaseUrl } from '../network-values.js'
import { withInbox } from '../open-inbox.js'
import { databaseOption, jsonOption } from '../options.js'
import { createProgress } from '../progress.js'
import type { Deliver, Report } from '../report.js'
import { parseSince } from '../since.js'
import { table } from '../table.js'

const MAX_LOOKUPS = 100_000
/** The name of a Payments without one. */
const DEFAULT_NAME = 'default'
const OTHER_TABLES =
  'It reads the orders of @tonplug/postgres. For orders in your own table, run createPaymentWatcher: https://github.com/tonplug/tonplug/blob/main/docs/guide/payment-watcher.md'

interface Flags {
  database?: string
  wallet: string[]
  name?: string
  newName?: true
  network?: Network
  server?: string
  lookups: number
  since: string
}

/** Adds `scan`. */
export function scanCommand(program: Command, deliver: Deliver): void {
  program
    .command('scan')
    .description('scan the chain once for payments of open orders that no webhook reported')
    .option('--wallet <wallets...>', "the shop's wallets, for orders without a recipient", [])
    .option('--name <name>', 'of the Payments with this name')
    .option('--new-name', 'the name has no reports yet')
    .addOption(new Option('--network <network>', 'of TON Center').choices(['mainnet', 'testnet']))
    .option('--server <url>', 'base URL of your own API v3, instead of a network')
    .option('--since <when>', 'orders created since: an age (30d) or an ISO 8601 date', '30d')
    .addOption(
      new Option('--lookups <count>', 'open orders to look up one by one')
        .default(20)
        .argParser(readCount),
    )
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Found payments are stored in the inbox; your servers decide them within seconds and run the handlers.
The key of API v3 is TONCENTER_API_KEY. With TONPAY_API_KEY the gateway is asked as well, unless
--server is given, because a server does not state its network.`,
    )
    .action(async (flags: Flags) => {
      if (flags.network !== undefined && flags.server !== undefined) {
        throw new UsageError('give either --network or --server')
      }
      if (flags.newName === true && flags.name === undefined) {
        throw new UsageError('--new-name requires --name')
      }
      if (flags.server !== undefined) readBaseUrl('--server', flags.server)
      for (const wallet of flags.wallet) readAddress('--wallet', wallet)
      deliver(await scan(locateDatabase(flags.database, process.env), flags))
    })
}

/** A transfer that the inbox did not know. */
interface FoundPayment {
  reference: string
  merchant: string
  source: string
  txHash: string
  rawAmount: string
  asset: string
}

function scan(location: DatabaseLocation, flags: Flags): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    checkName(flags, await reader.names())
    const { name = DEFAULT_NAME } = flags
    const payments = createPayments({
      name,
      inbox: postgresInbox(db),
      orders: postgresOrderRepository(db, { name }),
      wallets: flags.wallet,
      logger: SILENT,
      // The servers decide, by their own rules and with their handlers.
      autoStart: false,
    })
    const found: FoundPayment[] = []
    const sources = sourcesOf(flags, process.env)
    const watcher = createPaymentWatcher({ payments: noting(payments, found), ...sources })
    const report = await runShown(watcher, {
      lookups: flags.lookups,
      maxOrderAgeMs: Date.now() - parseSince(flags.since, Date.now()),
    })
    if (!report.isComplete) {
      throw new CommandError(`the scan is incomplete: ${report.problem ?? 'unknown reason'}`)
    }
    const { startedAtMs: _startedAtMs, problem: _problem, ...facts } = report
    const text = [describe(report, found), ...(found.length === 0 ? [] : [listOf(found)])]
    return { isDone: found.length > 0, json: { ...facts, found }, text: text.join('\n\n') }
  })
}

/**
 * Checks that a server uses the name: reports of any other name are never decided. A name with reports is or was used by
 * a server; in an empty inbox the default name is accepted.
 */
function checkName({ name, newName }: Flags, known: readonly string[]): void {
  const names = known.map((one) => JSON.stringify(one)).join(', ')
  if (name === undefined) {
    if (known.every((one) => one === DEFAULT_NAME)) return
    throw new UsageError(`the inbox has reports of ${names}; select one with --name`)
  }
  const isTrusted = newName === true || (known.length === 0 && name === DEFAULT_NAME)
  if (isTrusted || known.includes(name)) return
  const has = known.length === 0 ? 'no reports yet' : `reports of ${names}`
  throw new UsageError(
    `no Payments is named ${JSON.stringify(name)}: the inbox has ${has}, and reports under a name that no server uses are never decided. If your server uses this name and has no reports yet, add --new-name`,
  )
}

/** The command prints everything relevant. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

function sourcesOf({ network, server }: Flags, env: NodeJS.ProcessEnv) {
  const apiKey = env['TONCENTER_API_KEY']
  const gatewayKey = env['TONPAY_API_KEY']
  const where = server === undefined ? { network } : { baseUrl: server }
  // A server does not state its network, so the gateway to ask is unknown.
  const isAsked = gatewayKey !== undefined && server === undefined
  return {
    v3: createV3Client({ ...where, apiKey }),
    transfers: isAsked ? createTransferClient({ network, apiKey: gatewayKey }) : undefined,
  }
}

/** Collects the reports that the inbox did not know. */
function noting(payments: Payments, found: FoundPayment[]): Payments {
  return {
    ...payments,
    async submit(report: TransferReport) {
      const decision = await payments.submit(report)
      const { transfer, merchant = '', source } = report
      if (decision === undefined && transfer !== undefined) {
        const { reference, txHash, rawAmount, asset } = transfer
        found.push({ reference, merchant, source, txHash, rawAmount, asset })
      }
      return decision
    },
  }
}

async function runShown(
  watcher: PaymentWatcher,
  options: Parameters<PaymentWatcher['run']>[0],
): Promise<WatchReport> {
  let progress: ReturnType<typeof createProgress> | undefined
  let shown = 0
  try {
    return await watcher.run({
      ...options,
      onProgress({ scannedTo, from, to }) {
        progress ??= createProgress(to - from)
        for (; shown < scannedTo - from; shown++) progress.increment()
      },
    })
  } finally {
    progress?.stop()
    await watcher.close()
  }
}

function describe(
  { openOrders, unsettled, ambiguous, unwatched }: WatchReport,
  found: readonly FoundPayment[],
): string {
  const lines = [
    `${openOrders} open orders; ${found.length} payments found.`,
    openOrders === 0 && OTHER_TABLES,
    unsettled > 0 && `${unsettled} payments are not final yet; run it again in a minute.`,
    ambiguous > 0 && `${ambiguous} payments match several orders; assign them manually.`,
    unwatched > 0 && `${unwatched} orders have no wallet; add --wallet to find their payments.`,
  ]
  return lines.filter((line) => line !== false).join('\n')
}

function listOf(found: readonly FoundPayment[]): string {
  const rows = found.map(({ reference, rawAmount, asset, source, txHash }) => [
    reference || '-',
    rawAmount,
    asset,
    source,
    txHash,
  ])
  return table(['REFERENCE', 'AMOUNT', 'ASSET', 'SOURCE', 'TRANSACTION'], rows)
}

function readCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Infinity
  if (count <= MAX_LOOKUPS) return count
  throw new UsageError(`--lookups must be a number from 0 to ${MAX_LOOKUPS}`)
}
