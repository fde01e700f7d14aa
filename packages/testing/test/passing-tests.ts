import type { TestRunner } from '@tonplug/testing'

interface CollectedTest {
  title: string
  run: () => Promise<void>
}

/**
 * Collects the tests of a suite and runs those whose titles match, of which there must be one.
 * @param define calls one of the describe functions with the runner.
 * @returns the titles of those that passed.
 */
export async function findPassing(
  define: (runner: TestRunner) => void,
  titles: RegExp,
): Promise<string[]> {
  const tests = collectTests(define).filter(({ title }) => titles.test(title))
  if (tests.length === 0) throw new RangeError(`no test is called ${titles}`)
  const passing: string[] = []
  for (const { title, run } of tests) {
    await run().then(
      () => passing.push(title),
      () => undefined,
    )
  }
  return passing
}

function collectTests(define: (runner: TestRunner) => void): CollectedTest[] {
  const tests: CollectedTest[] = []
  const path: string[] = []
  define({
    describe: (name, defineInner) => {
      path.push(name)
      defineInner()
      path.pop()
    },
    it: (name, run) => tests.push({ title: [...path, name].join(' > '), run }),
  })
  return tests
}
