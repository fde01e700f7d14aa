export type OrderStatus = 'pending' | 'failed' | 'expired' | 'cancelled' | 'completed'

/** Statuses of unpaid orders. */
export const OPEN: readonly OrderStatus[] = ['pending', 'failed', 'expired']
