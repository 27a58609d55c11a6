package io.weir.writeback;

import io.weir.store.Claim;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A claim of an entry on its way.
 *
 * <p>Immutable.
 *
 * @param entry whose it is
 * @param claim what was asked
 * @param number which of the entry's claims it is
 * @param bill what of its debts it carries
 */
record EntryFlight(Entry entry, Claim claim, long number, Bill bill) implements Flight {

  @Override
  public @Nullable Asker answered(Grant grant, Sending sent, boolean late, Afterwards after) {
    return entry.landed(this, grant, sent, late, after) ? entry : null;
  }

  @Override
  public @Nullable Asker unanswered(Sending sent, Afterwards after) {
    return entry.lost(this, sent, after) ? entry : null;
  }
}
