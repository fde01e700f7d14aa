import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { makePGlite } from './databases.js'
import { COMMAND, document, tonplug } from './run-command.js'

it('prints its help and its version with exit code 0', async () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  // The package's own.
  const { version } = JSON.parse(manifest) as { version: string }
  expect(await tonplug(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  const help = await tonplug(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const command of [
    'init',
    'doctor',
    'migrate',
    'inbox',
    'verify',
    'send',
    'trigger',
    'dev',
  ]) {
    expect(help.stdout).toContain(`  ${command}`)
  }
})

it.runIf(process.platform === 'linux')('reports a full disk in one line', async () => {
  const command = `"${process.execPath}" "${COMMAND}" --help >/dev/full`
  const ended = promisify(execFile)('sh', ['-c', command])
  const stderr = 'error: the output could not be written: ENOSPC: no space left on device, write\n'
  await expect(ended).rejects.toMatchObject({ code: 1, stderr })
})

it('prints the help of a command at any depth', async () => {
  const help = await tonplug(['help', 'inbox', 'replay'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('Usage: tonplug inbox replay [options] [ids...]')
})

it.each([
  ['no command', [], 'Usage: tonplug'],
  ['an incomplete command', ['inbox'], 'Usage: tonplug inbox'],
  ['an unknown command', ['migarte'], 'Did you mean migrate?'],
  ['help for an unknown command', ['help', 'inbox', 'lust'], 'Did you mean list?'],
  ['help below a command without others', ['help', 'doctor', 'x'], "unknown command 'doctor x'"],
  ['an unknown option', ['inbox', 'list', '--refrence', 'x'], 'Did you mean --reference?'],
  ['an argument too many', ['migrate', 'status', 'now'], 'too many arguments'],
  ['an unknown network', ['doctor', '--network', 'mainet'], 'mainnet, testnet'],
  [
    'an unknown state',
    ['inbox', 'list', '--state', 'deaf'],
    'undecided, parked, unreadable, open, relayed, dead, done',
  ],
  ['no number', ['inbox', 'list', '--limit', 'many'], '--limit'],
  ['no time', ['inbox', 'list', '--since', 'lunch', '-d', './x'], 'an age such as 30m'],
  ['no database', ['inbox', 'list'], 'DATABASE_URL'],
  ['no migration command', ['migrate'], 'Usage: tonplug migrate'],
  ['no version', ['migrate', 'sql', '--from', 'now'], 'whole number'],
  ['a password as argument', ['migrate', 'up', '-d', 'postgres://me:hunter2@h/d'], 'PGPASSWORD'],
])('rejects %s with exit code 2, and states what to do', async (_, args, named) => {
  const ended = await tonplug(args)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(named)
  expect(ended.stderr).not.toContain('hunter2')
})

it('prints a document with --json for any invalid arguments', async () => {
  for (const args of [['inbox', 'lust'], ['migrate'], ['inbox', 'list', '--state', 'deaf']]) {
    const ended = await tonplug([...args, '--json'])
    expect(ended).toMatchObject({ code: 2, stderr: '' })
    expect(document(ended)).toEqual({
      error: { code: 'usage', message: expect.stringMatching(/.{20}/) },
    })
  }
})

it('names the unreachable database without its password', async () => {
  const DATABASE_URL = 'postgres://me:hunter2@127.0.0.1:1/shop'
  const ended = await tonplug(['migrate', 'up'], { DATABASE_URL })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('postgres://127.0.0.1:1/shop')
  expect(ended.stderr).not.toContain('hunter2')
})

it('does not open a PGlite folder that another process uses', async () => {
  const database = await makePGlite()
  onTestFinished(() => database.remove())
  await database.use(async () => {
    for (const command of [
      ['migrate', 'up'],
      ['inbox', 'list'],
    ]) {
      const ended = await tonplug([...command, '--database', database.location])
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain('Stop the other process')
    }
  })
})
