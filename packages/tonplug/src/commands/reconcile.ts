import {
  createFoundTransferStore,
  createReconciler,
  createTransferClient,
  createV3Client,
  findingsOf,
  type Decision,
  type Finding,
  type FoundTransfer,
  type FoundTransferTaker,
  type Logger,
  type Network,
  type ReconcileReport,
} from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { Option, type Command } from 'commander'
import { locateDatabase, type DatabaseLocation } from '../database-location.js'
import { CommandError, UsageError } from '../failure.js'
import { readAddress, readBaseUrl } from '../network-values.js'
import { withInbox } from '../open-inbox.js'
import { databaseOption, jsonOption } from '../options.js'
import { createProgress } from '../progress.js'
import type { Deliver, Report } from '../report.js'
import { table } from '../table.js'

const MAX_LOOKUPS = 100_000
/** Of a receiver without a name. */
const DEFAULT_RECEIVER = 'default'
const OTHER_TABLES =
  'It looks at the orders that @tonplug/postgres keeps. For those in tables of your own, run createReconciler with createFoundTransferStore: https://github.com/tonplug/tonplug/blob/main/docs/guide/lost-webhooks.md'

interface Flags {
  database?: string
  recipient: string[]
  receiver?: string
  newReceiver?: true
  network?: Network
  server?: string
  lookups: number
}

/** Adds `reconcile`. */
export function reconcileCommand(program: Command, deliver: Deliver): void {
  program
    .command('reconcile')
    .description('look on the chain for payments of open orders whose webhook never came')
    .option(
      '--recipient <wallets...>',
      "the shop's wallets, for orders without one of their own",
      [],
    )
    .option('--receiver <name>', 'of this receiver')
    .option('--new-receiver', 'which has not received anything yet')
    .addOption(new Option('--network <network>', 'of TON Center').choices(['mainnet', 'testnet']))
    .option('--server <address>', 'an API v3 of your own in place of a network')
    .addOption(
      new Option(
        '--lookups <count>',
        'orders to look up one by one, where nothing came to their wallets',
      )
        .default(20)
        .argParser(readCount),
    )
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
What is found is stored in the inbox; your servers decide it within a minute and run the handlers.
The key of API v3 comes from TONCENTER_API_KEY. With TONPAY_API_KEY the gateway is asked as well,
unless --server is given: it does not tell which network's gateway is meant.`,
    )
    .action(async (flags: Flags) => {
      if (flags.network !== undefined && flags.server !== undefined) {
        throw new UsageError('give either --network or --server')
      }
      if (flags.newReceiver === true && flags.receiver === undefined) {
        throw new UsageError('--new-receiver needs the name: give --receiver too')
      }
      if (flags.server !== undefined) readBaseUrl('--server', flags.server)
      for (const wallet of flags.recipient) readAddress('--recipient', wallet)
      deliver(await reconcile(locateDatabase(flags.database, process.env), flags))
    })
}

/** A payment that was found, with what the rules of every receiver say of it beside those found before. */
interface FoundPayment {
  reference: string
  txHash: string
  rawAmount: string
  asset: string
  decision: Decision['kind']
  findings: Finding[]
}

function reconcile(location: DatabaseLocation, flags: Flags): Promise<Report> {
  return withInbox(location, async ({ db, reader }) => {
    checkReceiver(flags, await reader.receivers())
    const orders = postgresOrderRepository(db)
    const store = createFoundTransferStore({
      inbox: postgresInbox(db),
      orders,
      name: flags.receiver,
      recipients: flags.recipient,
    })
    const payments: FoundPayment[] = []
    const report = await runShown({
      receiver: noting(store, payments),
      orders,
      lookupsPerRun: flags.lookups,
      logger: SILENT,
      ...sourcesOf(flags, process.env),
    })
    if (!report.isComplete) {
      throw new CommandError(
        `it did not come to its end: ${report.problem ?? 'for no known reason'}`,
      )
    }
    const { startedAtMs: _startedAtMs, problem: _problem, ...facts } = report
    const text = [describe(report), ...(payments.length === 0 ? [] : [listOf(payments)])]
    return { isDone: payments.length > 0, json: { ...facts, payments }, text: text.join('\n\n') }
  })
}

