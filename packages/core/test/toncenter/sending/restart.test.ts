import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createFakeClock } from '@tonplug/testing'
import { normalizedHash } from '../../../src/toncenter/chain/normalized-hash.js'
import { startMockNetwork } from './mock-network.js'
import { boc } from './crossing.js'

const CHILD = fileURLToPath(new URL('restart.child.mjs', import.meta.url))

it('finds a message in a new process after the sending process was killed', async () => {
  const chain = await startMockNetwork(createFakeClock(), await normalizedHash(boc))
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const args = [CHILD, chain.baseUrl, boc, join(folder, 'checkpoint.json')]

  const sender = spawn(process.execPath, args, { stdio: 'inherit' })
  const ended = once(sender, 'exit')
  await chain.waitForSends(1)
  sender.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])

  chain.show('finalized')
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('success: 5 transactions\n')
  expect(chain.sentAtMs().length).toBe(1)
})

it('sends the message in a new process when it has not landed', async () => {
  const chain = await startMockNetwork(createFakeClock(), await normalizedHash(boc))
  chain.receptions = ['ignore', 'take']
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const args = [CHILD, chain.baseUrl, boc, join(folder, 'checkpoint.json')]

  const sender = spawn(process.execPath, args, { stdio: 'inherit' })
  const ended = once(sender, 'exit')
  await chain.waitForSends(1)
  sender.kill('SIGKILL')
  await ended

  const resumed = promisify(execFile)(process.execPath, args)
  await chain.waitForSends(2)
  chain.show('finalized')
  expect((await resumed).stdout).toBe('success: 5 transactions\n')
})
