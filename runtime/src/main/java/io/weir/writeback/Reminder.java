package io.weir.writeback;

import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store again what it has charged to this node of a bucket that nobody uses here at the
 * moment. Told until it is answered, unless the bucket comes into use, which then tells it itself.
 *
 * <p>Safe for concurrent use.
 */
final class Reminder implements Asker, Flight {
  private final Place place;
  private final Recount recount;
  private volatile long permits;

  Reminder(Place place, Recount recount) {
    this.place = place;
    this.recount = recount;
  }

  Bucket bucket() {
    return place.bucket();
  }

  @Override
  public @Nullable Flight depart(long now, Afterwards after) {
    return tell(now, after);
  }

  @Override
  public @Nullable Flight tell(long now, Afterwards after) {
    permits = place.tells(now);
    return permits == 0 ? null : this;
  }

  @Override
  public void stay(Afterwards after) {
    recount.later(this);
  }

  @Override
  public Claim claim() {
    Terms terms = recount.terms(bucket().shape());
    long owed = Math.min(permits, terms.burst());
    return new Claim(bucket(), 0, 0, 0, List.of(), owed, terms.capacity(), terms.burst());
  }

  @Override
  public @Nullable Asker answered(Grant grant, Sending sent, boolean late, Afterwards after) {
    return late || sent.stands() ? null : unanswered(sent, after);
  }

  @Override
  public @Nullable Asker unanswered(Sending sent, Afterwards after) {
    // Of data that is gone as well all is told anew.
    if (sent.stands() && place.untold(sent.at())) {
      recount.later(this);
    }
    return null;
  }
}
