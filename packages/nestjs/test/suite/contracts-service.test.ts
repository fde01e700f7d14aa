import { Injectable, Module } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { Address, type Contract, type ContractProvider } from '@ton/core'
import { expect, it } from 'vitest'
import { ContractsService } from '../../src/contract.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { address, startApi } from '../support/api-server.js'

/** A wrapper as one would write it for any provider. */
class Purse implements Contract {
  readonly address = Address.parse(address)

  async getCoins(provider: ContractProvider): Promise<bigint> {
    return (await provider.getState()).balance
  }
}

@Injectable()
class PursesService {
  constructor(private readonly contracts: ContractsService) {}

  async read(): Promise<bigint[]> {
    const purse = new Purse()
    return [
      await this.contracts.open(purse).getCoins(),
      (await this.contracts.provider(purse.address).getState()).balance,
      await this.contracts.of('wholesale').open(purse).getCoins(),
    ]
  }
}

@Module({ providers: [ContractsService, PursesService] })
class PursesModule {}

it('contracts are opened by the clients of the instances, with their keys and servers', async () => {
  const [retail, wholesale] = [await startApi({ balance: '5' }), await startApi({ balance: '7' })]
  const module = await Test.createTestingModule({
    imports: [
      PursesModule,
      TonplugModule.forRoot({ baseUrl: retail.baseUrl, rps: Infinity, isGlobal: true }),
      TonplugModule.forRoot({ name: 'wholesale', baseUrl: wholesale.baseUrl, apiKey: 'w' }),
    ],
  }).compile()

  expect(await module.get(PursesService, { strict: false }).read()).toEqual([5n, 5n, 7n])
  expect(retail.arrived.map(({ endpoint }) => endpoint)).toEqual([
    'getAddressInformation',
    'getAddressInformation',
  ])
  expect(wholesale.arrived).toEqual([{ endpoint: 'getAddressInformation', apiKey: 'w' }])
  await module.close()
})
