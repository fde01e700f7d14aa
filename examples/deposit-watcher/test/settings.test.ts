import { canonicalAddress } from '@tonplug/core'
import { expect, it } from 'vitest'
import { readSettings } from '../src/settings.js'
import { addressOf } from './chain.js'
import { ALICE, BOB, MASTER } from './watcher.js'
import { startWorker } from './worker-process.js'

const env = {
  DEPOSIT_ADDRESSES: `${ALICE}, ${BOB},\n${ALICE}`,
  JETTON_MASTER: MASTER,
  WATCH_FROM: '2026-11-01T00:00:00Z',
}

it('reads the environment, with defaults for blank variables', () => {
  expect(readSettings({ ...env, NETWORK: '', TONCENTER_URL: ' ' })).toEqual({
    DEPOSIT_ADDRESSES: [canonicalAddress(ALICE), canonicalAddress(BOB)],
    JETTON_MASTER: canonicalAddress(MASTER),
    WATCH_FROM: new Date(Date.UTC(2026, 10, 1)),
    NETWORK: 'mainnet',
    POLL_MS: 10_000,
    DATA_DIR: './data',
  })
})

it.each([
  ['DEPOSIT_ADDRESSES', ' '],
  ['DEPOSIT_ADDRESSES', ','],
  ['DEPOSIT_ADDRESSES', addressOf('x').slice(1)],
  ['JETTON_MASTER', 'USDT'],
  ['WATCH_FROM', ''],
  ['WATCH_FROM', 'yesterday'],
  ['NETWORK', 'main'],
  ['POLL_MS', '0'],
  ['TONCENTER_RPS', 'many'],
])('rejects %s=%j', (name, value) => {
  expect(() => readSettings({ ...env, [name]: value })).toThrow(`→ at ${name}`)
})

it('exits with 1 and names the missing variable', async () => {
  const { by, errors } = await startWorker({ env: { DEPOSIT_ADDRESSES: '' } }).ended

  expect(by).toBe(1)
  expect(errors).toContain('→ at DEPOSIT_ADDRESSES')
})
