import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { confirm } from './confirm.js'
import { UsageError } from './failure.js'

function terminal(isTTY: boolean, typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed)
  return { input, output }
}

it.each([
  ['y\n', true],
  ['YES\n', true],
  ['n\n', false],
  ['\n', false],
  ['yesterday\n', false],
  ['', false],
])('takes %j for %s', async (typed, expected) => {
  const streams = terminal(true, typed)
  expect(await confirm('Run 3 handlers again?', streams)).toBe(expected)
  expect(String(streams.output.read())).toContain('Run 3 handlers again? [y/N]')
})

it('asks nothing without a terminal, and names --yes', async () => {
  const asked = confirm('Run 3 handlers again?', terminal(false, 'y\n'))
  await expect(asked).rejects.toThrow(UsageError)
  await expect(asked).rejects.toThrow('--yes')
})
