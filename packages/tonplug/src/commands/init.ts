import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Option, type Command } from 'commander'
import { applyEdits, describeChange, readLines, type FileChange } from '../init/file-change.js'
import { installCommands } from '../init/install-command.js'
import { planInit, type InitChoices, type InitPlan } from '../init/plan.js'
import { readProject, type Framework, type Project } from '../init/project.js'
import { jsonOption } from '../options.js'
import type { Deliver, Report } from '../report.js'

interface InitFlags {
  framework?: Framework
  orders: InitChoices['orders']
  webhooks?: boolean
  dryRun?: boolean
}

/** Adds `init`. */
export function initCommand(program: Command, deliver: Deliver): void {
  program
    .command('init')
    .description('add payments to the Express or Nest app in this folder')
    .addOption(
      new Option('--framework <framework>', 'of the app; default: that of package.json').choices([
        'express',
        'nest',
      ]),
    )
    .addOption(
      new Option('--orders <place>', 'where orders are stored')
        .choices(['memory', 'postgres'])
        .default('memory'),
    )
    .option('--webhooks', 'also receive webhooks of the gateway')
    .option('--dry-run', 'print the changes and write nothing')
    .addOption(jsonOption())
    .action((flags: InitFlags) => deliver(init(process.cwd(), flags)))
}

/** Adds payments to an app. Never overwrites a file; a second run changes nothing. */
export function init(folder: string, flags: InitFlags): Report {
  const project = readProject(folder, flags.framework)
  const choices = { orders: flags.orders, hasWebhooks: flags.webhooks === true }
  const plan = planInit(project, choices)
  const isDryRun = flags.dryRun === true
  if (!isDryRun) for (const change of plan.changes) write(folder, change)
  const next = nextSteps(project, choices, plan)
  return {
    isDone: true,
    json: { isDryRun, changes: plan.changes, kept: plan.kept, next },
    text: toText(plan, next, isDryRun),
  }
}

function write(folder: string, change: FileChange): void {
  const file = join(folder, change.path)
  mkdirSync(dirname(file), { recursive: true })
  if (change.kind === 'create') writeFileSync(file, change.text, { flag: 'wx' })
  else writeFileSync(file, applyEdits(readLines(folder, change.path) ?? [], change.edits))
}

function nextSteps(project: Project, choices: InitChoices, { byHand }: InitPlan): string[] {
  const { framework, packageManager, testRunner } = project
  const isPostgres = choices.orders === 'postgres'
  const run = packageManager === 'npm' ? 'npm run' : packageManager
  return [
    ...byHand,
    ...installCommands(project, choices),
    'Set the variables of .env.example in the environment of your server.',
    ...(isPostgres ? [`${run} migrate:payments`] : []),
    ...(isPostgres && testRunner === 'jest'
      ? ['Run Jest with NODE_OPTIONS=--experimental-vm-modules, which PGlite needs there.']
      : []),
    ...(framework === 'nest' ? ['Call app.enableShutdownHooks() in main.ts.'] : []),
    'Run the new test. Pay orders without a network: npx tonplug dev, and set the variables that it prints.',
    'Before you go live: npx tonplug doctor',
  ]
}

function toText({ changes, kept }: InitPlan, next: string[], isDryRun: boolean): string {
  const head = isDryRun ? 'Nothing was written. The changes would be:' : 'Changed:'
  const nothing = 'Everything is in place; nothing was changed.'
  return [
    ...(changes.length === 0 ? [nothing] : [head, ...changes.map(describeChange)]),
    ...kept.map((path) => `${path} exists and was kept.`),
    `Next:\n${next.map((step) => `  ${step}`).join('\n')}`,
  ].join('\n\n')
}
