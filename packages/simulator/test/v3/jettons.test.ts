import { createV3Client } from '@tonplug/core/toncenter'
import { beginCell, comment, contractAddress, internal, toNano, type Address } from '@ton/core'
import { expect, it } from 'vitest'
import { getV3, startSampleChain, type Row, type SampleChain } from './sample-chain.js'

// Each test starts its own chain.
function raw(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
}

/** Returns the rows of a list. */
async function list(
  sample: SampleChain,
  path: string,
  query: Parameters<typeof getV3>[2] = {},
): Promise<readonly Row[]> {
  const { status, body } = await getV3(sample, path, { limit: 1000, ...query })
  expect({ path, status, error: body.error }).toMatchObject({ status: 200 })
  // The first field of a list contains the rows.
  return Object.values(body)[0] as readonly Row[]
}

it('returns jettons with their metadata', async () => {
  const sample = await startSampleChain()
  const { usdt } = sample
  const [master] = await list(sample, '/jetton/masters', { address: usdt.master.toString() })
  expect(master).toMatchObject({
    address: raw(usdt.master),
    total_supply: '11500000',
    mintable: true,
    jetton_content: { name: 'Tether USD', symbol: 'USDT', decimals: '6' },
  })
  expect(await list(sample, '/jetton/masters')).toEqual([master])
  const admin = String(master!['admin_address'])
  expect(await list(sample, '/jetton/masters', { admin_address: admin })).toEqual([master])
  const other = { admin_address: raw(usdt.master) }
  expect(await list(sample, '/jetton/masters', other)).toEqual([])
})

it('returns jetton wallets by owner, by jetton and by balance', async () => {
  const sample = await startSampleChain()
  const { alice, bob, usdt } = sample
  const euro = await sample.chain.deployJetton({ symbol: 'EUR' })
  await euro.mint(alice.address, 5n)
  await euro.mint(bob.address, 0n)
  const wallets: [Address, Address, bigint][] = [
    [alice.address, usdt.master, 9_500_000n],
    [bob.address, usdt.master, 2_000_000n],
    [alice.address, euro.master, 5n],
    [bob.address, euro.master, 0n],
  ]
  const rows = await list(sample, '/jetton/wallets')
  const brief = ({ owner, jetton, balance }: Row) => [owner, jetton, balance]
  expect(rows.map(brief).map(String).toSorted()).toEqual(
    wallets
      .map(([owner, jetton, balance]) => [raw(owner), raw(jetton), `${balance}`])
      .map(String)
      .toSorted(),
  )
  const ask = async (query: Parameters<typeof getV3>[2]) =>
    (await list(sample, '/jetton/wallets', query)).map(({ balance }) => Number(balance))
  expect(await ask({ owner_address: alice.address.toString(), sort: 'asc' })).toEqual([
    5, 9_500_000,
  ])
  expect(await ask({ jetton_address: euro.master.toString(), sort: 'desc' })).toEqual([5, 0])
  expect(await ask({ jetton_address: raw(euro.master), exclude_zero_balance: true })).toEqual([5])
  expect(await ask({ address: usdt.walletOf(bob.address).toString() })).toEqual([2_000_000])
  const both = { jetton_address: [raw(euro.master), raw(usdt.master)] }
  expect(await ask({ ...both, owner_address: raw(bob.address), sort: 'asc' })).toEqual([
    0, 2_000_000,
  ])
  expect((await getV3(sample, '/jetton/wallets', both)).status).toBe(422)
})

