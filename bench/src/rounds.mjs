import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Measures contenders in alternation. In each round every contender runs `calls` sequential calls; the order rotates from
 * round to round. Garbage is collected before each run, which may also discard compiled code of collected objects.
 * @param contenders `{ name, call, prepare }`; `call` is awaited; `prepare(calls)` is optional and is not measured
 * @param options.settlingCalls unmeasured calls after the garbage collection, which recompile that code
 * @returns the rounds of each contender, as `{ wallMs, cpuMs }` per call
 */
export async function measureRounds(contenders, { rounds, calls, warmUpCalls, settlingCalls = 0 }) {
  for (const { call, prepare } of contenders) {
    await prepare?.(warmUpCalls)
    await run(call, warmUpCalls)
  }
  const samples = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (round + turn) % contenders.length
      const { call, prepare } = contenders[index]
      await prepare?.(settlingCalls + calls)
      globalThis.gc()
      await sleep(20)
      await run(call, settlingCalls)
      samples[index].push(await run(call, calls))
    }
  }
  return samples
}

/** Returns the ratios to `base` in the same round: `{ median, min, max }`. */
export function ratio(rounds, base, unit) {
  const ratios = rounds.map((own, round) => own[unit] / base[round][unit])
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) }
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Measures the wall time and the CPU time per call. */
async function run(call, calls) {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  for (let index = 0; index < calls; index++) await call()
  const wallMs = (performance.now() - before) / calls
  const { user, system } = process.cpuUsage(cpuBefore)
  return { wallMs, cpuMs: (user + system) / 1000 / calls }
}
