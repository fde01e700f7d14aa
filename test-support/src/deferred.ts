/** A promise with its functions. */
export interface Deferred<Result> {
  promise: Promise<Result>
  resolve: (result: Result) => void
}

/** Creates a promise to resolve from outside. */
export function deferred<Result = void>(): Deferred<Result> {
  let resolve: (result: Result) => void = () => undefined
  const promise = new Promise<Result>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
