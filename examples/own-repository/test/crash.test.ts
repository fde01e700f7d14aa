import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/database.js'
import { createShop } from '../src/server.js'

const SECRET = 'whsec_own_repository'
// PGlite takes seconds to make a database on a busy machine.
const TIMEOUT_MS = 60_000
const CHILD = fileURLToPath(new URL('crash.child.mjs', import.meta.url))
const REFERENCE = 'order-1'

it(
  'S45 takes the transition back when the process is killed before the decision, and pays at the retry',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonplug-drizzle-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await cp(inject('emptyPGlite').folder, folder, { recursive: true })
    await killBetweenTransitionAndDecision(folder)

    const { db, client, close } = await openDatabase(folder)
    onTestFinished(close)
    const shipped: string[] = []
    const { receiver, repository } = createShop({
      db,
      client,
      secret: SECRET,
      logger: recordingLogger(),
      onPaid: ({ order }) => shipped.push(order.item),
    })
    onTestFinished(() => receiver.close())
    expect((await repository.findByReference(REFERENCE))?.status).toBe('pending')

    const { body, headers } = signPayload(transferCompleted({ reference: REFERENCE }), SECRET)
    const { decision } = await receiver.receive({ method: 'POST', headers, rawBody: body })

    expect(decision.kind).toBe('paid')
    await expect.poll(() => shipped).toEqual(['cap'])
    expect((await repository.findByReference(REFERENCE))?.status).toBe('completed')
  },
  TIMEOUT_MS,
)

async function killBetweenTransitionAndDecision(folder: string): Promise<void> {
  const options = { folder, secret: SECRET, reference: REFERENCE }
  const child = fork(CHILD, [JSON.stringify(options)])
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = once(child, 'close')
  const [transition] = await Promise.race([once(child, 'message'), gone])
  expect(transition).toBe('applied')
  child.kill('SIGKILL')
  await gone
}
