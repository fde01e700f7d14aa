import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { UsageError } from '../failure.js'
import { editExpressServer, editNestModule } from './edit-server.js'
import { editEnvironment, editScripts } from './edit-settings.js'
import { readLines, type FileChange, type LineEdit } from './file-change.js'
import { findExpressServers, findNestModules } from './find-server.js'
import type { Project } from './project.js'
import { renderTemplate, toCommonJs } from './template.js'

/** The choices of the caller. */
export interface InitChoices {
  orders: 'memory' | 'postgres'
  hasWebhooks: boolean
}

/** The changes to an app, and what could not be changed. */
export interface InitPlan {
  changes: FileChange[]
  /** Files that tonplug created before, which are kept. */
  kept: string[]
  /** The lines to add by hand, when the file that they belong to is not known. */
  byHand: string[]
}

/**
 * Plans the files and lines that add payments to an app.
 * @throws {UsageError} when a file that is not from tonplug has the name of a new one.
 */
export function planInit(project: Project, choices: InitChoices): InitPlan {
  const { folder, framework } = project
  const found = framework === 'nest' ? findNestModules(folder) : findExpressServers(folder)
  const server = found.length === 1 ? found[0] : undefined
  const files = renderFiles(project, choices, server)
  const plan: InitPlan = { changes: [], kept: [], byHand: [] }
  for (const { path, text } of files) {
    const lines = readLines(folder, path)
    if (lines === undefined) plan.changes.push({ path, kind: 'create', text })
    else if (lines.some((line) => line.includes('@tonplug/'))) plan.kept.push(path)
    else
      throw new UsageError(`${path} exists and is not from tonplug; rename it and run init again`)
  }
  // The first file is the module that the server imports.
  planServer(plan, project, { server, module: files[0]?.path ?? '' })
  planSettings(plan, project, choices)
  return plan
}

function renderFiles(
  { framework, language, isModule, testRunner, folder }: Project,
  { orders, hasWebhooks }: InitChoices,
  server: string | undefined,
): { path: string; text: string }[] {
  const source = existsSync(join(folder, 'src')) ? 'src' : '.'
  const place = server === undefined ? source : posix.dirname(server)
  const name = framework === 'nest' ? 'ton-payments/ton-payments.module' : 'ton-payments'
  const path = posix.join(place, `${name}.${extensionOf(server, language)}`)
  const suffix = framework === 'nest' ? 'spec' : 'test'
  const testPath = path.replace(/(?:\.module)?\.([cm]?[jt]s)$/, `.${suffix}.$1`)
  const flags = [orders, language, testRunner, ...(hasWebhooks ? ['webhooks'] : [])]
  const values = {
    module: specifierOf(testPath, path, isModuleFile(path, isModule)),
    timeout: testRunner === 'node-test' ? '' : ', 60_000',
  }
  const render = (template: string): string => {
    const text = renderTemplate(template, { flags, values })
    return language === 'js' && !isModuleFile(path, isModule) ? toCommonJs(text) : text
  }
  return [
    { path, text: render(framework) },
    { path: testPath, text: render(`${framework}-test`) },
  ]
}

/** Returns the extension of the server's file, so that both have the same module format. */
function extensionOf(server: string | undefined, language: string): string {
  return server === undefined ? language : posix.extname(server).slice(1)
}

function isModuleFile(path: string, isModule: boolean): boolean {
  return /\.m[jt]s$/.test(path) || (isModule && !/\.c[jt]s$/.test(path))
}

/** Returns the specifier of a relative import. Without ES modules, files may have no extension. */
function specifierOf(from: string, path: string, isModule: boolean): string {
  const relative = posix.relative(posix.dirname(from), path)
  const file = relative.replace(/\.([cm]?)[jt]s$/, isModule ? '.$1js' : '')
  return file.startsWith('.') ? file : `./${file}`
}

function planServer(
  plan: InitPlan,
  { folder, framework, isModule, language }: Project,
  { server, module }: { server: string | undefined; module: string },
): void {
  const lines = server === undefined ? undefined : readLines(folder, server)
  if (server === undefined || lines === undefined) {
    plan.byHand.push(handWritten(framework, module))
    return
  }
  if (lines.some((line) => line.includes('ton-payments'))) return
  const isModuleServer = isModuleFile(server, isModule)
  const specifier = specifierOf(server, module, isModuleServer)
  // TypeScript compiles imports to the format of the package.
  const format = { specifier, isModule: isModuleServer || language === 'ts' }
  const edits: LineEdit[] | undefined =
    framework === 'nest' ? editNestModule(lines, specifier) : editExpressServer(lines, format)
  if (edits === undefined) plan.byHand.push(handWritten(framework, module))
  else plan.changes.push({ path: server, kind: 'edit', edits })
}

function handWritten(framework: Project['framework'], module: string): string {
  return framework === 'nest'
    ? `Add TonPaymentsModule of ${module} to the imports of your root module.`
    : `Add app.use('/payments', startPayments().routes) of ${module} before express.json() and other parsers.`
}

function planSettings(plan: InitPlan, project: Project, choices: InitChoices): void {
  const { folder } = project
  const flags = [choices.orders, ...(choices.hasWebhooks ? ['webhooks'] : [])]
  const text = renderTemplate('env', { flags })
  for (const path of ['.env.example', '.env']) {
    const lines = readLines(folder, path)
    if (lines !== undefined) {
      const edits = editEnvironment(lines, text)
      if (edits.length > 0) plan.changes.push({ path, kind: 'edit', edits })
    } else if (path === '.env.example') {
      plan.changes.push({ path, kind: 'create', text })
    }
  }
  if (choices.orders === 'memory') return
  const edits = editScripts(readLines(folder, 'package.json') ?? [])
  if (edits.length > 0) plan.changes.push({ path: 'package.json', kind: 'edit', edits })
}
