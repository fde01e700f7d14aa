/** The outcome of an action. */
export interface OutcomeText {
  isSuccess: boolean
  text: string
  /** The operator. */
  by: string
}

/** Shows and announces the outcome of the last action. */
export function Outcome({ outcome }: { outcome: OutcomeText | undefined }) {
  return (
    <div aria-live="polite">
      {outcome && (
        <div class="notice stacked" data-tone={outcome.isSuccess ? 'good' : 'bad'}>
          <p>
            {outcome.text} <span class="by">({outcome.by})</span>
          </p>
        </div>
      )}
    </div>
  )
}
