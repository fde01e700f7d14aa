import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import * as built from '@tonplug/nestjs'

it('the built package exports these names, by import and by require', () => {
  const names = [
    'InjectReceiver',
    'OnExtraPayment',
    'OnTransferFailed',
    'OnTransferMismatched',
    'OnTransferPaid',
    'OnTransferUnmatched',
    'SignatureGuard',
    'TonplugModule',
    'Transfer',
    'TransferEvents',
    'WebhookController',
    'WebhookDecision',
    'WebhookOrder',
    'getReceiverToken',
  ]
  const required: object = createRequire(import.meta.url)('@tonplug/nestjs')
  expect(Object.keys(built).toSorted()).toEqual(names)
  expect(Object.keys(required).toSorted()).toEqual(names)
})
