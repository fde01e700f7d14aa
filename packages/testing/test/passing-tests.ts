import type { TestRunner } from '@tonplug/testing'

interface CollectedTest {
  title: string
  isSkipped: boolean
  run: () => Promise<void>
}

/** Results of a suite's tests. */
export interface SuiteResults {
  passed: string[]
  failed: string[]
  skipped: string[]
}

/**
 * Runs the tests of a suite whose titles match; at least one must match.
 * @param define calls one of the describe functions with the runner.
 * @returns the titles of those that passed.
 */
export async function findPassing(
  define: (runner: TestRunner) => void,
  titles: RegExp,
): Promise<string[]> {
  return (await runSuite(define, titles)).passed
}

/** Runs the tests of a suite whose titles match; at least one must match. @returns the titles by result. */
export async function runSuite(
  define: (runner: TestRunner) => void,
  titles = /(?:)/,
): Promise<SuiteResults> {
  const tests = collectTests(define).filter(({ title }) => titles.test(title))
  if (tests.length === 0) throw new RangeError(`No test title matches ${titles}`)
  const results: SuiteResults = { passed: [], failed: [], skipped: [] }
  for (const { title, isSkipped, run } of tests) {
    const result = isSkipped ? 'skipped' : await run().then(pass, fail)
    results[result].push(title)
  }
  return results
}

function collectTests(define: (runner: TestRunner) => void): CollectedTest[] {
  const tests: CollectedTest[] = []
  const path: string[] = []
  const collect = (isSkipped: boolean) => (name: string, run: () => Promise<void>) =>
    tests.push({ title: [...path, name].join(' > '), isSkipped, run })
  define({
    describe: (name, defineInner) => {
      path.push(name)
      defineInner()
      path.pop()
    },
    it: Object.assign(collect(false), { skip: collect(true) }),
  })
  return tests
}

function pass(): 'passed' {
  return 'passed'
}

function fail(): 'failed' {
  return 'failed'
}
