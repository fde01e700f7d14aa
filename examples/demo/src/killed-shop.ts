import { randomBytes } from 'node:crypto'
import { createMockGateway } from '@tonplug/testing'
import { buy } from './buy.js'
import { pausedClock } from './paused-clock.js'
import type { KillPoint } from './stop-stores.js'
import { type Outcome, tally } from './outcome.js'
import { sampleSuccess } from './sample-payloads.js'
import { type ShopProcess, startShopProcess } from './shop-process-handle.js'
import type { ShopProcessMessage, ShopProcessOptions } from './shop-process-messages.js'

/**
 * Sells a hoodie, kills the shop's process with SIGKILL at a point of its payment, starts it again on the same folder and
 * waits until the order is shipped.
 */
export async function observeKill(folder: string, at: KillPoint): Promise<Outcome> {
  const secret = `whsec_${randomBytes(24).toString('hex')}`
  const decisions: string[] = []
  const handlers: string[] = []
  const processes: ShopProcess[] = []
  const start = (options: Pick<ShopProcessOptions, 'port' | 'stopAt'>) => {
    const started = startShopProcess({ folder, secret, ...options }, (message) => record(message))
    processes.push(started)
    return started
  }
  const record = (message: ShopProcessMessage): void => {
    // A slow start finds the stored report due, and decides it before the gateway repeats the delivery: then a duplicate.
    if (message.kind === 'decision' && message.decision !== 'duplicate') {
      decisions.push(message.decision)
    }
    if (message.kind === 'handler') handlers.push(message.handler)
  }

  try {
    const first = start({ port: 0, stopAt: at })
    const { url } = await first.message('open')
    const reference = await buy(url, 'hoodie')
    // A delivery without a response is retried one second after the shop is started again.
    const { clock, resume } = pausedClock()
    const gateway = createMockGateway({ url: `${url}/webhooks/ton`, secret, clock })
    const delivery = gateway.deliver(sampleSuccess(reference))
    if (at !== 'decision') await delivery
    await first.message('stopped')
    await first.kill()

    const second = start({ port: Number(new URL(url).port) })
    await second.message('open')
    resume()
    const { attempts } = await delivery
    await second.message('shipped')
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
