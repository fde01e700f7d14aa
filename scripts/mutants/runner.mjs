// Runs each test once unchanged, noting the mutants that it reaches, or once for each mutant of a plan.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { TestRunner } from 'vitest'

const plan = process.env.MUTANT_PLAN && JSON.parse(readFileSync(process.env.MUTANT_PLAN, 'utf8'))
const output = process.env.MUTANT_OUTPUT ?? ''
const MAX_TICKS = 300_000

let active = 0
let ticks = 0
let started = 0
/** @type {Set<number>} */
let reached = new Set()
/** Mutants that a test has killed. */
const killed = new Set(plan?.killed)
/** @param {number} id */
globalThis.$mutant = (id) => (plan !== undefined || reached.add(id), id === active)
globalThis.$mutantTick = () => {
  if (active !== 0 && ++ticks > MAX_TICKS) throw new Error('the mutant loops')
}
/** @param {object} line */
const report = (line) => appendFileSync(output, `${JSON.stringify(line)}\n`)

export default class extends TestRunner {
  /** @param {any} test */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    this.queue = (plan?.tests[test.id]?.mutants ?? []).filter((id) => !killed.has(id))
    if (plan !== undefined && (this.queue.length === 0 || test.fails)) test.mode = 'skip'
    // The loop of the repeats compares with a number that changes.
    test.repeats = {
      valueOf: () => (plan === undefined ? 0 : this.queue.length > 0 ? Infinity : -1),
    }
  }

  /** @param {any} test @param {any} attempt */
  onBeforeTryTask(test, attempt) {
    active = this.repeated ? 0 : (this.queue[0] ?? 0)
    ticks = 0
    started = performance.now()
    if (plan === undefined) report({ outside: [...reached] })
    reached = new Set()
    if (plan !== undefined)
      writeFileSync(`${output}.now`, JSON.stringify({ id: this.queue[0], test: test.id }))
    return super.onBeforeTryTask(test, attempt)
  }

  /** @param {any} test */
  runTask(test) {
    const ms = 20_000 + 10 * (plan?.tests[test.id]?.ms ?? 10_000)
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('the mutant takes too long')), ms)
    })
    return Promise.race([TestRunner.getTestFn(test)(), late]).finally(() => clearTimeout(timer))
  }

  /** @param {any} test @param {any} attempt */
  async onAfterRetryTask(test, attempt) {
    await super.onAfterRetryTask(test, attempt)
    rmSync(`${output}.now`, { force: true })
    const failed = test.result.state === 'fail'
    if (plan === undefined) {
      const ms = performance.now() - started
      report({ test: test.id, file: test.file.filepath, ms, failed, reached: [...reached] })
      reached = new Set()
      return
    }
    const [id] = this.queue
    const message = test.result.errors?.[0]?.message?.slice(0, 200)
    test.result.state = 'pass'
    test.result.errors = undefined
    test.result.attempts.length = 0
    active = 0
    if (this.repeated) {
      // A test that now fails without the mutant proves nothing: another process continues.
      if (failed) {
        report({ dirty: id, test: test.id })
        // Vitest replaces process.exit().
        process.kill(process.pid, 'SIGKILL')
      }
      report({ killed: id, test: test.id, by: test.name, message: this.repeated })
      killed.add(id)
      this.repeated = undefined
    } else if (failed) {
      this.repeated = message ?? 'failed'
      return
    } else report({ survived: id, test: test.id })
    this.queue.shift()
  }
}
