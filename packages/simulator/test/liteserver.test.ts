import { Address } from '@ton/core'
import { signedBlocks, type ShownCredit } from '@tonplug/core/proof'
import { createLiteserver, type SimulatedLiteserver } from '@tonplug/simulator'
import { createChainLiteserver } from '@tonplug/simulator/internal'
import { describe, expect, it } from 'vitest'
import { openShop } from './shop.js'

/** Opens a shop that requires signed blocks, and pays it in coins and in USDT. */
async function openPaid(prepare: (liteserver: SimulatedLiteserver) => void = () => undefined) {
  const claims: ShownCredit[] = []
  let liteserver!: SimulatedLiteserver
  const open = () => signedBlocks({ liteserver, trusted: liteserver.trusted })
  const shop = await openShop({}, ({ chain }) => {
    liteserver = createLiteserver(chain)
    prepare(liteserver)
    const witness = open()
    return {
      compare(claim, options) {
        claims.push(claim)
        return witness.compare(claim, options)
      },
    }
  })
  const { simulator } = shop
  const asset = simulator.usdt.master.toString()
  const transfers = [{ rawAmount: 5_000_000_000n }, { rawAmount: 7_000_000n, asset }]
  for (const [index, transfer] of transfers.entries()) {
    await simulator.pay(shop.order(transfer))
    await shop.calls(index + 1)
  }
  const { chain, merchant } = simulator
  const seal = async (): Promise<void> => {
    await chain.fund(merchant.address, 1n)
    await liteserver.seal()
  }
  return { ...shop, liteserver, claims, open, seal }
}

describe('createLiteserver', () => {
  it.each(['ordinary', 'simplex', 'simplex with an empty candidate'] as const)(
    'proves payments in coins and in USDT to a shop, with signatures of the form: %s',
    async (form) => {
      const { calls, claims, liteserver } = await openPaid((server) => (server.form = form))
      expect((await calls(2)).map(({ kind }) => kind)).toEqual(['paid', 'paid'])
      expect(claims.map(({ asset }) => asset === 'TON')).toEqual([true, false])
      expect(liteserver.calls).toContain('getAccountState')
    },
  )

  it('changes its validators, and splits and merges its shards', async () => {
    const { claims, liteserver, open, seal } = await openPaid()
    const witness = open()
    const steps = [
      () => liteserver.changeValidators(),
      () => liteserver.changeValidators({ isTemporary: true }),
      () => (liteserver.splits = 2),
      () => (liteserver.splits = 1),
      () => liteserver.changeValidators(),
    ]
    for (const step of steps) {
      step()
      await seal()
      for (const one of [witness, open()]) {
        expect(await one.compare(claims[1]!, {})).toEqual({ kind: 'confirmed' })
      }
    }
  })

  it.each<[string, (liteserver: SimulatedLiteserver) => void]>([
    [
      'fails',
      (server) => {
        server.before = () => {
          throw new Error('connection lost')
        }
      },
    ],
    [
      'withholds the state of the account',
      (server) => (server.changeAccount = (answer) => ({ ...answer, state: undefined })),
    ],
    ['leaves a transaction out', (server) => (server.changeTransactions = ([, ...older]) => older)],
    ['sends other bytes', (server) => (server.changeBlockProof = (bytes) => bytes.subarray(4))],
  ])('proves nothing when it %s', async (_, lie) => {
    const { claims, liteserver, open } = await openPaid()
    lie(liteserver)
    expect(await open().compare(claims[0]!, {})).toMatchObject({ kind: 'pending' })
  })

  it('shows another signed block with the number of its newest one', async () => {
    const { claims, liteserver, open } = await openPaid()
    const [witness, elsewhere] = [open(), `0:${'7'.repeat(64)}`]
    expect(await witness.compare(claims[0]!, {})).toEqual({ kind: 'confirmed' })
    liteserver.fork()
    const [message] = claims[0]!.route
    const route = [{ ...message, recipient: elsewhere }] as const
    expect(await witness.compare({ ...claims[0]!, account: elsewhere, route }, {})).toMatchObject({
      kind: 'differs',
      detail: expect.stringMatching(/^two signed masterchain blocks have the number/),
    })
  })

  it('shows no account of the masterchain in workchain 0, and refuses to prove one', async () => {
    const { chain } = (await openShop()).simulator
    const [hash, signal] = [Buffer.alloc(32, 7), new AbortController().signal]
    const liteserver = createChainLiteserver(chain)
    const states: unknown[] = []
    liteserver.changeAccount = (answer) => {
      states.push(answer.state)
      return answer
    }
    await chain.fund(new Address(-1, hash), 1n)
    const { id: block } = await liteserver.seal()
    const ask = (workchain: number) =>
      liteserver.getAccountState({ block, account: { workchain, hash } }, { signal })
    await ask(0)
    expect(states).toEqual([undefined])
    await expect(ask(-1)).rejects.toThrow('only accounts of workchain 0')
  })
})
