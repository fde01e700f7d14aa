import { startMockApi, type MockApi } from '@tonplug/test-support/mock-api'

/** Starts a mock of the payment gateway until the test ends. Every transfer is pending and has the reference `ref-1`. */
export async function startGateway(): Promise<MockApi> {
  const message = { address: `0:${'0'.repeat(64)}`, amount: '10500000000', payload: 'te6ccgEA' }
  const created = { message, bodyBase64Hash: `${'A'.repeat(43)}=`, reference: 'ref-1' }
  return startMockApi(({ method }) => ({
    body: method === 'POST' ? created : { reference: 'ref-1', status: 'pending' },
  }))
}
