import { CodeBlock } from '../components/code-block.js'

/** The outcome of an action. */
export interface OutcomeText {
  isSuccess: boolean
  text: string
  /** A request of TON Connect, for the wallet that was paid. */
  request?: unknown
}

/** Shows and announces the outcome of the last action. */
export function Outcome({ outcome }: { outcome: OutcomeText | undefined }) {
  return (
    <div aria-live="polite">
      {outcome && (
        <div class="notice stacked" data-tone={outcome.isSuccess ? 'good' : 'bad'}>
          <p>{outcome.text}</p>
          {outcome.request !== undefined && (
            <CodeBlock
              name="Request of TON Connect"
              text={JSON.stringify(outcome.request, null, 2)}
            />
          )}
        </div>
      )}
    </div>
  )
}
