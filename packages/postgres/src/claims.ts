import { namesConstraint, sqlState } from './error-code.js'
import type { Run } from './record-decision.js'
import { CLAIMED_BY_OTHER, ONE_CREDIT_EACH } from './sql/payments.js'
import type { Statement } from './sql/statement.js'

/** Returns true for the error of a statement that claimed what another order or credit has. It was rolled back. */
export function isClaimedByOther(error: unknown): boolean {
  return sqlState(error) === CLAIMED_BY_OTHER || namesConstraint(error, ONE_CREDIT_EACH)
}

/** Returns a result instead of the error of a statement that claimed what another order or credit has. */
export async function unlessClaimedByOther<Result>(
  work: Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isClaimedByOther(error)) return otherwise
    throw error
  }
}

/** Runs one of the statements that claim payments. @returns false when another order has claimed one. */
export async function claims(
  run: Run,
  statement: Statement,
  values: (string | null)[],
): Promise<boolean> {
  const [row] = await unlessClaimedByOther(run(statement, values), [])
  return row?.['is_free'] === 'true'
}

/** Runs a claim outside of a transaction. Of equal claims that begin at once, all succeed. */
export function claimsAtOnce(
  run: Run,
  statement: Statement,
  values: (string | null)[],
): Promise<boolean> {
  return claims(repeatOnClaim(run), statement, values)
}

/** Repeats a statement outside of a transaction that met another claim: then it sees the other one. */
export function repeatOnClaim(run: Run): Run {
  return async (...given) => {
    try {
      return await run(...given)
    } catch (error) {
      if (!isClaimedByOther(error)) throw error
      return run(...given)
    }
  }
}