/**
 * What is stored for a receiver that no server has is never decided. Who has deliveries is one that a server has, or had;
 * where there are none at all, the name that most have is taken on trust.
 */
function checkReceiver({ receiver, newReceiver }: Flags, known: readonly string[]): void {
  const names = known.map((name) => JSON.stringify(name)).join(', ')
  if (receiver === undefined) {
    if (known.every((name) => name === DEFAULT_RECEIVER)) return
    throw new UsageError(
      `the inbox has deliveries of receivers with names: ${names}. Say with --receiver whose orders to look at`,
    )
  }
  const isTrusted = newReceiver === true || (known.length === 0 && receiver === DEFAULT_RECEIVER)
  if (isTrusted || known.includes(receiver)) return
  const has = known.length === 0 ? 'no deliveries yet' : `deliveries of: ${names}`
  throw new UsageError(
    `no delivery came to a receiver ${JSON.stringify(receiver)}; the inbox has ${has}. What is stored for a name that no server has is never decided. If yours has it and has not received anything yet, add --new-receiver`,
  )
}

/** The report says all that is of use here. */
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
  // A server of one's own does not tell which network's gateway is meant.
  const isAsked = gatewayKey !== undefined && server === undefined
  return {
    v3: createV3Client({ ...where, apiKey }),
    transfers: isAsked ? createTransferClient({ network, apiKey: gatewayKey }) : undefined,
  }
}

/** Keeps what is news. */
function noting(store: FoundTransferTaker, payments: FoundPayment[]): FoundTransferTaker {
  return {
    ...store,
    async settleFound(found: FoundTransfer) {
      const decision = await store.settleFound(found)
      if (decision === undefined || decision.kind === 'duplicate') return decision
      const { reference, txHash, rawAmount, asset } = found.transfer
      const findings = findingsOf(decision)
      payments.push({ reference, txHash, rawAmount, asset, decision: decision.kind, findings })
      return decision
    },
  }
}

async function runShown(options: Parameters<typeof createReconciler>[0]): Promise<ReconcileReport> {
  const reconciler = createReconciler(options)
  let progress: ReturnType<typeof createProgress> | undefined
  let shown = 0
  try {
    return await reconciler.run({
      onProgress({ scannedTo, from, to }) {
        progress ??= createProgress(to - from)
        for (; shown < scannedTo - from; shown++) progress.advance()
      },
    })
  } finally {
    progress?.stop()
    await reconciler.close()
  }
}

function describe({ openOrders, found, unsettled, ambiguous, unwatched }: ReconcileReport): string {
  const names = Object.entries(found).map(([name, count]) => `${count} ${name}`)
  const lines = [
    `${openOrders} open orders; found: ${names.length === 0 ? 'nothing' : names.join(', ')}.`,
    openOrders === 0 && OTHER_TABLES,
    unsettled > 0 && `${unsettled} payments are not final yet: run it again in a minute.`,
    ambiguous > 0 &&
      `${ambiguous} payments fit several orders, or have paid another: look at them.`,
    unwatched > 0 &&
      `${unwatched} orders have no wallet: give --recipient, or no payment can be found for them.`,
  ]
  return lines.filter((line) => line !== false).join('\n')
}

function listOf(payments: readonly FoundPayment[]): string {
  const rows = payments.map(({ reference, decision, findings, rawAmount, asset, txHash }) => [
    reference,
    decision,
    findings.join(' '),
    rawAmount,
    asset,
    txHash,
  ])
  return table(['reference', 'decision', 'found', 'amount', 'asset', 'transaction'], rows)
}

function readCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Infinity
  if (count <= MAX_LOOKUPS) return count
  throw new UsageError(`--lookups takes a number from 0 to ${MAX_LOOKUPS}`)
}
