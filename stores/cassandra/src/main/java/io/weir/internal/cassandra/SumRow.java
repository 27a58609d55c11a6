package io.weir.internal.cassandra;

import java.util.UUID;

/**
 * A row of a bucket that is counted by sums.
 *
 * <p>Immutable.
 *
 * @param slot what the permits are charged to
 * @param writer who writes it, alone
 * @param used permits that the writer has charged, or is about to
 * @param asked how many of them it was about to charge
 * @param raised by how much it has raised the count
 * @param writtenAt its timestamp
 */
record SumRow(long slot, UUID writer, long used, long asked, long raised, long writtenAt) {}
