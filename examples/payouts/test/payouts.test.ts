import { beginCell, Cell, toNano } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { NEEDS_POSTGRES, hasPostgres } from '@tonplug/test-support/postgres'
import { walletV4 } from '@tonplug/simulator'
import { jettonsOf, onChain, readQueue, sentByWallet } from './results.js'
import { startWorker } from './worker-process.js'
import { createEnvironment, friendly, JETTONS } from './environment.js'
import type { Row, TestEnvironment } from './environment.js'

/** Nanocoins with which a wallet v4 accepts a message, and has too few for the rest of its run. */
const OUT_OF_GAS = 4_480_000n

/** Runs the worker until its queue is empty. @returns its output. */
async function payAll({ env }: TestEnvironment): Promise<string> {
  const worker = startWorker({
    env,
    onLine: (line) => {
      if (line.includes('queue is empty')) worker.kill('SIGTERM')
    },
  })
  const { by, output } = await worker.ended
  expect({ by, output }).toMatchObject({ by: 0 })
  return output
}

describe.skipIf(!hasPostgres)(`a worker on ${NEEDS_POSTGRES}`, () => {
  it.each(['v4', 'v5'] as const)(
    'pays native coin and jettons from a wallet %s',
    async (version) => {
      const environment = await createEnvironment(version)
      const jetton = environment.minter.toString()
      const rows: Row[] = [
        { reference: 'a', recipient: friendly(1), amount: '1000000000', comment: 'Order 1' },
        { reference: 'b', recipient: friendly(2), amount: '500', jetton, comment: 'Order 2' },
        { reference: 'c', recipient: friendly(1), amount: '1000000000', comment: 'Order 1' },
        { reference: 'd', recipient: friendly(3), amount: '7', jetton },
      ]
      await environment.insert(...rows)

      const output = await payAll(environment)

      expect(sentByWallet(environment)).toEqual(rows.map(onChain))
      expect(await readQueue(environment)).toEqual(['a paid', 'b paid', 'c paid', 'd paid'])
      const recipients = [walletV4(1), walletV4(2), walletV4(3)].map(({ wallet }) => wallet.address)
      expect((await environment.chain.account(recipients[0]!)).balance).toBe(2_000_000_000n)
      expect(await jettonsOf(environment, recipients[1]!)).toBe(500n)
      expect(await jettonsOf(environment, recipients[2]!)).toBe(7n)
      expect(await jettonsOf(environment, environment.wallet)).toBe(JETTONS - 507n)
      expect(output).not.toContain('word0')
      expect(output).not.toContain(environment.secretKey.toString('hex'))
      expect(output).not.toContain(environment.secretKey.toString('base64'))
    },
  )

  it('records the reason of a failed payout, and continues', async () => {
    const environment = await createEnvironment('v5')
    const jetton = environment.minter.toString()
    await environment.insert(
      { reference: 'no contract', recipient: friendly(1, true), amount: '1000000000' },
      { reference: 'too many jettons', recipient: friendly(2), amount: `${JETTONS + 1n}`, jetton },
      { reference: 'too many coins', recipient: friendly(3), amount: '9000000000000' },
      { reference: 'no jetton', recipient: friendly(3), amount: '7', jetton: friendly(4) },
      { reference: 'fine', recipient: friendly(5), amount: '1' },
    )

    await payAll(environment)

    const queue = await readQueue(environment)
    expect(queue).toEqual([
      'no contract failed the transfer bounced: the contract was not executed (no_state); its value was returned',
      'too many jettons failed the transfer bounced: the contract failed with exit code 706; its value was returned',
      expect.stringMatching(
        /^too many coins failed .*skipped, usually because of insufficient funds$/,
      ),
      expect.stringMatching(
        /^no jetton failed EQ.* is not a jetton that the wallet has: .*exit code -13/,
      ),
      'fine paid',
    ])
    expect(await jettonsOf(environment, environment.wallet)).toBe(JETTONS)
  })

  it('S107 sends no jettons of another master than that of the payout', async () => {
    const environment = await createEnvironment('v5')
    const { chain, minter, wallet } = environment
    const thieves = await chain.deployJetton()
    const { stack } = await chain.runGetMethod(minter, 'get_wallet_address', [
      { type: 'slice', cell: beginCell().storeAddress(wallet).endCell() },
    ])
    const [genuine] = stack
    if (genuine?.type !== 'slice') throw new Error('expected a slice')
    const stolen = genuine.cell.beginParse().loadAddress()
    thieves.lies = { walletOf: () => stolen }
    const jetton = thieves.master.toString()
    await environment.insert({ reference: 'stolen', recipient: friendly(2), amount: '500', jetton })

    await payAll(environment)

    expect(await readQueue(environment)).toEqual([
      expect.stringMatching(
        /^stolen failed .*names a jetton wallet of another jetton or of another owner$/,
      ),
    ])
    expect(await jettonsOf(environment, wallet)).toBe(JETTONS)
  })

  it('sends one message, unchanged, until it has landed', async () => {
    const environment = await createEnvironment('v5')
    const { chain } = environment
    await environment.insert({ reference: 'a', recipient: friendly(1), amount: '5' })
    const sends: string[] = []
    chain.isHolding = true
    environment.proxy.onRequest = async (path, body) => {
      if (!path.endsWith('/sendBoc')) return
      sends.push(body)
      chain.dropPool()
      chain.now += 86_400
      await chain.fund(walletV4(91).wallet.address, 1n)
      if (sends.length === 5) chain.isHolding = false
    }

    await payAll(environment)

    expect(sends).toHaveLength(5)
    expect(new Set(sends).size).toBe(1)
    expect(sentByWallet(environment)).toHaveLength(1)
    expect(await readQueue(environment)).toEqual(['a paid'])
  })

  it.each([
    ['is not funded until later', 'rejected'],
    ['executes its message again by itself', 'again'],
  ])('pays once when a wallet that had run out of gas %s', async (_, when) => {
    // Its seqno does not change, so it accepts the message again.
    const environment = await createEnvironment('v4', OUT_OF_GAS)
    const { chain, wallet, proxy } = environment
    const row = { reference: 'a', recipient: friendly(1), amount: '5' }
    await environment.insert(row, { ...row, reference: 'b', recipient: friendly(2) })
    const sends: string[] = []
    proxy.onRequest = async (path, body) => {
      if (!path.endsWith('/sendBoc')) return
      sends.push(body)
      if (sends.length !== 4) return
      await chain.fund(wallet, toNano(1))
      const { boc } = JSON.parse(sends[0]!) as { boc: string }
      if (when === 'again') await chain.send(Cell.fromBase64(boc))
    }

    await payAll(environment)

    expect(sentByWallet(environment)).toEqual([
      onChain(row),
      onChain({ ...row, recipient: friendly(2) }),
    ])
    expect(await readQueue(environment)).toEqual(['a paid', 'b paid'])
  })

  it('pays nothing after another program has paid from the wallet', async () => {
    const environment = await createEnvironment('v5')
    await environment.insert({ reference: 'a', recipient: friendly(1), amount: '5' })
    await payAll(environment)
    await environment.payWithoutWorker()
    await environment.insert({ reference: 'b', recipient: friendly(1), amount: '5' })

    const { by, output } = await startWorker({ env: environment.env }).ended

    expect(by).toBe(1)
    expect(output).toContain("The wallet's seqno is 2; expected 1")
    expect(await readQueue(environment)).toEqual(['a paid', 'b queued'])
  })

  it('stops when another program uses the seqno of a signed message', async () => {
    const environment = await createEnvironment('v5')
    const { chain, proxy, env } = environment
    await environment.insert({ reference: 'a', recipient: friendly(1), amount: '5' })
    await payAll(environment)
    await environment.insert({ reference: 'b', recipient: friendly(1), amount: '5' })
    let isFirst = true
    proxy.onRequest = async (path) => {
      if (!path.endsWith('/sendBoc') || !isFirst) return
      isFirst = false
      await environment.payWithoutWorker()
      chain.now += 400
      await chain.fund(walletV4(91).wallet.address, 1n)
    }

    const { by, output } = await startWorker({ env }).ended

    expect(by).toBe(1)
    expect(output).toContain("The wallet's seqno is 2; expected 1")
    expect(await readQueue(environment)).toEqual(['a paid', 'b signed'])
  })

  it('pays nothing with a copy of the table from before the first payout', async () => {
    const environment = await createEnvironment('v5')
    const row = { reference: 'a', recipient: friendly(1), amount: '5' }
    await environment.insert(row)
    await payAll(environment)
    await environment.query('DELETE FROM payouts')
    await environment.insert(row)

    const { by, output } = await startWorker({ env: environment.env }).ended

    expect(by).toBe(1)
    expect(output).toContain("The wallet's seqno is 1; expected 0")
    expect(sentByWallet(environment)).toHaveLength(1)
  })

  it('lets a second worker wait until the first one has ended', async () => {
    const environment = await createEnvironment('v4')
    const { chain, proxy, env } = environment
    const rows = [1, 2, 3].map((seed) => ({
      reference: `${seed}`,
      recipient: friendly(seed),
      amount: '5',
    }))
    await environment.insert(...rows)
    chain.isHolding = true
    const isSent = new Promise<void>((resolve) => {
      proxy.onResponse = (path) => {
        if (path.endsWith('/sendBoc')) resolve()
        return true
      }
    })
    const first = startWorker({ env })
    await isSent
    const second = payAll(environment)
    const waiting = () =>
      environment.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    await expect.poll(waiting).toHaveLength(1)
    first.kill()
    chain.isHolding = false
    await chain.mine()
    await second

    expect(sentByWallet(environment)).toEqual(rows.map(onChain))
  })

  it('does not start with the mnemonic of another wallet, and does not log it', async () => {
    const { env } = await createEnvironment('v5')

    const { by, output } = await startWorker({ env: { ...env, WALLET_VERSION: 'v4' } }).ended

    expect(by).toBe(1)
    expect(output).toContain('as a wallet v4 on mainnet, not to WALLET_ADDRESS')
    expect(output).not.toContain('word0')
  })
})
