import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { createV3Client, type V3ClientOptions } from '@tonplug/core/toncenter'
import { expect, it, onTestFinished } from 'vitest'
import { init } from '../src/commands/init.js'
import { UsageError } from '../src/failure.js'

// The projects of `check:consumers` install the packages, and run the generated tests and servers.

const SERVER = `import express from 'express'

const app = express()
app.use(express.json())
app.listen(3000)
`
const manifest = (packages: string[], others: object = {}) =>
  JSON.stringify(
    { dependencies: Object.fromEntries(packages.map((name) => [name, '*'])), ...others },
    null,
    2,
  )

/** Writes an app to a folder, until the test ends. */
function appWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  )
}

const expressApp = (files: Record<string, string> = {}) =>
  appWith({
    'package.json': manifest(['express'], { type: 'module' }),
    'server.js': SERVER,
    ...files,
  })

it('adds two lines to the server, before its parsers, and shows them', () => {
  const folder = expressApp()
  const { text } = init(folder, { orders: 'memory' })
  expect(readAll(folder)['server.js']).toBe(`import express from 'express'
import { startPayments } from './ton-payments.js'

const app = express()
app.use('/payments', startPayments().routes)
app.use(express.json())
app.listen(3000)
`)
  expect(text).toContain("+app.use('/payments', startPayments().routes)")
  expect(text).toContain('npm install @tonplug/core @tonplug/express\n')
  expect(Object.keys(readAll(folder)).toSorted()).toEqual([
    '.env.example',
    'package.json',
    'server.js',
    'ton-payments.js',
    'ton-payments.test.js',
  ])
})

it('requires the module before it mounts the routes, where the server requires others later', () => {
  const server = `const express = require('express')

const app = express()
const users = require('./users')
app.use('/users', users)
`
  const folder = appWith({ 'package.json': manifest(['express']), 'server.js': server })
  init(folder, { orders: 'memory' })
  expect(readAll(folder)['server.js']).toBe(`const express = require('express')
const { startPayments } = require('./ton-payments')

const app = express()
app.use('/payments', startPayments().routes)
const users = require('./users')
app.use('/users', users)
`)
})

it('changes nothing when it runs again, also after the files were edited', () => {
  const folder = expressApp()
  init(folder, { orders: 'memory' })
  const module = join(folder, 'ton-payments.js')
  writeFileSync(module, readFileSync(module, 'utf8').replace("'0.5'", "'0.75'"))
  const before = readAll(folder)
  const { json, text } = init(folder, { orders: 'memory' })
  expect(json).toMatchObject({ changes: [], kept: ['ton-payments.js', 'ton-payments.test.js'] })
  expect(text).toContain('nothing was changed')
  expect(readAll(folder)).toEqual(before)
})

it('writes nothing with --dry-run, and prints the changes', () => {
  const folder = expressApp()
  const before = readAll(folder)
  const { text } = init(folder, { orders: 'memory', dryRun: true })
  expect(readAll(folder)).toEqual(before)
  expect(text).toContain('+++ ton-payments.js (new)')
})

it('refuses to overwrite a file of the app, and changes nothing', () => {
  const folder = expressApp({ 'ton-payments.test.js': '// ours\n' })
  const before = readAll(folder)
  expect(() => init(folder, { orders: 'memory' })).toThrow(/ton-payments\.test\.js exists/)
  expect(readAll(folder)).toEqual(before)
})

