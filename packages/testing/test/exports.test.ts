import * as testing from '@tonplug/testing'
import { expect, it } from 'vitest'

it('exports these names and no others', () => {
  expect(Object.keys(testing).toSorted()).toEqual([
    'GatewayStandInError',
    'createGatewayStandIn',
    'createManualClock',
    'describeInbox',
    'describeJobQueue',
    'describeJoinedOrders',
    'describeOrderRepository',
    'describeWebhookAdapter',
    'findJettonWalletBy',
    'recordingLogger',
    'signPayload',
    'transferCompleted',
    'transferFailed',
    'transferRefunded',
    'watchNetwork',
  ])
})
