import { fail, ok, type Check, type Finding, type Subject } from '../check.js'

/** Dates of HTTP have seconds, and a response takes some time. */
const TOLERANCE_MS = 30_000

/** Compares the clocks of this machine and of the server with the clock of TON Center. */
export const clocks: Check = {
  name: 'clock',
  async run(subject) {
    const reply = await subject.tonCenter()
    if ('code' in reply || reply.date === null) return undefined
    const ownOffsetMs = reply.atMs - Date.parse(reply.date)
    return (
      explain('this machine', ownOffsetMs) ??
      explain('the server', ownOffsetMs + (await serverOffsetMs(subject))) ??
      ok('agrees with the clock of TON Center')
    )
  },
}

/** Returns how far the clock of the webhook's server is ahead of this machine. */
async function serverOffsetMs({ url, webhook }: Subject): Promise<number> {
  if (url === undefined) return 0
  const { json } = await webhook()
  const date = 'error' in json ? null : json.headers.get('date')
  return 'error' in json || date === null ? 0 : Date.parse(date) - json.receivedAtMs
}

function explain(whose: string, offsetMs: number): Finding | undefined {
  if (Number.isNaN(offsetMs) || Math.abs(offsetMs) <= TOLERANCE_MS) return undefined
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return fail(
    `the clock of ${whose} is ${seconds} seconds ${offsetMs > 0 ? 'ahead' : 'behind'}`,
    'Synchronize it with NTP: invoices expire, and deliveries are stale, at the wrong time.',
  )
}
