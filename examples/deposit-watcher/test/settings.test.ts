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
    addresses: [ALICE, BOB],
    jettonMaster: MASTER,
    watchFrom: new Date(Date.UTC(2026, 10, 1)),
    pollMs: 10_000,
    dataDir: './data',
    transport: { network: 'mainnet', apiKey: undefined },
  })
})

it('prefers TONCENTER_URL to NETWORK', () => {
  const { transport } = readSettings({
    ...env,
    TONCENTER_URL: 'http://127.0.0.1:8081',
    TONCENTER_RPS: '50',
  })

  expect(transport).toEqual({ baseUrl: 'http://127.0.0.1:8081', apiKey: undefined, rps: 50 })
})

it.each([
  ['DEPOSIT_ADDRESSES', ' ', 'Set DEPOSIT_ADDRESSES'],
  ['DEPOSIT_ADDRESSES', addressOf('x').slice(1), 'DEPOSIT_ADDRESSES contains an invalid address'],
  ['JETTON_MASTER', 'USDT', 'JETTON_MASTER contains an invalid address'],
  ['WATCH_FROM', 'yesterday', 'WATCH_FROM is "yesterday"'],
  ['NETWORK', 'main', 'NETWORK is "main"'],
  ['POLL_MS', '0', 'POLL_MS is "0"'],
  ['TONCENTER_RPS', 'many', 'TONCENTER_RPS is "many"'],
])('rejects %s=%j', (name, value, problem) => {
  expect(() => readSettings({ ...env, [name]: value })).toThrow(problem)
})

it('exits with 1 and names the missing variable', async () => {
  const { by, errors } = await startWorker({ env: { DEPOSIT_ADDRESSES: '' } }).ended

  expect(by).toBe(1)
  expect(errors).toContain('Set DEPOSIT_ADDRESSES')
})
