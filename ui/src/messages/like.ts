/** The shape of a part of the messages, for the same part in another language. */
export type Like<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };
