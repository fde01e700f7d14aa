import { Controller, Get, Injectable, Module } from '@nestjs/common'
import type { TransferClientOptions } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getTransferToken, InjectTransfers } from '../../src/tonplug.tokens.js'
import { TransferService } from '../../src/transfer.service.js'
import { address, startMockNode } from '../support/mock-node.js'
import { platforms, startApp } from '../support/start-app.js'
import { startGateway } from '../support/gateway.js'

@Controller('transfers')
class TransfersController {
  constructor(private readonly transfers: TransferService) {}

  @Get()
  async create(): Promise<string> {
    const rawAmount = 10_500_000_000n
    const created = await this.transfers.create({ rawAmount, asset: 'TON', senderAddr: address })
    const status = await this.transfers.byReference(created.reference)
    return `${created.message.amount} ${status?.state}`
  }
}

const read = async (url: string): Promise<string> => (await fetch(url)).text()

describe.each(platforms)('TransferService, %s', (platform) => {
  it('is injected by its class, with its own API key', async () => {
    const [api, gateway] = [await startMockNode(), await startGateway()]
    const options: TransferClientOptions = { baseUrl: gateway.baseUrl, apiKey: 'gateway-key' }
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl: api.baseUrl, apiKey: 'api-key', gateway: options }),
      ],
      controllers: [TransfersController],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect(await read(`${url}/transfers`)).toBe('10500000000 pending')
    expect(gateway.requests.map(({ apiKey }) => apiKey)).toEqual(['gateway-key', 'gateway-key'])
    expect(api.requests).toEqual([])
  })

  it('exists for each named instance, and throws with baseUrl when the gateway is missing', async () => {
    const [api, gateway] = [await startMockNode(), await startGateway()]
    @Injectable()
    class Wholesale {
      constructor(@InjectTransfers('wholesale') readonly transfers: TransferService) {}
    }
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl: api.baseUrl }),
        TonplugModule.forRoot({ name: 'wholesale', gateway: { baseUrl: gateway.baseUrl } }),
      ],
      providers: [Wholesale],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const wholesale = app.get(Wholesale).transfers
    expect(wholesale).toBe(app.get(getTransferToken('wholesale'), { strict: false }))
    expect(await wholesale.byReference('ref-1')).toMatchObject({ state: 'pending' })
    const main = app.get(TransferService, { strict: false })
    await expect(main.byReference('ref-1')).rejects.toThrow(
      /gateway: is missing .* with baseUrl set gateway/,
    )
  })
})
