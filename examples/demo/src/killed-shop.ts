import { randomBytes } from 'node:crypto'
import { createGatewayStandIn } from '@tonplug/testing'
import { buy } from './buy.js'
import { gatedClock } from './gated-clock.js'
import type { KillPoint } from './hold-stores.js'
import { type Outcome, tally } from './outcome.js'
import { sampleSuccess } from './sample-payloads.js'
import { type ShopProcess, startShopProcess } from './shop-process-handle.js'
import type { ShopProcessMessage, ShopProcessOptions } from './shop-process-messages.js'

/** Where a shop is killed, and when it comes back. */
export interface KilledShopOptions {
  at: KillPoint
  /** How much later it is by the clock of the second process. */
  restartAfterMs: number
}

/**
 * Sells a hoodie, kills the shop's process with SIGKILL while its payment is under way, starts it again on the same
 * folder and lets it finish.
 */
export async function observeKill(
  folder: string,
  { at, restartAfterMs }: KilledShopOptions,
): Promise<Outcome> {
  const secret = `whsec_${randomBytes(24).toString('hex')}`
  const decisions: string[] = []
  const handlers: string[] = []
  const processes: ShopProcess[] = []
  const start = (options: Pick<ShopProcessOptions, 'port' | 'aheadMs' | 'holdAt'>) => {
    const started = startShopProcess({ folder, secret, ...options }, (message) => note(message))
    processes.push(started)
    return started
  }
  const note = (message: ShopProcessMessage): void => {
    if (message.kind === 'decision') decisions.push(message.decision)
    if (message.kind === 'handler') handlers.push(message.handler)
  }

  try {
    const first = start({ port: 0, aheadMs: 0, holdAt: at })
    const { url } = await first.hear('open')
    const reference = await buy(url, 'hoodie')
    // The retry of a delivery without an answer comes a second after the shop is back.
    const { clock, open } = gatedClock()
    const gateway = createGatewayStandIn({ url: `${url}/webhooks/ton`, secret, clock })
    const delivery = gateway.deliver(sampleSuccess(reference))
    if (at !== 'decision') await delivery
    await first.hear('held')
    await first.kill()

    const second = start({ port: Number(new URL(url).port), aheadMs: restartAfterMs })
    await second.hear('open')
    open()
    const { attempts } = await delivery
    await second.hear('shipped')
    return {
      answers: tally(attempts.map(({ status }) => status ?? 'no answer')),
      order: await second.finish(reference),
      decisions: tally(decisions),
      handlers: tally(handlers),
    }
  } finally {
    await Promise.all(processes.map((one) => one.kill()))
  }
}
