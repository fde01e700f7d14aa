import { Injectable, Module } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { Address, type Contract, type ContractProvider } from '@ton/core'
import { createContracts } from '@tonplug/core/contract'
import { expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { InjectV2 } from '../../src/tonplug.tokens.js'
import { V2Service, V3Service } from '../../src/services.js'
import { address, startMockNode } from '../support/mock-node.js'

/** A contract wrapper for any provider. */
class Purse implements Contract {
  readonly address = Address.parse(address)

  async getCoins(provider: ContractProvider): Promise<bigint> {
    return (await provider.getState()).balance
  }
}

@Injectable()
class PursesService {
  constructor(
    private readonly v2: V2Service,
    @InjectV2('wholesale') private readonly wholesale: V2Service,
  ) {}

  async read(): Promise<bigint[]> {
    const purse = new Purse()
    const contracts = createContracts({ v2: this.v2 })
    return [
      await contracts.open(purse).getCoins(),
      (await contracts.provider(purse.address).getState()).balance,
      await createContracts({ v2: this.wholesale }).open(purse).getCoins(),
    ]
  }
}

/** Reads with API v3. */
@Injectable()
class IndexedPursesService {
  constructor(private readonly v3: V3Service) {}

  async read(): Promise<bigint[]> {
    const purse = new Purse()
    const contracts = createContracts({ v3: this.v3 })
    const { balance } = await contracts.provider(purse.address).getState()
    return [await contracts.open(purse).getCoins(), balance]
  }
}

@Module({ providers: [PursesService] })
class PursesModule {}

it('createContracts uses V2Service of an instance, its API key and servers', async () => {
  const [retail, wholesale] = [
    await startMockNode({ balance: '5' }),
    await startMockNode({ balance: '7' }),
  ]
  const module = await Test.createTestingModule({
    imports: [
      PursesModule,
      TonplugModule.forRoot({ baseUrl: retail.baseUrl, rps: Infinity, isGlobal: true }),
      TonplugModule.forRoot({
        name: 'wholesale',
        baseUrl: wholesale.baseUrl,
        apiKey: 'w',
        isGlobal: true,
      }),
    ],
  }).compile()

  expect(await module.get(PursesService, { strict: false }).read()).toEqual([5n, 5n, 7n])
  expect(retail.requests.map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => '/getAddressInformation'),
  )
  expect(wholesale.requests).toMatchObject([{ path: '/getAddressInformation', apiKey: 'w' }])
  await module.close()
})

it('createContracts uses the index with V3Service', async () => {
  const { baseUrl, requests } = await startMockNode({ balance: '9' })
  const module = await Test.createTestingModule({
    imports: [TonplugModule.forRoot({ baseUrl, rps: Infinity, isGlobal: true })],
    providers: [IndexedPursesService],
  }).compile()
  expect(await module.get(IndexedPursesService).read()).toEqual([9n, 9n])
  expect(requests.map(({ path }) => path)).toEqual(['/accountStates', '/accountStates'])
  await module.close()
})
