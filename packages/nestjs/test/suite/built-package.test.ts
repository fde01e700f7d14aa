import { createRequire } from 'node:module'
import { Address } from '@ton/core'
import { expect, it } from 'vitest'
import * as built from '@tonplug/nestjs'
import * as builtHealth from '@tonplug/nestjs/health'

it('the built package exports these names, by import and by require', () => {
  const names = [
    'InjectPayments',
    'InjectReceiver',
    'InjectTransfers',
    'InjectV2',
    'InjectV3',
    'InjectWatcher',
    'OnExtraPayment',
    'OnTransferFailed',
    'OnTransferMismatch',
    'OnTransferPaid',
    'OnTransferUnverified',
    'OnUnknownOrder',
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
    'getPaymentsToken',
    'getReceiverToken',
    'getTransferToken',
    'getV2Token',
    'getV3Token',
    'getWatcherToken',
    'observeRows',
  ]
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs')
  expect(Object.keys(built).toSorted()).toEqual(names)
  expect(Object.keys(required).toSorted()).toEqual(names)
})

it('the subpath for Terminus exports the health indicator, by import and by require', () => {
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs/health')
  expect(Object.keys(builtHealth)).toEqual(['TonplugHealthIndicator'])
  expect(Object.keys(required)).toEqual(['TonplugHealthIndicator'])
})

it('the subpath for @ton/core enables open of the services, by import and by require', async () => {
  const require = createRequire(import.meta.url)
  const required: typeof built = require('@tonplug/nestjs')
  const contract = { address: Address.parse(`0:${'07'.repeat(32)}`) }
  for (const { V2Service, V3Service } of [built, required]) {
    for (const service of [V2Service, V3Service].map((make) => new make({ network: 'testnet' }))) {
      // The method exists before the import, without its type.
      const { open } = service as unknown as { open: (one: typeof contract) => typeof contract }
      expect(() => open(contract)).toThrow('must be imported')
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
