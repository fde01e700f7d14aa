import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import * as built from '@tonplug/nestjs'

it('the built package exports these names, by import and by require', () => {
  const names = [
    'InjectInvoices',
    'InjectPayments',
    'InjectReceiver',
    'InjectV2',
    'InjectV3',
    'InjectWatcher',
    'InvoiceService',
    'OnExtraPayment',
    'OnFailed',
    'OnMismatch',
    'OnPaid',
    'OnUnknownOrder',
    'OnUnverified',
    'TonplugModule',
    'V2Service',
    'V3Service',
    'WebhookController',
    'getInvoicesToken',
    'getPaymentsToken',
    'getReceiverToken',
    'getV2Token',
    'getV3Token',
    'getWatcherToken',
    'orderStatusStream',
  ]
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs')
  expect(Object.keys(built).toSorted()).toEqual(names)
  expect(Object.keys(required).toSorted()).toEqual(names)
})
