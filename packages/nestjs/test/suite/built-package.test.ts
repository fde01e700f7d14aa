import { createRequire } from 'node:module'
import { Address } from '@ton/core'
import { expect, it } from 'vitest'
import * as built from '@tonplug/nestjs'
import * as builtHealth from '@tonplug/nestjs/health'

it('the built package exports these names, by import and by require', () => {
  const names = [
    'InjectReceiver',
    'InjectReconciler',
    'InjectTransfers',
    'InjectV2',
    'InjectV3',
    'OnExtraPayment',
    'OnLostWebhook',
    'OnOverpaid',
    'OnPaidEarly',
    'OnPaidLate',
    'OnPaidTwice',
    'OnTransferFailed',
    'OnTransferMismatched',
    'OnTransferPaid',
    'OnTransferUnmatched',
    'OnTransferUnverified',
    'OnUnderpaid',
    'OnWrongAsset',
    'SignatureGuard',
    'TonplugModule',
    'Transfer',
    'TransferEvents',
    'TransferService',
    'V2Service',
    'V3Service',
    'WebhookController',
    'WebhookDecision',
    'WebhookOrder',
    'getReceiverToken',
    'getReconcilerToken',
    'getTransferToken',
    'getV2Token',
    'getV3Token',
    'observeRows',
  ]
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs')
  expect(Object.keys(built).toSorted()).toEqual(names)
  expect(Object.keys(required).toSorted()).toEqual(names)
})

it('its subpath for Terminus exports the health indicator, by import and by require', () => {
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs/health')
  expect(Object.keys(builtHealth)).toEqual(['TonplugHealthIndicator'])
  expect(Object.keys(required)).toEqual(['TonplugHealthIndicator'])
})

it('its subpath for @ton/core lets the services open contracts, by import and by require', async () => {
  const require = createRequire(import.meta.url)
  const required: typeof built = require('@tonplug/nestjs')
  const contract = { address: Address.parse(`0:${'07'.repeat(32)}`) }
  for (const { V2Service, V3Service } of [built, required]) {
    for (const service of [V2Service, V3Service].map((make) => new make({ network: 'testnet' }))) {
      // What it has before the import, without types.
      const { open } = service as unknown as { open: (one: typeof contract) => typeof contract }
      expect(() => open(contract)).toThrow('is not imported')
    }
  }
  const exported: object[] = [await import('@tonplug/nestjs/contract')]
  exported.push(require('@tonplug/nestjs/contract') as object)
  expect(exported.flatMap((names) => Object.keys(names))).toEqual([])
  for (const { V2Service, V3Service } of [built, required]) {
    expect(new V2Service({ network: 'testnet' }).open(contract).address).toBe(contract.address)
    expect(new V3Service({ network: 'testnet' }).open(contract).address).toBe(contract.address)
  }
})
