// Runs the first example of each package's README as pasted: a shop takes a signed webhook for its order and says that
// it is paid. That of @tonplug/testing pays in its place; the one of the command line is run by check-consumers.mjs.
// Only the port is another one. Each shop keeps its database in a folder, and needs no PostgreSQL.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { signPayload, transferCompleted } from '../packages/testing/dist/esm/index.js'
import { findPort, linesOnceThere, listening } from './pasted/server.mjs'

const FOLDER = 'docs/.check/readmes'
const SECRET = 'whsec_test'
const SHOPS = ['core', 'express', 'nestjs', 'postgres', 'bullmq']
const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
}

const port = await findPort()
rmSync(FOLDER, { recursive: true, force: true })
for (const name of [...SHOPS, 'testing']) paste(name)
writeFileSync(
  join(FOLDER, 'tsconfig.json'),
  JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*/main.ts'] }),
)
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', FOLDER], {
  stdio: 'inherit',
})

for (const name of SHOPS) {
  if (name === 'bullmq' && process.env.REDIS_URL === undefined) {
    console.log('packages/bullmq/README.md: skipped, since REDIS_URL names no Redis')
    continue
  }
  const complaint = await runShop(name)
  console.log(`packages/${name}/README.md: ${complaint ?? 'runs as pasted'}`)
  if (complaint !== undefined) process.exitCode = 1
}
if (!process.exitCode) rmSync(FOLDER, { recursive: true })

function paste(name) {
  const readme = readFileSync(`packages/${name}/README.md`, 'utf8')
  const { code } = /^```ts\n(?<code>[\s\S]*?)^```/m.exec(readme).groups
  mkdirSync(join(FOLDER, name), { recursive: true })
  writeFileSync(join(FOLDER, name, 'main.ts'), code.replaceAll('3000', String(port)))
  writeFileSync(join(FOLDER, name, 'package.json'), '{ "private": true, "type": "module" }')
}

/** @returns what is wrong, if something is. */
async function runShop(name) {
  const shop = start(name)
  let printed = ''
  shop.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  try {
    await listening(port, shop)
    if (name === 'core') {
      const [code] = await once(start('testing'), 'exit')
      console.log(
        `packages/testing/README.md: ${code === 0 ? 'runs as pasted' : `ended with ${code}`}`,
      )
      if (code !== 0) process.exitCode = 1
    }
    const status = await pay()
    if (status !== 200) return `answered ${status}`
    const lines = await linesOnceThere(() => printed, isPaid)
    return lines.some(isPaid) ? undefined : `printed no "order-1 is paid":\n${printed}`
  } finally {
    if (shop.exitCode === null) {
      shop.kill()
      await once(shop, 'exit')
    }
  }
}

function start(name) {
  const { DATABASE_URL: _, ...environment } = process.env
  return spawn(process.execPath, [resolve(FOLDER, name, 'main.js')], {
    cwd: join(FOLDER, name),
    env: { ...environment, TONPAY_WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function pay() {
  const { body, headers } = signPayload(transferCompleted({ reference: 'order-1' }), SECRET)
  const url = `http://127.0.0.1:${port}/webhooks/ton`
  return (await fetch(url, { method: 'POST', headers, body })).status
}

function isPaid(line) {
  return line.startsWith('order-1 is paid')
}