it('returns the jetton transfers of a filter, including failed ones', async () => {
  const sample = await startSampleChain()
  const { alice, bob, carol, usdt, chain } = sample
  const euro = await chain.deployJetton({ symbol: 'EUR' })
  await euro.mint(bob.address, 100n)
  chain.now += 9
  const transfer = { amount: 40n, response: bob.address, forwardCoins: 0n }
  await bob.send([euro.transferMessage({ ...transfer, from: bob.address, to: alice.address })])
  const all = (await list(sample, '/jetton/transfers', { sort: 'asc' })) as Record<string, string>[]
  expect(
    all.map(({ source, destination, amount, jetton_master }) => [
      source,
      destination,
      amount,
      jetton_master,
    ]),
  ).toEqual([
    [raw(alice.address), raw(bob.address), '2500000', raw(usdt.master)],
    [raw(alice.address), raw(bob.address), '99000000', raw(usdt.master)],
    [raw(bob.address), raw(alice.address), '40', raw(euro.master)],
  ])
  expect(all.map((row) => row['transaction_aborted'])).toEqual([false, true, false])
  expect(all[0]).toMatchObject({
    source_wallet: raw(usdt.walletOf(alice.address)),
    forward_ton_amount: '1',
    decoded_forward_payload: { type: 'text_comment', comment: 'Order 18' },
    custom_payload: null,
    decoded_custom_payload: null,
  })
  const [first, , third] = all
  for (const owner of [alice, bob, carol]) {
    for (const direction of [undefined, 'in', 'out', 'both']) {
      for (const bound of [
        {},
        { jetton_master: raw(usdt.master) },
        { jetton_wallet: usdt.walletOf(alice.address).toString() },
        { start_lt: third!['transaction_lt']! },
        { end_utime: String(first!['transaction_now']) },
      ] as Record<string, string>[]) {
        const query = { owner_address: raw(owner.address), sort: 'asc', ...bound }
        const rows = await list(sample, '/jetton/transfers', {
          ...query,
          ...(direction && { direction }),
        })
        const side = (row: Record<string, string>) =>
          (direction !== 'in' && row['source'] === raw(owner.address)) ||
          (direction !== 'out' && row['destination'] === raw(owner.address))
        expect(rows).toEqual(
          all.filter(
            (row) =>
              side(row) &&
              (bound['jetton_master'] ?? row['jetton_master']) === row['jetton_master'] &&
              (bound['jetton_wallet'] === undefined || row === first || row === all[1]) &&
              BigInt(row['transaction_lt']!) >= BigInt(bound['start_lt'] ?? 0) &&
              Number(row['transaction_now']) <= Number(bound['end_utime'] ?? Infinity),
          ),
        )
      }
    }
  }
})

it('returns burns with their amounts', async () => {
  const sample = await startSampleChain()
  const { bob, alice, usdt } = sample
  const [burn, ...others] = await list(sample, '/jetton/burns')
  expect(others).toEqual([])
  expect(burn).toMatchObject({
    query_id: '41',
    owner: raw(bob.address),
    jetton_wallet: raw(usdt.walletOf(bob.address)),
    jetton_master: raw(usdt.master),
    amount: '500000',
    transaction_aborted: false,
  })
  expect(await list(sample, '/jetton/burns', { address: raw(bob.address) })).toEqual([burn])
  expect(await list(sample, '/jetton/burns', { address: raw(alice.address) })).toEqual([])
  expect(await list(sample, '/jetton/burns', { jetton_master: raw(bob.address) })).toEqual([])
})

it('does not return a contract that pretends to be a wallet of the jetton', async () => {
  const sample = await startSampleChain()
  const { chain, carol, bob, usdt } = sample
  // The code of a jetton wallet with another balance has another address, which the master does not confirm.
  const { code } = await chain.account(usdt.walletOf(bob.address))
  const data = beginCell()
    .storeCoins(77_000_000n)
    .storeAddress(carol.address)
    .storeAddress(usdt.master)
    .storeRef(code!)
    .endCell()
  const claimed = contractAddress(0, { code: code!, data })
  await chain.sendFromFaucet({ to: claimed, value: toNano(1), init: { code: code!, data } })
  await carol.send([
    internal({
      to: claimed,
      value: toNano('0.2'),
      body: beginCell()
        .storeUint(0x0f8a7ea5, 32)
        .storeUint(0, 64)
        .storeCoins(50_000_000n)
        .storeAddress(bob.address)
        .storeAddress(carol.address)
        .storeMaybeRef(null)
        .storeCoins(1n)
        .storeMaybeRef(comment('Order 20'))
        .endCell(),
    }),
  ])
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })
  expect((await v3.accountStates({ address: claimed })).accounts[0]).toMatchObject({
    status: 'active',
    interfaces: [],
  })
  expect((await v3.jettonWallets({ owner_address: carol.address })).jetton_wallets).toEqual([])
  expect((await v3.jettonTransfers({ owner_address: carol.address })).jetton_transfers).toEqual([])
  const { actions } = await v3.actions({ account: carol.address, limit: 100 })
  expect(actions.map(({ type }) => type)).not.toContain('jetton_transfer')
})
