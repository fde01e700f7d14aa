import { createWalletRequests, type WalletRequests } from '@tonplug/core/checkout'
import { expect, it } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'
import { sharedLocks, sharedStorage } from './browser.js'

const SESSIONS = 1000
const STEP_SECONDS = 10
const STEPS = 200
const wallet = { features: [{ name: 'SendTransaction', itemTypes: ['jetton'] }] }

/** Payments and requests of an impatient buyer with several tabs. */
interface Session {
  /** Times at which the payments arrive, seconds. */
  arrivals: number[]
  requests: number
}

/**
 * Plays a buyer who pays, reloads, opens tabs and clicks without being offered to, with wallets that answer, refuse, or do
 * not answer and pay before the request ends; a jetton takes up to 50 seconds, and the shop looks at the chain late.
 * @param isGuarded false for pages that do not share their marks
 */
async function play(random: () => number, isGuarded: boolean): Promise<Session> {
  const session: Session = { arrivals: [], requests: 0 }
  const [storage, locks] = [sharedStorage(), sharedLocks()]
  let now = 0
  const openTab = (): WalletRequests =>
    createWalletRequests({
      reference: 'order-1',
      payment: {
        serverTime: new Date(0).toISOString(),
        tonConnect: { items: [{ type: 'jetton' }] },
      },
      receivedAtMs: 0,
      messagesFor: () => Promise.reject(new Error('not needed')),
      confirmUnprotected: () => true,
      nowMs: () => now * 1000,
      storage: isGuarded ? storage : sharedStorage(),
      locks: isGuarded ? locks : sharedLocks(),
    })
  const mayExecute = (validUntil: number): void => {
    if (random() < 0.4) return
    const executed = now + random() * (validUntil - now)
    session.arrivals.push(executed + random() * 50)
  }
  const send = async ({ validUntil }: { validUntil: number }): Promise<unknown> => {
    session.requests++
    const outcome = Math.floor(random() * 6)
    if (outcome === 0) throw Object.assign(new Error('declined'), { code: 300 })
    if (outcome === 1) return { hasResponse: false, connectResult: { dispatched: false } }
    mayExecute(validUntil)
    if (outcome === 2) return { hasResponse: true, response: {} }
    if (outcome === 3) return { hasResponse: false, connectResult: { dispatched: true } }
    if (outcome === 4) throw new Error('Transaction was not sent')
    // The page is reloaded before the wallet answers.
    return new Promise(() => undefined)
  }
  const tabs = [openTab()]
  for (let step = 0; step < STEPS; step++) {
    now += STEP_SECONDS
    const index = Math.floor(random() * tabs.length)
    const action = random()
    if (action < 0.1) tabs[index] = openTab()
    else if (action < 0.2 && tabs.length < 3) tabs.push(openTab())
    const checkedUntil = Math.floor(now - random() * 120)
    const isPaid = session.arrivals.some((arrival) => arrival <= checkedUntil)
    if (random() < 0.7) tabs[index]?.update({ status: isPaid ? 'paid' : 'waiting', checkedUntil })
    const click = tabs[index]?.pay(wallet, send)
    await Promise.race([click?.catch(() => undefined), new Promise(setImmediate)])
  }
  return session
}

async function playAll(isGuarded: boolean): Promise<Session[]> {
  const random = createRandom(38)
  const sessions: Session[] = []
  for (let index = 0; index < SESSIONS; index++) sessions.push(await play(random, isGuarded))
  return sessions
}

it('S151 pays no order twice for 1,000 impatient buyers with reloads and tabs', async () => {
  const guarded = await playAll(true)
  expect(guarded.filter(({ arrivals }) => arrivals.length > 1)).toEqual([])
  // No buyer is stuck: most orders are paid, many of them by a later request.
  const paid = guarded.filter(({ arrivals }) => arrivals.length === 1)
  expect(paid.length).toBeGreaterThan(0.9 * SESSIONS)
  expect(paid.filter(({ requests }) => requests > 1).length).toBeGreaterThan(0.2 * SESSIONS)
})

it('pays orders twice when pages do not share their marks', async () => {
  const unguarded = await playAll(false)
  expect(unguarded.filter(({ arrivals }) => arrivals.length > 1).length).toBeGreaterThan(100)
})
