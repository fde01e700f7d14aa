// Sends a message, or goes on from where another process has left off, and tells how it ended.
// Arguments: the server, the message, and the file with the point to resume from.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  createResumePoint,
  createTransport,
  createV2Client,
  createV3Client,
  sendAndWait,
} from '@tonplug/core'

const [baseUrl, boc, file] = process.argv.slice(2)
const transport = createTransport({ baseUrl, rps: Infinity })
const clients = { v2: createV2Client({ transport }), v3: createV3Client({ transport }) }
const isResumed = existsSync(file)
if (!isResumed) writeFileSync(file, JSON.stringify(await createResumePoint(boc)))
const message = isResumed ? JSON.parse(readFileSync(file, 'utf8')) : boc
const { outcome, transactions } = await sendAndWait(clients, message, { pollMs: 5 })
console.log(`${outcome}: ${transactions.length} transactions`)
