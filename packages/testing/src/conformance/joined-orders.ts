import type { JoinedOrdersHarness } from './joined-harness.js'
import { describeJoinedCompletion } from './joined-complete.js'
import { describeJoinedFailure } from './joined-fail.js'
import { describeStoreAndFind } from './joined-store.js'
import { defineTestsWith, type MakeHarness, type TestRunner } from './runner.js'

/** States what an inbox lacks. The tests of that are reported as skipped. */
export interface JoinedOrdersSuiteOptions {
  /** `false` where the orders can only be read separately. @default true */
  storeAndFind?: boolean | undefined
  /** `false` for orders of a repository that ignores `merchant`. @default true */
  merchants?: boolean | undefined
}

/**
 * Defines the tests that every `JoinedOrders` must pass: each joined step has the effects of its parts, and has all of
 * them or none.
 * @param makeHarness creates an inbox and its orders; called once for each test.
 * @param options states what the inbox lacks.
 */
export function describeJoinedOrders(
  name: string,
  makeHarness: MakeHarness<JoinedOrdersHarness>,
  runner: TestRunner,
  { storeAndFind = true, merchants = true }: JoinedOrdersSuiteOptions = {},
): void {
  const testIf = (isSupported: boolean, skipReason: string) =>
    defineTestsWith(makeHarness, runner, isSupported ? undefined : skipReason)
  const { describe } = runner
  const test = defineTestsWith(makeHarness, runner)
  const merchantTest = testIf(merchants, 'the repository ignores merchants')
  const storeTest = testIf(storeAndFind, 'the orders can only be read separately')
  const merchantStoreTest = storeAndFind ? merchantTest : storeTest
  runner.describe(`JoinedOrders: ${name}`, () => {
    describeStoreAndFind({ describe, test: storeTest, merchantTest: merchantStoreTest })
    describeJoinedCompletion({ describe, test, merchantTest })
    describeJoinedFailure({ describe, test, merchantTest })
  })
}
