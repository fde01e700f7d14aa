import { createV3Client } from '@tonplug/core/toncenter'
import { openDatabase } from '@tonplug/postgres'
import { watchDeposits } from './deposit-watcher.js'
import { openLedger } from './ledger.js'
import { readSettings } from './settings.js'

try {
  const { DATABASE_URL: url, DATA_DIR: folder, ...settings } = readSettings(process.env)
  const { NETWORK, TONCENTER_API_KEY, TONCENTER_RPS, TONCENTER_URL } = settings
  const server = TONCENTER_URL === undefined ? { network: NETWORK } : { baseUrl: TONCENTER_URL }
  const v3 = createV3Client({ ...server, apiKey: TONCENTER_API_KEY, rps: TONCENTER_RPS })
  const { db, close } = await openDatabase({ url, folder })
  const ledger = await openLedger(db)

  // The next start continues from the stored cursors.
  const shutdown = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => shutdown.abort())
  await watchDeposits({ v3, ledger, settings, signal: shutdown.signal })
  await close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
