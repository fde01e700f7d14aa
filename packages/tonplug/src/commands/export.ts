import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { csvLines, jsonLines } from '@tonplug/core/operator'
import { Option, type Command } from 'commander'
import { locateDatabase } from '../database-location.js'
import { dayRange } from '../day-range.js'
import { UsageError } from '../failure.js'
import { withOperator } from '../open-operator.js'
import { databaseOption, nameOption } from '../options.js'

interface ExportFlags {
  csv?: true
  jsonl?: true
  from?: string
  to?: string
  zone?: string
  name?: string
  database?: string
}

/** Adds `export`, which prints rows while it reads them. */
export function exportCommand(program: Command): void {
  program
    .command('export')
    .description('print the books: each credit of the ledger, and each proposed refund')
    .addOption(new Option('--csv', 'as CSV for a spreadsheet').conflicts('jsonl'))
    .option('--jsonl', 'as one JSON document on each line')
    .option('--from <day>', 'the first day, for example 2026-01-01')
    .option('--to <day>', 'the last day, included')
    .option('--zone <zone>', 'the time zone of the days, for example Europe/Berlin', 'UTC')
    .addOption(nameOption())
    .addOption(databaseOption())
    .action(async (flags: ExportFlags) => {
      if (flags.csv === undefined && flags.jsonl === undefined) {
        throw new UsageError('give --csv or --jsonl')
      }
      const range = dayRange(flags)
      // By default V8 lets the memory for new objects grow by 100 MB or more before it collects garbage, however few are in use.
      setFlagsFromString('--optimize-for-size')
      const format = flags.csv ? csvLines : jsonLines
      await withOperator(
        locateDatabase(flags.database, process.env),
        { name: flags.name },
        async (operator) => print(format(operator.export(range))),
      )
    })
}

/** Waits for a slow reader, so that the memory does not grow. Ends when the reader closes the pipe. */
async function print(lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false })
  } catch (error) {
    // The reader may close the pipe early, for example `head`.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}
