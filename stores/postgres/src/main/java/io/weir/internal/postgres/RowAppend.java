package io.weir.internal.postgres;

/**
 * Claims to be appended to a row, whatever it holds.
 *
 * @param claims {@link AppendedClaims#withoutTime}
 * @param life how much longer than without them the row may count, at most, in microseconds
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowAppend(byte[] key, byte[] claims, long life) {}
