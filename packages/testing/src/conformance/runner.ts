/** Defines a test that is reported as skipped. */
type SkipTest = (name: string, run: () => Promise<void>) => unknown

/** The functions of a test framework that a conformance suite needs. Those of Vitest, Jest and `node:test` fit. */
export interface TestRunner {
  describe: (name: string, define: () => void) => unknown
  it: ((name: string, run: () => Promise<void>) => unknown) & { skip: SkipTest }
}

/** Creates the harness of one test. */
export type MakeHarness<Harness> = () => Harness | Promise<Harness>

/** Arguments that the parts of a suite share. */
export interface Suite<Harness> {
  makeHarness: MakeHarness<Harness>
  runner: TestRunner
}

/** Runs `test` with a harness of its own, and closes that afterwards, also when the test fails. */
export async function withHarness<Harness extends { close?: (() => Promise<void>) | undefined }>(
  makeHarness: MakeHarness<Harness>,
  test: (harness: Harness) => Promise<void>,
): Promise<void> {
  const harness = await makeHarness()
  try {
    await test(harness)
  } finally {
    await harness.close?.()
  }
}

/** Returns a runner whose tests are skipped; their titles state the reason. */
export function skipping({ describe, it }: TestRunner, reason: string): TestRunner {
  const skip: SkipTest = (name, run) => it.skip(`${name} (skipped: ${reason})`, run)
  return { describe, it: Object.assign(skip.bind(undefined), { skip }) }
}

/** Counts how often each value occurs. */
export function countValues(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** Calls `call` with 0, 1, … without waiting in between, and returns all results. */
export function callConcurrently<Result>(
  times: number,
  call: (index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)))
}
