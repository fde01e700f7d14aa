import { TonplugError } from '../../shared/tonplug-error.js'

/** The call that an error or an event is about. */
export interface CallFacts {
  /** The endpoint's name, for example `getTransactions`. */
  endpoint: string
  /** Requests sent for this call so far; 0 when none was. */
  attempts: number
}

/** The family of errors of one API call. */
export abstract class CallError<
  Details extends CallFacts = CallFacts,
> extends TonplugError<Details> {
  get endpoint(): string {
    return this.details.endpoint
  }

  /** Requests sent for this call; 0 when none was. */
  get attempts(): number {
    return this.details.attempts
  }
}

export function describeCall({ endpoint, attempts }: CallFacts): string {
  return attempts > 1 ? `${endpoint} (after ${attempts} attempts)` : endpoint
}
