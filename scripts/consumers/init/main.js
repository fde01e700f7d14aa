// Runs `tonplug init` in existing apps, then their generated tests, starts them, and orders something.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname, join, resolve } from 'node:path'
import { createChainSimulator } from '@tonplug/simulator'
import { expressApps, nestApps } from './apps.js'

const installed = resolve('..')
const [framework] = process.argv.slice(2)
const [apps, dependencies] =
  framework === 'nest' ? [nestApps, { '@nestjs/core': '*' }] : [expressApps, { express: '*' }]
const choices = [['--webhooks'], ['--orders', 'postgres']]
const chain = await createChainSimulator()
try {
  for (const app of apps) {
    for (const options of choices) await extendApp(app, options)
  }
} finally {
  await chain.close()
}

async function extendApp({ name, manifest, files, isCompiled, tests, main }, options) {
  const folder = resolve('app')
  rmSync(folder, { recursive: true, force: true })
  const all = {
    'package.json': JSON.stringify({ scripts: { start: 'x' }, dependencies, ...manifest }, null, 2),
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  checkInit(folder, options)
  // PGlite imports modules, which Jest allows with this option alone.
  const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' }
  const run = ([script, ...args]) => {
    const path = script.startsWith('node_modules') ? join(installed, script) : script
    execFileSync(process.execPath, [path, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
  if (isCompiled) run(['node_modules/typescript/bin/tsc', '-p', '.'])
  run(tests)
  // Only the test has a database.
  if (!options.includes('postgres')) await order(folder, main)
  console.log(`${framework} ${name} ${options.join(' ')}`)
}

/** The dry run writes nothing, and the second run changes nothing. */
function checkInit(folder, options) {
  const tonplug = (...more) => {
    const command = join(installed, 'node_modules/tonplug/dist/esm/main.js')
    const args = [command, 'init', ...options, ...more, '--json']
    return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
  }
  const before = readAll(folder)
  const planned = tonplug('--dry-run')
  assert.deepEqual(readAll(folder), before)
  const done = tonplug()
  assert.deepEqual(done.changes, planned.changes)
  assert.equal(done.changes.length, options.includes('postgres') ? 5 : 4)
  const after = readAll(folder)
  assert.deepEqual(tonplug().changes, [])
  assert.deepEqual(readAll(folder), after)
}

function readAll(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [parentPath, name, readFileSync(join(parentPath, name), 'utf8')])
}

/** Starts the app with its own network settings, and creates an order. */
async function order(folder, main) {
  const port = await freePort()
  const wallet = await chain.createWallet()
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    SHOP_WALLET: wallet.address.toString({ bounceable: false }),
    TONPAY_WEBHOOK_SECRET: 'whsec_test',
  }
  const server = spawn(process.execPath, [main], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await listening(url)
    assert.deepEqual(await (await fetch(url)).json(), { isRunning: true })
    const response = await fetch(`${url}/payments/checkout`, { method: 'POST' })
    assert.equal(response.status, 201)
    assert.match((await response.json()).link, /^ton:\/\/transfer\//)
  } finally {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
}

async function listening(url) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url)
    } catch (error) {
      if (attempt === 1200) throw error
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }
}

async function freePort() {
  for (;;) {
    // Below the range of port 0, from which another program could take it first.
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port)
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
