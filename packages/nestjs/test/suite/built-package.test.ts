import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import * as built from '@tonplug/nestjs'
import * as builtContract from '@tonplug/nestjs/contract'
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

it('its subpath for @ton/core exports the service, by import and by require', () => {
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs/contract')
  expect(Object.keys(builtContract)).toEqual(['ContractsService'])
  expect(Object.keys(required)).toEqual(['ContractsService'])
})
