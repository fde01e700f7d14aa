import { Address, beginCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../shared/configuration-error.js'
import type { WatcherMemory } from './memory.js'
import type { ResolvedWatcherOptions } from './options.js'
import { checkWallets } from './wallet-check.js'

const [first, second] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`) as [string, string]

/** Opens two wallets whose contracts have no get-methods, or answer as the test says. */
function openWallets() {
  const asked: string[] = []
  const state: { answer: (address: string, method: string) => unknown[] } = { answer: () => [] }
  const v3 = {
    async runGetMethod({ address, method }: { address: string; method: string }, request: object) {
      asked.push(`${address} ${method}`)
      expect(request).toMatchObject({ priority: 'low', deadlineMs: 3000 })
      return { stack: state.answer(address, method) }
    },
  }
  const uncheckedWallets = new Set([first, second])
  const controller = new AbortController()
  const check = () =>
    checkWallets(
      { v3 } as unknown as ResolvedWatcherOptions,
      { uncheckedWallets } as unknown as WatcherMemory,
      controller.signal,
    )
  return { check, asked, state, uncheckedWallets, controller }
}

const fails = (error: Error) => (): never => {
  throw error
}
const OUTAGE = new ConfigurationError({ option: 'v3', problem: 'must respond' })

describe('the check of the wallets of Payments', () => {
  it('asks each wallet once', async () => {
    const { check, asked, uncheckedWallets } = openWallets()
    expect(await check()).toBeUndefined()
    expect(asked).toEqual(
      [first, second].flatMap((one) => [`${one} get_wallet_data`, `${one} get_jetton_data`]),
    )
    expect([...uncheckedWallets]).toEqual([])
  })

  it('refuses the master of a jetton, each time', async () => {
    const { check, state, uncheckedWallets } = openWallets()
    state.answer = (address, method) =>
      address === second && method === 'get_jetton_data' ? [1, 2, 3, 4, 5] : [1, 2, 3, 4]
    for (let turn = 0; turn < 2; turn++) {
      expect(await check()).toMatch(
        `wallets: must be the wallet of a person or a merchant; ${second}`,
      )
    }
    expect([...uncheckedWallets]).toEqual([second])
  })

  it('accepts a contract whose get-method names an owner and no master', async () => {
    const { check, state, uncheckedWallets } = openWallets()
    const boc = beginCell().storeAddress(Address.parse(first)).endCell().toBoc().toString('base64')
    const [amount, owner] = [
      { type: 'num', value: 0n },
      { type: 'slice', boc },
    ]
    state.answer = () => [amount, owner, amount]
    expect(await check()).toBeUndefined()
    expect([...uncheckedWallets]).toEqual([])
  })

  it('refuses a jetton wallet', async () => {
    const { check, state, uncheckedWallets } = openWallets()
    const boc = beginCell().storeAddress(Address.parse(second)).endCell().toBoc().toString('base64')
    const slice = { type: 'slice', boc }
    state.answer = () => [{ type: 'num', value: 0n }, slice, slice]
    expect(await check()).toMatch(`${first} is the jetton wallet of ${second}`)
    expect([...uncheckedWallets]).toEqual([first, second])
  })

  it('continues with the wallet that could not be asked', async () => {
    const { check, asked, state, uncheckedWallets } = openWallets()
    state.answer = (address) => (address === second ? fails(OUTAGE)() : [])
    expect(await check()).toBeUndefined()
    expect([...uncheckedWallets]).toEqual([second])
    state.answer = () => []
    expect(await check()).toBeUndefined()
    expect(asked.filter((call) => call.startsWith(first))).toHaveLength(2)
    expect([...uncheckedWallets]).toEqual([])
  })

  it('throws the reason of an aborted run, and an unexpected error', async () => {
    const { check, state, controller } = openWallets()
    state.answer = fails(new TypeError('a defect'))
    await expect(check()).rejects.toThrow('a defect')
    state.answer = () => {
      controller.abort(new Error('closed'))
      throw OUTAGE
    }
    await expect(check()).rejects.toThrow('closed')
  })
})
