import { formatUnits } from '@tonplug/core'
import type { AccountBalance, Balance } from '@tonplug/core/operator'
import { createV3Client, type Network } from '@tonplug/core/toncenter'
import { Option, type Command } from 'commander'
import { locateDatabase, type DatabaseLocation } from '../database-location.js'
import { readAddress, readBaseUrl } from '../network-values.js'
import { withOperator } from '../open-operator.js'
import { databaseOption, jsonOption } from '../options.js'
import type { Deliver, Report } from '../report.js'
import { table } from '../table.js'

interface Flags {
  database?: string
  wallet: string
  network: Network
  server?: string
}

/** Adds `balance`. */
export function balanceCommand(program: Command, deliver: Deliver): void {
  program
    .command('balance')
    .description('compare the stored payments and refunds of a wallet with the chain')
    .requiredOption('--wallet <wallet>', "the shop's wallet")
    .addOption(
      new Option('--network <network>', 'of TON Center')
        .choices(['mainnet', 'testnet'])
        .default('mainnet'),
    )
    .option('--server <url>', 'base URL of your own API v3 of this network')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExit code 1 on an alarm. The key of API v3 is TONCENTER_API_KEY.')
    .action(async (flags: Flags) => {
      readAddress('--wallet', flags.wallet)
      if (flags.server !== undefined) readBaseUrl('--server', flags.server)
      deliver(await compareBalance(locateDatabase(flags.database, process.env), flags))
    })
}

function compareBalance(
  location: DatabaseLocation,
  { wallet, network, server }: Flags,
): Promise<Report> {
  const where = server === undefined ? { network } : { baseUrl: server }
  const v3 = createV3Client({ ...where, apiKey: process.env['TONCENTER_API_KEY'] })
  return withOperator(location, { network, v3 }, async (operator) => {
    const books = await operator.balance(wallet)
    return { isDone: books.state !== 'alarm', json: toJson(books), text: describe(books) }
  })
}

/** Amounts and logical times are strings. */
function toJson(books: Balance): object {
  const text = JSON.stringify(books, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return JSON.parse(text) as object
}

const RESULTS = {
  balanced: 'The books balance.',
  hold: 'The index does not show everything yet. Run the command again later.',
  alarm: 'The books do not balance.',
} as const

function describe({ state, accounts }: Balance): string {
  return [...accounts.map(describeAccount), RESULTS[state]].join('\n\n')
}

function describeAccount(books: AccountBalance): string {
  const { account, asset, transactions, alarms, hold } = books
  const amount = (value: bigint | undefined): string => {
    if (value === undefined) return 'unknown'
    return asset === 'TON' ? formatUnits(value, 9) : value.toString()
  }
  const unit = asset === 'TON' ? 'TON' : 'base units'
  const rows: [string, bigint | undefined][] = [
    ['opening balance', books.opening],
    ['payments', books.credits],
    ['other income', books.otherIn],
    ['returned transfers', books.returned],
    ['refunds', -books.refunds],
    ['other transfers', -books.otherOut],
    ['fees', -books.fees],
    ['booked balance', books.closing],
    ['balance on the chain', books.chain],
    ['difference', books.difference],
  ]
  const lines = rows.map(([name, value]) => [name, amount(value)])
  const problems = alarms.map(
    ({ kind, txHash, detail }) =>
      `ALARM ${kind}: ${detail}${txHash === undefined ? '' : ` (${txHash})`}`,
  )
  return [
    `${asset} of ${account}, ${transactions} transactions`,
    table(['', unit], lines),
    ...problems,
    ...(hold === undefined ? [] : [`HOLD ${hold.kind}: ${hold.detail}`]),
  ].join('\n')
}
