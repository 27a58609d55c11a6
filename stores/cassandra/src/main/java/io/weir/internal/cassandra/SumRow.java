package io.weir.internal.cassandra;

import java.util.UUID;

/**
 * Holds a row of a bucket that is counted by sums.
 *
 * <p>Immutable.
 *
 * @param slot the slot that the permits are charged to
 * @param writer the only node that writes it
 * @param used permits that the writer has charged or is about to charge
 * @param asked those of them that it was about to charge
 * @param raised the amount by which it has raised the count
 */
record SumRow(long slot, UUID writer, long used, long asked, long raised, long writtenAt) {}
