import { createContracts } from '@tonplug/core/contract'
import { createTransport, createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { openPayoutQueue } from './payout-queue.js'
import { openPayoutWallet } from './payout-wallet.js'
import { payQueue } from './payout-worker.js'
import { readSettings } from './settings.js'

try {
  const settings = readSettings(process.env)
  const { NETWORK, TONCENTER_API_KEY, TONCENTER_RPS, TONCENTER_URL } = settings
  const server = TONCENTER_URL === undefined ? { network: NETWORK } : { baseUrl: TONCENTER_URL }
  const transport = createTransport({ ...server, apiKey: TONCENTER_API_KEY, rps: TONCENTER_RPS })
  const v2 = createV2Client({ transport })
  const v3 = createV3Client({ transport })
  const wallet = await openPayoutWallet(settings, createContracts({ v2 }))
  const queue = await openPayoutQueue(settings.DATABASE_URL)

  // The next start continues with the sent message.
  const shutdown = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => shutdown.abort())
  await payQueue({ v2, v3, queue, wallet, settings, signal: shutdown.signal })
  await queue.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
