// Tests the tests: changes the engine in one place after the other, and lists the changes that no test notices.
// `node scripts/test-mutants.mjs orders ledger` does this for two folders. All changes are compiled into the sources at once,
// and a process tries them one after the other with the tests that reach them (scripts/mutants).
// MUTANT_SAMPLE=150 takes so many of each folder, always the same ones. MUTANT_FILES takes files whose path contains one of
// these texts. MUTANT_AGAIN=1 takes those that survived the last time. MUTANT_BUDGET is the milliseconds of tests per change.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { FOLDERS, cache, mutants, root } from './mutants/list.mjs'

const {
  MUTANT_SAMPLE,
  MUTANT_FILES,
  MUTANT_AGAIN,
  MUTANT_BUDGET = '10000',
  MUTANT_WORKERS = '2',
} = process.env
/** A process that tries one change for so long hangs. */
const HANGS_MS = 120_000

/** @param {string} path @returns {any[]} */
const readLines = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** @param {Record<string, string>} env */
function vitest(env) {
  const parameters = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'scripts/mutants/vitest.config.ts',
  ]
  return spawn(process.execPath, parameters, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', env.MUTANT_PLAN ? 'ignore' : 'inherit'],
  })
}

mkdirSync(cache, { recursive: true })
const covered = `${cache}covered.jsonl`
if (!process.env.MUTANT_KEEP) {
  rmSync(covered, { force: true })
  await new Promise((resolve) => vitest({ MUTANT_OUTPUT: covered }).on('exit', resolve))
}
const tests = readLines(covered)
  .filter(({ test, failed }) => test && !failed)
  .sort((a, b) => a.ms - b.ms)
console.log(`${tests.length} tests`)
/** @type {Map<number, any[]>} */
const testsOf = new Map()
for (const test of tests)
  for (const id of test.reached) testsOf.set(id, [...(testsOf.get(id) ?? []), test])
const outside = new Set(readLines(covered).flatMap((line) => line.outside ?? []))

/** @param {string[]} files */
function shortestFirst(files) {
  const sorted = files.map((file) => {
    const own = tests.filter((test) => test.file === file)
    return { file, ms: own.reduce((sum, { ms }) => sum + ms, 0) / own.length }
  })
  return sorted.sort((a, b) => a.ms - b.ms).map(({ file }) => file.slice(root.length))
}

const given = process.argv.slice(2)
const folders = given.length > 0 ? given : FOLDERS
/** @param {string} folder */
function chosen(folder) {
  const path = `${cache}${folder}.json`
  const again =
    MUTANT_AGAIN &&
    JSON.parse(readFileSync(path, 'utf8')).survivors.map((/** @type {any} */ { order }) => order)
  return (
    mutants
      .filter((mutant) => mutant.folder === folder)
      // A change of what a module computes when it is imported.
      .filter(({ id }) => testsOf.has(id) || !outside.has(id))
      .filter(
        ({ file }) => !MUTANT_FILES || MUTANT_FILES.split(',').some((part) => file.includes(part)),
      )
      .filter(({ order }) => !again || again.includes(order))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .slice(0, MUTANT_SAMPLE ? Number(MUTANT_SAMPLE) : undefined)
  )
}
const all = folders.flatMap(chosen)

/** @param {import('./mutants/list.mjs').Listed[]} part @param {number} worker */
async function work(part, worker) {
  const output = `${cache}worker-${worker}.jsonl`
  const planned = `${cache}plan-${worker}.json`
  for (const path of [output, `${output}.now`]) rmSync(path, { force: true })
  for (;;) {
    const lines = readLines(output)
    const killed = new Set(lines.flatMap((line) => line.killed ?? []))
    const done = new Set(
      lines.filter(({ survived }) => survived).map((line) => `${line.survived} ${line.test}`),
    )
    const dirty = lines.filter(({ dirty }) => dirty).map((line) => `${line.dirty} ${line.test}`)
    for (const pair of dirty) if (dirty.filter((other) => other === pair).length > 1) done.add(pair)
    /** @type {Record<string, { ms: number, mutants: number[] }>} */
    const plan = {}
    const files = new Set()
    for (const { id } of part) {
      if (killed.has(id)) continue
      let budget = Number(MUTANT_BUDGET)
      for (const test of testsOf.get(id) ?? []) {
        if (budget < 0) break
        budget -= test.ms
        if (done.has(`${id} ${test.test}`)) continue
        ;(plan[test.test] ??= { ms: test.ms, mutants: [] }).mutants.push(id)
        files.add(test.file)
      }
    }
    if (files.size === 0) return lines
    writeFileSync(planned, JSON.stringify({ tests: plan, killed: [...killed] }))
    const child = vitest({
      MUTANT_PLAN: planned,
      MUTANT_OUTPUT: output,
      MUTANT_TESTS: shortestFirst([...files]).join(','),
    })
    let ended = false
    const end = new Promise((resolve) => child.on('exit', () => resolve((ended = true))))
    while (!ended) {
      await Promise.race([end, sleep(2000)])
      const now = `${output}.now`
      const since = statSync(now, { throwIfNoEntry: false })?.mtimeMs
      if (ended || since === undefined || Date.now() - since < HANGS_MS) continue
      const { id, test } = JSON.parse(readFileSync(now, 'utf8'))
      appendFileSync(output, `${JSON.stringify({ killed: id, test, message: 'hangs' })}\n`)
      rmSync(now)
      child.kill('SIGKILL')
      await end
    }
  }
}

const workers = Number(MUTANT_WORKERS)
const parts = Array.from({ length: workers }, (_, worker) =>
  all.filter((_, place) => place % workers === worker),
)
const lines = (await Promise.all(parts.map(work))).flat()
const kills = new Map(lines.filter(({ killed }) => killed).map((line) => [line.killed, line]))
for (const folder of folders) {
  const listed = all.filter((mutant) => mutant.folder === folder)
  const survivors = listed
    .filter(({ id }) => !kills.has(id))
    .map((mutant) => ({ ...mutant, tests: testsOf.get(mutant.id)?.length ?? 0 }))
    .sort((a, b) => a.id - b.id)
  const killed = listed.length - survivors.length
  const score = ((100 * killed) / Math.max(listed.length, 1)).toFixed(1)
  writeFileSync(
    `${cache}${folder}.json`,
    JSON.stringify(
      { folder, mutants: listed.length, killed, score, survivors, kills: [...kills.values()] },
      null,
      1,
    ),
  )
  for (const { file, line, from, to, tests: count } of survivors)
    console.log(
      `${file}:${line} (${count} tests)\n  - ${from.slice(0, 160)}\n  + ${to.slice(0, 160)}`,
    )
  console.log(`${folder}: ${killed} of ${listed.length} mutants killed, ${score} %`)
}
