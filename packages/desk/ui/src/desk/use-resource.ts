import { useCallback, useEffect, useState } from 'preact/hooks'
import { load } from './api-client.js'

/** A response, or the problem of its request. */
export interface Resource<T> {
  data: T | undefined
  /** The failure of the newest request that has ended; the data is older then. */
  problem: string | undefined
  isLoading: boolean
  /** Requests it again, and keeps the data until then. */
  reload: () => void
}

interface Loaded<T> {
  path: string
  data?: T | undefined
  problem?: string | undefined
}

/**
 * Requests a path when it changes. A response that another request has overtaken is ignored; a request that fails keeps the
 * data of the one before.
 * @param everyMs requests it again after each response, by this time later. No request overtakes the one before.
 */
export function useResource<T>(path: string, everyMs?: number): Resource<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>()
  const [turn, setTurn] = useState(0)
  const [isLoading, setLoading] = useState(true)
  const reload = useCallback(() => setTurn((count) => count + 1), [])
  useEffect(() => {
    let isCurrent = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (result: Pick<Loaded<T>, 'data' | 'problem'>): void => {
      if (!isCurrent) return
      setLoaded((former) => ({
        ...(former?.path === path && former),
        problem: undefined,
        ...result,
        path,
      }))
      setLoading(false)
      if (everyMs !== undefined) timer = setTimeout(reload, everyMs)
    }
    setLoading(true)
    load<T>(path).then(
      (data) => finish({ data }),
      (error: unknown) =>
        finish({ problem: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [path, turn, everyMs, reload])
  const current = loaded?.path === path ? loaded : undefined
  return { data: current?.data, problem: current?.problem, isLoading, reload }
}
