import { openDatabase } from '@tonplug/postgres'
import { createPostgresDatabase } from '@tonplug/test-support/postgres'
import { expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../src/ledger.js'
import { readLedger } from './watcher.js'

it('credits a deposit once and returns the stored cursor, in PostgreSQL', async () => {
  const { url, drop } = await createPostgresDatabase()
  const { db, close } = await openDatabase({ url })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const ledger = await openLedger(db)
  const deposit = { address: 'a', asset: 'TON', amount: 2n ** 120n, at: new Date(0) }
  const cursor = { endpoint: 'transactions', position: { from: 5 }, isDone: false }
  expect(await ledger.cursorOf('some')).toBeUndefined()

  expect(await ledger.credit([{ ...deposit, hash: '1' }], { source: 'some', cursor })).toHaveLength(
    1,
  )
  const both = ['1', '2'].map((hash) => ({ ...deposit, hash }))
  const credited = await ledger.credit(both, { source: 'some', cursor })

  expect(credited).toMatchObject([{ hash: '2' }])
  expect(await ledger.cursorOf('some')).toEqual(cursor)
  expect(await readLedger(db)).toEqual({
    credits: [`a TON ${2n ** 120n}`, `a TON ${2n ** 120n}`],
    balances: [`a TON ${2n ** 121n}`],
  })
})
