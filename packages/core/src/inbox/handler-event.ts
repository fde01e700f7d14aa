/** The events that handlers subscribe to; each is a property of the options of `createPayments`. */
export const HANDLER_EVENTS = [
  'onPaid',
  'onFailed',
  'onMismatch',
  'onExtraPayment',
  'onUnknownOrder',
  'onUnverified',
] as const

export type HandlerEvent = (typeof HANDLER_EVENTS)[number]
