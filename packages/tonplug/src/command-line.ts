import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { balanceCommand } from './commands/balance.js'
import { sendCommand, triggerCommand } from './commands/deliveries.js'
import { devCommand } from './commands/development.js'
import { colorOf } from './color.js'
import { doctorCommand } from './commands/doctor.js'
import { exportCommand } from './commands/export.js'
import { initCommand } from './commands/init.js'
import { inboxCommand } from './commands/inbox.js'
import { migrateCommand } from './commands/migrate.js'
import { operatorCommands } from './commands/operators.js'
import { scanCommand } from './commands/scan.js'
import { verifyCommand } from './commands/signature.js'
import { explainError } from './explain-error.js'
import { escapeHidden, printLine } from './escape-hidden.js'
import { UsageError } from './failure.js'
import type { Deliver, Report } from './report.js'

const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Runs a command and prints its result. @returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // Searched before the arguments are parsed, so that errors in them are also printed as JSON.
  const isJson = args.includes('--json')
  const reports: Report[] = []
  try {
    const program = createProgram((report) => reports.push(report), isJson)
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    return printFailure(error, isJson)
  }
  for (const { json, text } of reports) printLine(isJson ? JSON.stringify(json, null, 2) : text)
  return reports.every(({ isDone }) => isDone) ? EXIT.done : EXIT.failed
}

function createProgram(deliver: Deliver, isJson: boolean): Command {
  const program = new Command('tonplug')
    .description('Manages the payments that tonplug receives, and simulates the gateway for tests.')
    .version(readVersion())
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ styleTitle: (title) => colorOf(process.stdout)('bold', title) })
    .configureOutput({
      // With --json the error is the document; see `printFailure`.
      writeErr: (text) => void (isJson || process.stderr.write(escapeHidden(text))),
      outputError: (text, write) => write(redPrefix(text)),
    })
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 nothing found or failed, 2 invalid arguments.
Secrets come from TONPAY_WEBHOOK_SECRET or from files, never from arguments.`,
    )
  initCommand(program, deliver)
  doctorCommand(program, deliver)
  migrateCommand(program, deliver)
  inboxCommand(program, deliver)
  operatorCommands(program, deliver)
  balanceCommand(program, deliver)
  exportCommand(program)
  scanCommand(program, deliver)
  verifyCommand(program, deliver)
  sendCommand(program, deliver)
  triggerCommand(program, deliver)
  devCommand(program, isJson)
  // The help command of commander supports only one level.
  program
    .command('help')
    .description('display help for a command')
    .argument('[command...]')
    .action(async (names: string[]) => (await findCommand(program, names)).help())
  return program
}

/**
 * Returns the command of a path, for example `inbox replay`.
 * @throws {CommanderError} for an unknown one, with the most similar name.
 */
async function findCommand(program: Command, names: readonly string[]): Promise<Command> {
  let found = program
  for (const name of names) {
    const next = found.commands.find((command) => command.name() === name)
    if (next === undefined) {
      // A command with others below it does nothing itself, except to reject an unknown name.
      if (found.commands.length > 0) await found.parseAsync([name], { from: 'user' })
      throw new UsageError(`unknown command '${names.join(' ')}'`)
    }
    found = next
  }
  return found
}

function redPrefix(text: string): string {
  return text.replace(/^error:/, (prefix) => colorOf(process.stderr)('red', prefix))
}

function printFailure(error: unknown, isJson: boolean): number {
  const isUsage = error instanceof UsageError || error instanceof CommanderError
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
  const exitCode = isUsage ? EXIT.usage : EXIT.failed
  const message = explainError(error).replace(/^error: /, '')
  if (isJson) {
    printLine(JSON.stringify({ error: { code: isUsage ? 'usage' : 'failed', message } }, null, 2))
  } else if (!(error instanceof CommanderError)) {
    printLine(redPrefix(`error: ${message}`), process.stderr)
  }
  return exitCode
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  // The package's own.
  return (JSON.parse(manifest) as { version: string }).version
}
