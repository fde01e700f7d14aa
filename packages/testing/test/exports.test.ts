import * as testing from '@tonplug/testing'
import { expect, it } from 'vitest'

it('exports these names and no others', () => {
  expect(Object.keys(testing).toSorted()).toEqual([
    'MockGatewayError',
    'checkDelivery',
    'createFakeClock',
    'createMockGateway',
    'createTestLogger',
    'describeForeignRequest',
    'describeJoinedOrders',
    'describeOrderRepository',
    'describeOtherRoutes',
    'describeShop',
    'describeTaskQueue',
    'describeWebhookAdapter',
    'findJettonWalletBy',
    'printTest',
    'shrinkRun',
    'signPayload',
    'simulateShop',
    'transferCompleted',
    'transferFailed',
    'transferRefunded',
    'watchNetwork',
  ])
})
