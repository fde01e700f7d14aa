import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Measures contenders side by side. In each round every one runs `calls` times, one call after another, the order
 * rotating from round to round. Garbage is collected before, which takes compiled code along whose objects are gone.
 * @param contenders `{ name, call }`; `call` is awaited
 * @param options.settlingCalls calls between the collection and the measured ones, for code to come back
 * @returns for each contender its rounds, as `{ wallMs, cpuMs }` for one call
 */
export async function measureRounds(contenders, { rounds, calls, warmUpCalls, settlingCalls = 0 }) {
  for (const { call } of contenders) await run(call, warmUpCalls)
  const samples = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (round + turn) % contenders.length
      globalThis.gc()
      await sleep(20)
      const { call } = contenders[index]
      await run(call, settlingCalls)
      samples[index].push(await run(call, calls))
    }
  }
  return samples
}

/** How many times `base` the rounds took, each compared within its round: `{ median, min, max }`. */
export function ratio(rounds, base, unit) {
  const ratios = rounds.map((own, round) => own[unit] / base[round][unit])
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) }
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Time of one call: on the clock, and of the processor. */
async function run(call, calls) {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  for (let index = 0; index < calls; index++) await call()
  const wallMs = (performance.now() - before) / calls
  const { user, system } = process.cpuUsage(cpuBefore)
  return { wallMs, cpuMs: (user + system) / 1000 / calls }
}
