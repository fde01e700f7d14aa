import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { openDatabase, postgresInbox } from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'

const secret = 'whsec_test'

/** Runs the command as npm has installed it. */
function tonplug(...args) {
  const { status, stdout, stderr } = spawnSync('../node_modules/.bin/tonplug', args, {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: './shop', TONPAY_WEBHOOK_SECRET: secret },
  })
  return { status, stdout, stderr }
}

function json(...args) {
  const { status, stdout } = tonplug(...args, '--json')
  return { status, document: JSON.parse(stdout) }
}

assert.equal(tonplug('--help').status, 0)
assert.match(tonplug('migrate', 'sql', '--from', '0').stdout, /CREATE TABLE/)
assert.equal(tonplug('inbox', 'list').status, 1)
const migrated = json('migrate', 'up')
const { version } = migrated.document
assert.ok(Number.isInteger(version))
assert.deepEqual(migrated, {
  status: 0,
  document: { database: './shop', versionBefore: null, version, isChanged: true },
})
assert.deepEqual(json('migrate', 'up').document, {
  database: './shop',
  versionBefore: version,
  version,
  isChanged: false,
})
assert.equal(tonplug('migrate', 'status').status, 0)

const { db, close } = await openDatabase({ folder: './shop' })
await postgresInbox(db).reports.store({
  name: 'default',
  merchant: '',
  key: 'key-1',
  source: 'webhook',
  reference: 'order-1',
  txHash: 'ab'.repeat(32),
  rawBody: '{}',
  signedWith: 'secrets[0]',
  payments: [],
  wasCompletedBefore: false,
  retryInMs: 0,
})
await close()
const listed = json('inbox', 'list', '--state', 'undecided')
assert.equal(listed.status, 0)
assert.equal(listed.document.reports[0].reference, 'order-1')

const { body, signature } = signPayload(transferCompleted(), secret)
writeFileSync('body.json', body)
writeFileSync('newline.json', `${body}\n`)
assert.equal(tonplug('verify', 'body.json', '--signature', signature).status, 0)
const verdict = json('verify', 'newline.json', '--signature', signature)
assert.equal(verdict.status, 1)
assert.equal(verdict.document.mistakes[0].code, 'trailing-newline')
assert.equal(tonplug('verify').status, 2)

// The first example of its README as pasted, but for the installation.
const readme = readFileSync('../node_modules/tonplug/README.md', 'utf8')
const [, pasted] = /^```sh\n([\s\S]*?)^```/m.exec(readme)
const commands = pasted.replace(/^npm install .*$/m, '')
const env = { ...process.env, npm_config_offline: 'true' }
const { status, stdout, stderr } = spawnSync('bash', ['-ec', commands], { encoding: 'utf8', env })
assert.equal(status, 0, stderr)
assert.match(stdout, /tables/)
