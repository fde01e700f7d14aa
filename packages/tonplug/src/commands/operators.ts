import { createPayments, proposeRefund, type Logger, type Payments } from '@tonplug/core'
import { createV3Client, type Network } from '@tonplug/core/toncenter'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { Option, type Command } from 'commander'
import { locateDatabase, type DatabaseLocation } from '../database-location.js'
import { readBaseUrl } from '../network-values.js'
import { withInbox } from '../open-inbox.js'
import { databaseOption, jsonOption, merchantOption, nameOption } from '../options.js'
import type { Deliver, Report } from '../report.js'

interface OperatorFlags {
  database?: string
  name?: string
  merchant?: string
  by?: string
  note?: string
}

interface RefundFlags extends OperatorFlags {
  network: Network
  server?: string
  anyJetton?: true
}

/** Adds `attach` and `refund`. */
export function operatorCommands(program: Command, deliver: Deliver): void {
  const attach = program
    .command('attach')
    .description('credit a reported transfer to an order by hand')
    .argument('<transaction>', 'its hash, from `inbox list --json`')
    .argument('<reference>', 'of the order')
    .action(async (transaction: string, reference: string, flags: OperatorFlags) => {
      deliver(await attachTransfer(locationOf(flags), { transaction, reference, ...flags }))
    })
  const refund = program
    .command('refund')
    .description('propose to return a reported transfer to its payer, or follow its refund')
    .argument('<transaction>', 'its hash, from `inbox list --json`')
    .addOption(
      new Option('--network <network>', 'of TON Center')
        .choices(['mainnet', 'testnet'])
        .default('mainnet'),
    )
    .option('--server <url>', 'base URL of your own API v3 of this network')
    .option('--any-jetton', 'also a jetton that no order asks for; its contracts can keep the fees')
    .addHelpText('after', '\nThe key of API v3 is TONCENTER_API_KEY.')
    .action(async (transaction: string, flags: RefundFlags) => {
      if (flags.server !== undefined) readBaseUrl('--server', flags.server)
      deliver(await refundTransfer(locationOf(flags), { transaction, ...flags }))
    })
  for (const command of [attach, refund]) {
    command
      .option('--by <operator>', 'who does it, for the record')
      .option('--note <text>', 'why, for the record')
      .addOption(nameOption())
      .addOption(merchantOption())
      .addOption(databaseOption())
      .addOption(jsonOption())
  }
}

function locationOf({ database }: OperatorFlags): DatabaseLocation {
  return locateDatabase(database, process.env)
}

/** Stores an operator's report. The servers decide it by their own rules, and run the handlers. */
function attachTransfer(
  location: DatabaseLocation,
  given: OperatorFlags & { transaction: string; reference: string },
): Promise<Report> {
  const { transaction, reference, merchant, by, note } = given
  return withPayments(location, given, async (payments) => {
    await payments.attach(transaction, { reference, merchant }, { by, note })
    const text = `Your servers decide within seconds: \`tonplug inbox list\` shows the decision about ${reference}.`
    return { isDone: true, json: { transaction, reference }, text }
  })
}

function refundTransfer(
  location: DatabaseLocation,
  given: RefundFlags & { transaction: string },
): Promise<Report> {
  const { transaction, merchant, network, server, anyJetton, by, note } = given
  const where = server === undefined ? { network } : { baseUrl: server }
  const v3 = createV3Client({ ...where, apiKey: process.env['TONCENTER_API_KEY'] })
  return withPayments(location, given, async (payments) => {
    const who = { merchant, by, note }
    const refund = await proposeRefund({
      payments,
      v3,
      transactionHash: transaction,
      network,
      anyJetton,
      ...who,
    })
    const isDone = refund.state !== 'rejected' && refund.state !== 'needs_confirmation'
    return { isDone, json: refund, text: describe(refund) }
  })
}

function describe(refund: Awaited<ReturnType<typeof proposeRefund>>): string {
  switch (refund.state) {
    case 'proposed': {
      const end = new Date(refund.request.validUntil * 1000).toISOString()
      const warning = refund.warning === undefined ? '' : `Warning: ${refund.warning}.\n`
      const head = `${warning}Sign this request of TON Connect once, before ${end}, with the wallet that was paid:`
      return `${head}\n${JSON.stringify(refund.request, null, 2)}`
    }
    case 'needs_confirmation':
      return `No refund yet: ${refund.warning}. To refund it nevertheless, add --any-jetton.`
    case 'waiting':
      return `Nothing to sign now: ${refund.reason}. Run the command again later.`
    case 'sent':
      return `The wallet has sent the refund in ${refund.txHash}; it is not final.`
    case 'refunded':
      return `The payer has the money, by ${refund.txHash}.`
    case 'rejected':
      return `No refund: ${refund.reason}.`
  }
}

/** Opens a Payments that decides nothing. */
function withPayments(
  location: DatabaseLocation,
  { name = 'default' }: OperatorFlags,
  work: (payments: Payments) => Promise<Report>,
): Promise<Report> {
  return withInbox(location, ({ db }) =>
    work(
      createPayments({
        name,
        inbox: postgresInbox(db),
        orders: postgresOrderRepository(db, { name }),
        logger: SILENT,
        autoStart: false,
      }),
    ),
  )
}

/** The command prints everything relevant. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
