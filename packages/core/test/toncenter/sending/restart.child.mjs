// Sends a message, or resumes after another process, and reports the outcome.
// Arguments: the server, the message, and the file with the point to resume from.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  createSendCheckpoint,
  createTransport,
  createV2Client,
  createV3Client,
  sendAndWait,
} from '@tonplug/core/toncenter'

const [baseUrl, boc, file] = process.argv.slice(2)
const transport = createTransport({ baseUrl, rps: Infinity })
const clients = { v2: createV2Client({ transport }), v3: createV3Client({ transport }) }
const isResumed = existsSync(file)
if (!isResumed) writeFileSync(file, JSON.stringify(await createSendCheckpoint(boc)))
const message = isResumed ? JSON.parse(readFileSync(file, 'utf8')) : boc
const { outcome, transactions } = await sendAndWait(clients, message, { pollMs: 5 })
console.log(`${outcome}: ${transactions.length} transactions`)