it('adds only the variables that are missing', () => {
  const folder = expressApp({ '.env.example': 'PORT=3000\nSHOP_WALLET=UQ\n', '.env': 'PORT=1' })
  init(folder, { orders: 'memory', webhooks: true })
  const { '.env.example': example = '', '.env': own = '' } = readAll(folder)
  expect(example).toMatch(/^PORT=3000\nSHOP_WALLET=UQ\n# mainnet or testnet\.\nNETWORK=testnet\n/)
  expect(example).toMatch(/\nTONPAY_WEBHOOK_SECRET=\n$/)
  expect(own).toMatch(/^PORT=1\n# The wallet[^\n]*\nSHOP_WALLET=\n/)
})

it.each(['Testnet', 'mainet', 'undefined'])(
  'generates code that rejects the network %s',
  (NETWORK) => {
    const folder = expressApp()
    init(folder, { orders: 'memory' })
    const text = readAll(folder)['ton-payments.js'] ?? ''
    const source = /^function networkFromEnvironment\(\) \{.*?^\}/ms.exec(text)?.[0]
    const optionsIn = (env: object) =>
      runInNewContext(`(${source})()`, { process: { env } }) as V3ClientOptions
    expect(() => createV3Client(optionsIn({ NETWORK }))).toThrow("must be 'mainnet' or 'testnet'")
    expect(optionsIn({ NETWORK: 'testnet' }).network).toBe('testnet')
    expect(optionsIn({}).network).toBe('mainnet')
    expect(optionsIn({ NETWORK: '' }).network).toBe('mainnet')
    const chain = { NETWORK: 'testnet', TONCENTER_URL: 'http://127.0.0.1:4282' }
    expect(optionsIn(chain)).toMatchObject({ baseUrl: chain.TONCENTER_URL })
    expect(optionsIn(chain)).not.toHaveProperty('network')
  },
)

it('mounts the webhook only where it is asked for', () => {
  const [without, withWebhooks] = [expressApp(), expressApp()]
  init(without, { orders: 'memory' })
  init(withWebhooks, { orders: 'memory', webhooks: true })
  expect(readAll(without)['ton-payments.js']).not.toMatch(/webhook/i)
  expect(readAll(withWebhooks)['ton-payments.js']).toContain(
    "routes.post('/webhook', tonplugWebhook",
  )
})

it('adds a script that migrates PostgreSQL', () => {
  const scripts = { start: 'node server.js' }
  const folder = expressApp({ 'package.json': manifest(['express'], { type: 'module', scripts }) })
  const { text } = init(folder, { orders: 'postgres' })
  expect(JSON.parse(readAll(folder)['package.json'] ?? '')).toMatchObject({
    scripts: { 'migrate:payments': 'tonplug migrate up', ...scripts },
  })
  expect(text).toContain('npm run migrate:payments')
})

it.each([
  ['neither framework', manifest([]), 'neither express nor @nestjs/core'],
  ['both frameworks', manifest(['express', '@nestjs/core']), 'choose with --framework'],
  ['Nest without TypeScript', manifest(['@nestjs/core']), 'TypeScript'],
  ['a manifest that is not JSON', '{', 'not valid JSON'],
])('rejects an app with %s', (_, text, message) => {
  const folder = appWith({ 'package.json': text })
  expect(() => init(folder, { orders: 'memory' })).toThrow(UsageError)
  expect(() => init(folder, { orders: 'memory' })).toThrow(message)
})

it('rejects a folder without an app', () => {
  expect(() => init(appWith({}), { orders: 'memory' })).toThrow('no package.json')
})

it('follows --framework where an app has both', () => {
  const folder = expressApp({ 'package.json': manifest(['express', '@nestjs/core']) })
  init(folder, { framework: 'express', orders: 'memory' })
  expect(readAll(folder)['server.js']).toContain('startPayments')
})

it('states the line to add where several files create an app', () => {
  const folder = expressApp({ 'admin.js': SERVER })
  const { text } = init(folder, { orders: 'memory' })
  expect(text).toContain("Add app.use('/payments', startPayments().routes)")
  expect(readAll(folder)).toMatchObject({ 'admin.js': SERVER, 'server.js': SERVER })
})

it.each([
  ['pnpm-lock.yaml', 'pnpm add @tonplug/core'],
  ['yarn.lock', 'yarn add @tonplug/core'],
  ['bun.lock', 'bun add @tonplug/core'],
  ['package-lock.json', 'npm install @tonplug/core'],
])('names the commands of the package manager that wrote %s', (lockfile, command) => {
  const folder = expressApp({ [lockfile]: '' })
  expect(init(folder, { orders: 'memory' }).text).toContain(`  ${command}`)
})

it.each([
  ['imports: [],', 'imports: [TonPaymentsModule],'],
  ['imports: [OrdersModule],', 'imports: [TonPaymentsModule, OrdersModule],'],
  [
    'imports: [\n    OrdersModule,\n  ],',
    'imports: [\n    TonPaymentsModule,\n    OrdersModule,\n  ],',
  ],
  ['controllers: [],', 'imports: [TonPaymentsModule],\n  controllers: [],'],
])('adds the Nest module to %j', (before, after) => {
  const source = (line: string, imported = ''): string =>
    `import { Module } from '@nestjs/common';\n${imported}\n@Module({\n  ${line}\n})\nexport class AppModule {}\n`
  const folder = appWith({
    'package.json': manifest(['@nestjs/core', 'jest']),
    'tsconfig.json': '{}',
    'src/app.module.ts': source(before),
  })
  init(folder, { orders: 'memory' })
  const imported = "import { TonPaymentsModule } from './ton-payments/ton-payments.module';\n"
  expect(readAll(folder)['src/app.module.ts']).toBe(source(after, imported))
  expect(readAll(folder)['src/ton-payments/ton-payments.spec.ts']).toContain(
    "'./ton-payments.module'",
  )
})

it('keeps the line endings and the module format of a CommonJS server', () => {
  const server = "const express = require('express');\r\nconst app = express();\r\n"
  const folder = expressApp({ 'package.json': manifest(['express']), 'server.js': server })
  init(folder, { orders: 'memory' })
  expect(readAll(folder)['server.js']).toBe(
    "const express = require('express');\r\nconst { startPayments } = require('./ton-payments');\r\nconst app = express();\r\napp.use('/payments', startPayments().routes);\r\n",
  )
  expect(readAll(folder)['ton-payments.js']).toContain('module.exports = { startPayments }')
  expect(readAll(folder)['ton-payments.js']).not.toMatch(/^(?:import|export)/m)
})
