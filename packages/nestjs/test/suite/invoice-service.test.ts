import { Controller, Get, Injectable, Module, Query } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import { memoryOrderRepository } from '@tonplug/core'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { createFakeClock } from '@tonplug/testing'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { InvoiceService } from '../../src/services.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { InjectInvoices } from '../../src/tonplug.tokens.js'
import { platforms, startApp } from '../support/start-app.js'

const wallet = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
const onTestnet = '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC'
const other = '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf'

const jetton = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
/** The response of API v3 about the jetton. */
const masters = {
  jetton_masters: [
    {
      address: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
      total_supply: '1',
      last_transaction_lt: '1',
      mintable: true,
      jetton_content: { decimals: '6' },
    },
  ],
  address_book: {},
  metadata: {},
}

@Controller('invoices')
class InvoicesController {
  constructor(private readonly invoices: InvoiceService) {}

  @Get()
  create(@Query('asset') asset = 'TON') {
    return this.invoices.create({ amount: '10.5', reference: 'order-1', asset })
  }
}

function appWith(options: TonplugModuleOptions): Type {
  @Module({ imports: [TonplugModule.forRoot(options)], controllers: [InvoicesController] })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('InvoiceService, %s', (platform) => {
  it('creates invoices for the first wallet of payments', async () => {
    const payments = { orders: memoryOrderRepository(), wallets: [wallet, other] }
    const { url } = await startApp(appWith({ payments }), { platform })
    const { body } = await request(url).get('/invoices').expect(200)
    expect(body).toMatchObject({
      reference: 'order-1',
      rawAmount: '10500000000',
      recipient: wallet,
      link: `ton://transfer/${wallet}?amount=10500000000&text=order-1`,
    })
  })

  it('creates invoices for the option wallet, on the network of the module', async () => {
    const { url } = await startApp(appWith({ network: 'testnet', wallet }), { platform })
    const { body } = await request(url).get('/invoices').expect(200)
    expect(body).toMatchObject({ recipient: onTestnet })
  })

  it('uses the clock of payments', async () => {
    const clock = createFakeClock()
    const orders = memoryOrderRepository()
    const { app } = await startApp(appWith({ wallet, payments: { orders, clock } }), { platform })
    const expiresAt = new Date(clock.nowMs() + 60_000)
    const created = app.get(InvoiceService).create({ amount: '1', asset: 'TON', expiresAt })
    const { order } = await created
    expect(order.createdAt.getTime()).toBe(clock.nowMs())
  })

  it('creates invoices in jettons with the client of API v3', async () => {
    const { baseUrl } = await startMockApi(({ path }) => ({
      body: path === '/jetton/masters' ? masters : { gas_used: 0, exit_code: -13, stack: [] },
    }))
    const { url } = await startApp(appWith({ wallet, baseUrl, rps: 100 }), { platform })
    const { body } = await request(url).get('/invoices').query({ asset: jetton }).expect(200)
    expect(body).toMatchObject({ rawAmount: '10500000' })
  })

  it('S60 has its own wallet in each named instance', async () => {
    @Injectable()
    class Wholesale {
      constructor(@InjectInvoices('wholesale') readonly invoices: InvoiceService) {}
    }
    @Module({
      imports: [
        TonplugModule.forRoot({ wallet }),
        TonplugModule.forRoot({ name: 'wholesale', network: 'testnet', wallet: other }),
      ],
      providers: [Wholesale],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const { order } = await app.get(Wholesale).invoices.create({ rawAmount: 1n, asset: 'TON' })
    expect(order.recipient).toBe(other)
  })
})

it.each<[string, TonplugModuleOptions, string]>([
  ['without a wallet', {}, 'wallet: is missing from the options of TonplugModule; set it, or '],
  ['for a wallet of another network', { network: 'mainnet', wallet: other }, 'network: must be'],
])('InvoiceService throws %s', async (_name, options, message) => {
  const { app } = await startApp(appWith(options), { platform: 'express' })
  const created = app.get(InvoiceService).create({ amount: '1', asset: 'TON' })
  await expect(created).rejects.toThrow(message)
})
