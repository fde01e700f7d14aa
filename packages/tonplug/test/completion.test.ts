import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { tonplug } from './run-command.js'

/** Returns what bash offers for a line, whose last word is incomplete. */
async function completeInBash(line: string): Promise<string[]> {
  const { stdout: script } = await tonplug(['completion', 'bash'])
  const words = line.split(' ')
  const quoted = words.map((word) => `"${word}"`).join(' ')
  const run = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tonplug; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, status, stderr } = spawnSync('bash', ['-c', `${script}\n${run}`], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split('\n').filter((word) => word !== '')
}

it.each([
  ['tonplug do', ['doctor']],
  ['tonplug inbox re', ['redecide', 'replay']],
  ['tonplug inbox replay --handl', ['--handler']],
  ['tonplug doctor --network ', ['mainnet', 'testnet']],
  ['tonplug inbox list --json --state dea', ['dead']],
  ['tonplug completion ', ['bash', 'zsh', 'fish']],
])('completes %j in bash', async (line, offered) => {
  expect(await completeInBash(line)).toEqual(expect.arrayContaining(offered))
  const prefix = line.split(' ').at(-1) ?? ''
  for (const word of await completeInBash(line)) expect(word.startsWith(prefix)).toBe(true)
})

/** Runs a script in a shell, without its configuration. */
function runIn(shell: string, flags: readonly string[], script: string): string[] {
  const { stdout, stderr } = spawnSync(shell, [...flags, '-c', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split(/\s+/).filter((word) => word !== '')
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

it.runIf(isInstalled('zsh'))('completes in zsh, where it is installed', async () => {
  const { stdout: script } = await tonplug(['completion', 'zsh'])
  // Outside of a completion, zsh has neither function.
  const stubs = 'compdef() { : }; compadd() { print -l -- "$@" }'
  const call = 'words=(tonplug inbox re); CURRENT=3; _tonplug'
  const offered = runIn('zsh', ['-f'], `${stubs}\n${script}\n${call}`)
  expect(offered).toEqual(expect.arrayContaining(['list', 'redecide', 'replay']))
})

it.runIf(isInstalled('fish'))('completes in fish, where it is installed', async () => {
  const { stdout: script } = await tonplug(['completion', 'fish'])
  const call = 'complete -C "tonplug inbox re"; complete -C "tonplug doctor --network "'
  const offered = runIn('fish', ['--no-config'], `${script}\n${call}`)
  expect(offered).toEqual(expect.arrayContaining(['redecide', 'replay', 'mainnet', 'testnet']))
  expect(offered).not.toContain('list')
})

it.each(['bash', 'zsh', 'fish'])('prints a script for %s that has every command', async (shell) => {
  const { code, stdout } = await tonplug(['completion', shell])
  expect(code).toBe(0)
  for (const command of ['init', 'doctor', 'inbox redecide', 'completion']) {
    expect(stdout).toContain(`"${command}`)
  }
})

it('rejects an unknown shell, and names the known ones', async () => {
  const { code, stderr } = await tonplug(['completion', 'powershell'])
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
