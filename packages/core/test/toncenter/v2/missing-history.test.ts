import { describe, expect, it } from 'vitest'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { startMockApi, type Reply } from '@tonplug/test-support/mock-api'
import { clientFor, cpp } from './error-replies.js'
import { readFixture } from './fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

describe("archival: 'auto'", () => {
  const tooOld = cpp(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction')

  const from = { address, lt: 5n, hash: 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM=' }

  it('asks the archival nodes when the others do not have the transaction', async () => {
    const full = readFixture('getTransactions.cpp.json')
    const { baseUrl, requests } = await startMockApi(({ query }) =>
      query.get('archival') === 'true' ? full : tooOld,
    )
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    const list = await v2.getTransactions({ ...from, archival: 'auto' })
    expect(list).toHaveLength(3)
    expect(requests.map(({ query }) => query.get('archival'))).toEqual([null, 'true'])
  })

  it('asks once when any node has it', async () => {
    const { v2, requests } = await clientFor({ body: readFixture('getTransactions.cpp.json') })
    await v2.getTransactions({ address, archival: 'auto' })
    expect(requests).toHaveLength(1)
  })

  it('fails when the archival nodes do not have it either', async () => {
    const { v2, requests } = await clientFor(tooOld)
    await expect(v2.getTransactions({ ...from, archival: 'auto' })).rejects.toHaveProperty(
      'code',
      'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    )
    expect(requests).toHaveLength(2)
  })

  it('is not sent by default', async () => {
    const { v2, requests } = await clientFor({ body: readFixture('getTransactions.cpp.json') })
    await v2.getTransactions({ address })
    await v2.getTransactions({ address, archival: false })
    expect(requests.map(({ query }) => query.get('archival'))).toEqual([null, 'false'])
  })
})

describe('an unused account', () => {
  const missing = cpp(
    500,
    'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
  )

  async function clientOf(state: Reply | string) {
    const { baseUrl, requests } = await startMockApi(({ path }) =>
      path === '/getAddressInformation' ? state : missing,
    )
    const v2 = createV2Client({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 } })
    return { v2, requests }
  }

  const unused = readFixture('getAddressInformation.never-used.python.json')
  const used = readFixture('getAddressInformation.cpp.json')

  it.each([undefined, true, false, 'auto'] as const)(
    'has an empty history when the server reports it as missing: archival %s',
    async (archival) => {
      const { v2, requests } = await clientOf(unused)
      expect(await v2.getTransactions({ address, archival })).toEqual([])
      const page = await v2.getTransactionsStd({ address, archival })
      expect(page).toEqual({ transactions: [], previous_transaction_id: { lt: 0n, hash: '' } })
      expect(requests).toHaveLength(4)
    },
  )

  it.each([
    ['has a transaction', used],
    ['cannot be asked for its state', cpp(500, 'boom')],
  ])('is not one that %s', async (_, state) => {
    const { v2 } = await clientOf(state)
    await expect(v2.getTransactions({ address, archival: true })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
      endpoint: 'getTransactions',
    })
  })

  it('is not requested when the start is a given transaction', async () => {
    const { v2, requests } = await clientOf(unused)
    const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
    await expect(v2.getTransactions({ address, lt: 5n, hash })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    })
    expect(requests).toHaveLength(1)
  })
})
