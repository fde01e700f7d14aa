import 'reflect-metadata'
import assert from 'node:assert/strict'
import { Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Address, type Contract, type ContractProvider, type OpenedContract } from '@ton/core'
import { createContracts } from '@tonplug/core/contract'
import { GetMethodError } from '@tonplug/core/toncenter'
import { InjectV2, TonplugModule, V2Service } from '@tonplug/nestjs'

class Counter implements Contract {
  readonly address = Address.parse(`0:${'0'.repeat(64)}`)

  async getCount(provider: ContractProvider): Promise<bigint> {
    return (await provider.get('count', [])).stack.readBigNumber()
  }
}

@Injectable()
class CountService {
  constructor(
    readonly v2: V2Service,
    @InjectV2('broken') readonly broken: V2Service,
  ) {}

  counter(): OpenedContract<Counter> {
    return createContracts({ v2: this.v2 }).open(new Counter())
  }
}

const answering = (exitCode: number) => async () =>
  new Response(
    JSON.stringify({
      ok: true,
      result: { gas_used: 1, exit_code: exitCode, stack: [['num', '0x7']] },
    }),
  )

@Module({
  imports: [
    TonplugModule.forRoot({ fetch: answering(0) }),
    TonplugModule.forRoot({ name: 'broken', fetch: answering(11) }),
  ],
  providers: [CountService],
})
class AppModule {}

void main()

async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false })
  const service = app.get(CountService)
  const count: bigint = await service.counter().getCount()
  assert.equal(count, 7n)
  // The errors are those that the app can name.
  await assert.rejects(
    createContracts({ v2: service.broken }).open(new Counter()).getCount(),
    (error) => error instanceof GetMethodError && error.exitCode === 11,
  )
  await app.close()
}
