import { namesConstraint, sqlState } from './error-code.js'
import type { Run } from './record-decision.js'
import { CLAIMED_BY_OTHER, ONE_CREDIT_EACH } from './sql/payments.js'
import type { Statement } from './sql/statement.js'

/** Returns true for the error of a statement that claimed what another order or credit has. It was rolled back. */
export function isClaimedByOther(error: unknown): boolean {
  return sqlState(error) === CLAIMED_BY_OTHER || namesConstraint(error, ONE_CREDIT_EACH)
}

/** Runs one of the statements that claim payments. @returns false when another order has claimed one. */
export async function claims(
  run: Run,
  statement: Statement,
  values: (string | null)[],
): Promise<boolean> {
  try {
    const [row] = await run(statement, values)
    return row?.['is_free'] === 'true'
  } catch (error) {
    if (isClaimedByOther(error)) return false
    throw error
  }
}

/**
 * Runs a claim outside of a transaction. One that met another claim is repeated, and sees the other one: of equal claims that
 * begin at once, all succeed.
 */
export function claimsAtOnce(
  run: Run,
  statement: Statement,
  values: (string | null)[],
): Promise<boolean> {
  const repeated: Run = async (...given) => {
    try {
      return await run(...given)
    } catch (error) {
      if (!isClaimedByOther(error)) throw error
      return run(...given)
    }
  }
  return claims(repeated, statement, values)
}
